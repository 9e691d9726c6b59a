import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import LarderXML
import Testing

@Suite struct XMLReaderTests {
    private func json(_ text: String, arrays: Set<String> = []) throws -> String {
        let tree = try XMLTree(Data(text.utf8))
        let document = try XMLReader(arrays: arrays).document(of: tree)
        return String(decoding: document.root.source, as: UTF8.self)
    }

    @Test(arguments: [
        ("<a/>", #"{"a":""}"#),
        ("<a>text</a>", #"{"a":"text"}"#),
        ("<a> t </a>", #"{"a":" t "}"#),
        ("<a x='1'/>", #"{"a":{"@x":"1"}}"#),
        ("<a y='2' x='1'>t</a>", ##"{"a":{"@x":"1","@y":"2","#text":"t"}}"##),
        ("<a>\n <b>1</b>\n <c/>\n</a>", #"{"a":{"b":"1","c":""}}"#),
        ("<a><b>1</b><c/><b>2</b></a>", #"{"a":{"b":["1","2"],"c":""}}"#),
        ("<a>x<b/>y</a>", ##"{"a":{"#text":"xy","b":""}}"##),
        ("<s:a xmlns:s='u'><s:b/></s:a>", #"{"s:a":{"@xmlns:s":"u","s:b":""}}"#),
        ("<a>&quot;\\&#10;&#9;é</a>", #"{"a":"\"\\\n\té"}"#),
    ])
    func `the rule from elements to JSON`(_ text: String, _ expected: String) throws {
        #expect(try json(text) == expected)
    }

    @Test func `what is said to be a list is one`() throws {
        #expect(try json("<a><b>1</b></a>", arrays: ["b"]) == #"{"a":{"b":["1"]}}"#)
    }

    @Test func `names are told apart by their code points`() throws {
        let (composed, apart) = ("\u{E9}", "e\u{301}")
        let text = "<a><\(composed)>1</\(composed)><\(apart)>2</\(apart)></a>"
        let expected = #"{"a":{"\#(composed)":"1","\#(apart)":"2"}}"#
        #expect(try json(text).utf8.elementsEqual(expected.utf8))
        let list = #"{"a":{"\#(composed)":"1","\#(apart)":["2"]}}"#
        #expect(try json(text, arrays: [apart]).utf8.elementsEqual(list.utf8))
    }

    private func client(_ text: String, _ type: String = "application/xml") throws -> Client {
        let transport = StubTransport(
            TransportResponse(
                head: HTTPResponse(status: .ok, headerFields: [.contentType: type]),
                body: text.data(using: .isoLatin1) ?? Data()))
        return Client(
            baseURL: "http://test.invalid/", store: try Store.inMemory(entities: Item.self),
            configuration: Client.Configuration(transport: transport))
    }

    private static let feed = """
        <rss version="2.0"><channel><title>News</title>
        <item id="1"><title>One</title></item><item id="2"><title>Two</title></item>
        </channel></rss>
        """

    @Test func `a response becomes a tree`() async throws {
        let client = try client(Self.feed)
        let tree = try await client.enqueue(.get("x"), serializer: .xml()).value
        #expect(tree["channel"]?["title"]?.text == "News")
        #expect(try await client.enqueue(News()).value == tree)
        let whole: Response<XMLTree> = try await client.enqueue(
            .get("x"), serializer: ResponseSerializer<XMLTree>.xml().withResponse()
        ).value
        #expect(whole.status == .ok && whole.value == tree)
    }

    @Test(arguments: ["text/xml; charset=iso-8859-1", "text/xml;Charset=\"ISO-8859-1\""])
    func `the encoding is the one that the response names`(_ type: String) async throws {
        let tree = try await client("<a>é</a>", type).enqueue(.get("x"), serializer: .xml()).value
        #expect(tree.text == "é")
    }

    @Test func `a response becomes objects in the store`() async throws {
        let client = try client(Self.feed).configured {
            $0.documentReader = XMLReader(arrays: ["item"])
        }
        let items = try await client.enqueue(
            .get("x"), as: Many<Item>.self, at: "rss.channel.item"
        ).value
        #expect(try items.fetch().map(\.title) == ["One", "Two"])
        #expect(try items.fetch().map(\.id) == ["1", "2"])
    }

    @Test func `a response is decoded`() async throws {
        let client = try client(Self.feed).configured { $0.documentReader = XMLReader() }
        let channel = try await client.enqueue(.get("x"), as: Channel.self, at: "rss.channel").value
        #expect(channel.title == "News")
    }

    @Test func `what is refused is an error of the client, and nothing is stored`() async throws {
        let bomb = "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>"
        let client = try client(bomb)
        let promise = client.enqueue(.get("x"), serializer: .xml())
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .undecodable)
        #expect((error?.underlying as? XMLError)?.reason == .documentType)
        let reading = client.configured { $0.documentReader = XMLReader() }
        let stored: Promise<Many<Item>> = reading.enqueue(.get("x"))
        let other = await #expect(throws: ClientError.self) { try await stored.value }
        #expect(other?.reason == .unprocessed)
        #expect((other?.underlying as? XMLError)?.reason == .documentType)
        #expect(try client.store.fetch(Item.all).isEmpty)
    }
}

@Entity struct Item {
    @Identity @Attribute("@id") var id: String
    var title: String
}

private struct Channel: Decodable {
    var title: String
}

private struct News: RespondingEndpoint {
    typealias Response = XMLTree
    let path = "news"
}
