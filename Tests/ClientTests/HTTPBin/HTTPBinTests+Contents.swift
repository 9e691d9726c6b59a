import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderXML
import Testing

@Entity struct Slideshow {
    @Identity var title: String
    var author: String
    var date: String
    var slides: Many<Slide>
}

@Entity struct Slide: Equatable {
    @Identity var title: String
    @Attribute("type") var kind: String
    var items: [String]?
}

/// A slide as `/xml` has it.
@Entity struct MarkedUpSlide {
    @Identity var title: String
    @Attribute("@type") var kind: String
}

extension HTTPBinTests {
    /// What contents of several types become.
    @Suite struct Contents {
        let bin: HTTPBin
        let client: Client

        init() async throws {
            bin = try await HTTPBin.shared
            client = Client(
                baseURL: bin.baseURL,
                store: try Store.inMemory(
                    entities: Slideshow.self, Slide.self, MarkedUpSlide.self),
                configuration: Client.Configuration(timeout: .seconds(600)))
        }

        @Test func `JSON is stored as objects and their links, and once`() async throws {
            let first = try await client.enqueue(
                .get("json"), as: Response<Slideshow>.self, at: "slideshow"
            ).value
            #expect(first.value.title == "Sample Slide Show")
            #expect(first.value.author == "Yours Truly")
            let slides = try first.value.slides.fetch().sorted { $0.title > $1.title }
            #expect(slides.map(\.title) == ["Wake up to WonderWidgets!", "Overview"])
            #expect(slides.map(\.kind) == ["all", "all"])
            #expect(slides.map(\.items?.count) == [nil, 2])
            #expect(slides.last?.items?.first == "Why <em>WonderWidgets</em> are great")
            let second = try await client.enqueue(
                .get("json"), as: Response<Many<Slide>>.self, at: "slideshow.slides"
            ).value
            #expect(try second.value.fetch().sorted { $0.title > $1.title } == slides)
            #expect(second.report.total.unchanged == 2 && second.report.total.inserted == 0)
            #expect(try client.store.fetch(Slide.all).count == 2)
        }

        @Test func `what does not fit stores nothing, and says what came back`() async throws {
            let slides = client.enqueue(.get("json"), as: Many<Slide>.self)
            let unfit = try #require(await slides.clientError())
            #expect(unfit.reason == .notStored && unfit.status == .ok)
            let page = try #require(
                await client.enqueue(.get("html"), as: Slideshow.self).clientError())
            #expect(page.reason == .malformedJSON)
            #expect(page.underlying is JSONError)
            #expect(page.body?.starts(with: Data("<!DOCTYPE html>".utf8)) == true)
            let lines = try #require(
                await client.enqueue(.get("stream/3"), as: [Slide].self).clientError())
            #expect(lines.reason == .malformedJSON)
            #expect(try client.store.fetch(Slide.all).isEmpty)
            #expect(try client.store.fetch(Slideshow.all).isEmpty)
        }

        @Test func `XML is a tree, and is stored as objects`() async throws {
            let tree = try await client.enqueue(.get("xml"), serializer: .xml()).value
            #expect(tree.name == "slideshow")
            #expect(tree.attributes["author"] == "Yours Truly")
            let titles = tree.all("slide").compactMap { $0["title"]?.text }
            #expect(titles == ["Wake up to WonderWidgets!", "Overview"])
            #expect(
                tree.all("slide").last?.all("item").map { $0["em"]?.text }
                    == ["WonderWidgets", nil, "buys"])
            let reading = client.configured { $0.documentReader = XMLReader(arrays: ["slide"]) }
            let slides = try await reading.enqueue(
                .get("xml"), as: [MarkedUpSlide].self, at: "slideshow.slide"
            ).value
            #expect(slides.map(\.title) == titles)
            #expect(slides.map(\.kind) == ["all", "all"])
            #expect(try client.store.fetch(MarkedUpSlide.all).count == 2)
        }

        @Test func `a page is text, and nothing to those who want no value`() async throws {
            let text = try await client.enqueue(.get("html"), as: String.self).value
            #expect(text.contains("<h1>Herman Melville - Moby-Dick</h1>"))
            try await client.enqueue(.get("html"), as: Void.self).value
            let links = try await client.enqueue(.get("links/3"), as: Response<String>.self).value
            #expect(links.url?.absoluteString == "\(bin.baseURL)links/3/0")
            #expect(links.value.contains("0 <a href='/links/3/1'>1</a>"))
        }

        @Test func `text in UTF-8 is what it was`() async throws {
            let response = try await client.enqueue(
                .get("encoding/utf8"), as: Response<String>.self
            ).value
            for part in [
                "∮ E⋅da = Q", "Οὐχὶ ταὐτὰ", "გთხოვთ ახლავე", "Зарегистрируйтесь",
                "๏ แผ่นดินฮั่นเสื่อมโทรมแสนสังเวช", "ሰማይ አይታረስ ንጉሥ አይከሰስ።", "ᚻᛖ ᚳᚹᚫᚦ",
                "⡌⠁⠧⠑", "コンニチハ", "╔══╦══╗",
            ] {
                #expect(response.value.contains(part), "\(part)")
            }
            let count = try #require(response.headerFields[.contentLength])
            #expect(count == "\(response.value.utf8.count)")
        }

        @Test func `an image is the bytes that it is, of a type that was asked for`() async throws {
            let image = try await client.enqueue(.get("image/png"), as: Response<Data>.self).value
            #expect(image.value.starts(with: [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]))
            #expect(image.headerFields[.contentType] == "image/png")
            #expect(image.headerFields[.contentLength] == "\(image.value.count)")
            for type in ["image/webp", "image/svg+xml", "image/jpeg", "image/png"] {
                let chosen = try await client.enqueue(
                    .get("image", acceptedContentTypes: [type]), as: Response<Data>.self
                ).value
                #expect(chosen.headerFields[.contentType] == type)
            }
            let none = try #require(await client.error(of: .get("image")))
            #expect(none.status == .notAcceptable)
            let other = try #require(
                await client.error(of: .get("image/jpeg", acceptedContentTypes: ["image/png"])))
            #expect(other.reason == .unacceptableContentType && other.status == .ok)
        }

        @Test func `an identifier is decoded, and each one is another`() async throws {
            struct Ticket: Decodable { let uuid: UUID }
            let one = try await client.enqueue(.get("uuid"), as: Ticket.self).value
            let other = try await client.enqueue(.get("uuid"), as: UUID.self, at: "uuid").value
            #expect(one.uuid != other)
        }

        @Test func `fields of the response are those that the server has set`() async throws {
            let response = try await client.enqueue(
                .get(
                    "response-headers?X-Twice=a&X-Twice=b",
                    query: ["Link": "</get?page=2>; rel=\"next\"", "X-Empty": ""]),
                as: Response<JSONDocument>.self
            ).value
            #expect(response.headerFields[values: .named("X-Twice")] == ["a", "b"])
            #expect(response.headerFields[.named("X-Twice")] == "a, b")
            #expect(response.headerFields[.named("x-empty")] == "")
            #expect(response.value.root.texts("X-Twice") == ["a", "b"])
            let next = try #require(response.link(rel: "next"))
            #expect(next.absoluteString == "\(bin.baseURL)get?page=2")
            #expect(response.link(rel: "last") == nil)
            let page = try await client.json(.get(URLPath(next)))
            #expect(page.text("args.page") == "2")
        }
    }
}
