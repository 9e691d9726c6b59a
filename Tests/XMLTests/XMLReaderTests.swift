import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import LarderXML
import Testing

@Suite struct XMLReaderTests {
    private func json(
        _ text: String, arrays: Set<String> = [], objects: Set<String> = []
    ) throws -> String {
        let tree = try XMLTree(Data(text.utf8))
        let document = try XMLReader(arrays: arrays, objects: objects).document(of: tree)
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

    @Test(arguments: [
        ("<a><c><b>1</b><b>2</b></c></a>", #"{"a":{"c":{"b":["1","2"]}}}"#),
        ("<a><c><b>1</b></c></a>", #"{"a":{"c":{"b":["1"]}}}"#),
        ("<a><c><d>1</d></c></a>", #"{"a":{"c":{"d":"1","b":[]}}}"#),
        ("<a><c/><c> </c></a>", #"{"a":{"c":[{"b":[]},{"b":[]}]}}"#),
        ("<a><c>t</c></a>", ##"{"a":{"c":{"#text":"t","b":[]}}}"##),
        ("<a><d/></a>", #"{"a":{"d":""}}"#),
        ("<a/>", #"{"a":""}"#),
        ("<x><c/></x>", #"{"x":{"c":""}}"#),
        ("<a><c><e><b>1</b></e></c></a>", #"{"a":{"c":{"e":{"b":"1"},"b":[]}}}"#),
    ])
    func `at the place of a list there is one, with as many elements as there are`(
        _ text: String, _ expected: String
    ) throws {
        #expect(try json(text, arrays: ["a.c.b"]) == expected)
    }

    @Test func `a place that is written in two ways is one`() throws {
        #expect(try json("<a><c/></a>", arrays: ["a.b", "a..b"]) == #"{"a":{"c":"","b":[]}}"#)
    }

    @Test(arguments: [
        ("<a><g>1</g></a>", ##"{"a":{"g":{"#text":"1"}}}"##),
        ("<a><g x='y'>1</g></a>", ##"{"a":{"g":{"@x":"y","#text":"1"}}}"##),
        ("<a><g/><b>2</b></a>", #"{"a":{"g":{},"b":"2"}}"#),
    ])
    func `what is said to be an object is one, with attributes and without`(
        _ text: String, _ expected: String
    ) throws {
        #expect(try json(text, objects: ["g"]) == expected)
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

    /// A feed that has nothing any more says so, and what it had goes.
    @Test(arguments: 0...2)
    func `the whole of a feed may have two items, one or none`(_ count: Int) async throws {
        struct Feed: Endpoint {
            let path = "feed"
            let completeness = Completeness.whole(Item.all)
        }
        let items = (0..<count).map { "<item id='\($0)'><title>t</title></item>" }.joined()
        let client = try client("<rss><channel><title>T</title>\(items)</channel></rss>")
            .configured { $0.documentReader = XMLReader(arrays: ["rss.channel.item"]) }
        try client.store.save(Item(id: "old", title: "t"))
        let found = try await client.enqueue(
            Feed(), as: Many<Item>.self, at: "rss.channel.item"
        ).value
        #expect(try found.fetch().count == count)
        #expect(try client.store.fetch(Item.all).map(\.id).sorted() == (0..<count).map(String.init))
    }

    @Test func `one key path is that of an element with attributes and without`() async throws {
        let text = "<l><s><g x='y'>1</g></s><s><g>2</g></s></l>"
        let transport = StubTransport(
            TransportResponse(head: HTTPResponse(status: .ok), body: Data(text.utf8)))
        let client = Client(
            baseURL: "http://test.invalid/", store: try Store.inMemory(entities: Story.self),
            configuration: Client.Configuration(
                transport: transport, documentReader: XMLReader(objects: ["g"])))
        let stories = try await client.enqueue(.get("x"), as: [Story].self, at: "l.s").value
        #expect(stories.map(\.id) == ["1", "2"])
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

@Entity struct Story {
    @Identity @Attribute("g.#text") var id: String
}

private struct Channel: Decodable {
    var title: String
}

private struct News: RespondingEndpoint {
    typealias Response = XMLTree
    let path = "news"
}
