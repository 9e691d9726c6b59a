import Foundation
import Testing

@testable import LarderObjectStore

/// Options on their way to all that is decoded.
struct JSONDecodingTests {
    private struct Informed: Decodable {
        var value: Int

        init(from decoder: any Decoder) throws {
            let key = try #require(CodingUserInfoKey(rawValue: "factor"))
            let factor = decoder.userInfo[key] as? Int ?? 1
            value = try decoder.singleValueContainer().decode(Int.self) * factor
        }
    }

    @Test func `hands user info to types that read themselves, at any depth`() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "factor"))
        let options = DecodingOptions(userInfo: [key: 3])
        let root = try JSONDocument(#"{"a": [1, 2]}"#).root
        let read = try root.decode([String: [Informed]].self, options: options)
        #expect(read["a"]?.map(\.value) == [3, 6])
        #expect(try root.decode([String: [Informed]].self)["a"]?.map(\.value) == [1, 2])
    }

    private struct Page: Wrapper {
        static var decodingOptions: DecodingOptions? {
            DecodingOptions(keys: .convertFromSnakeCase, dates: .secondsSince1970)
        }

        var readAt: Date
        @Stored var theHero: Hero
        @Stored var thePaging: Paging?
        @Stored var theStamp: Stamp?
    }

    private struct Paging: Wrapper { var nextPage: Date }

    private struct Definite: Wrapper {
        static let decodingOptions = DecodingOptions(keys: .convertFromSnakeCase)

        var nextPage: Int?
        @Stored var theHero: Hero
        @Stored var thePaging: DefinitePaging?
    }

    private struct DefinitePaging: MappedWrapper {
        static let decodingOptions = DecodingOptions(dates: .secondsSince1970)

        var readAt: Date?

        mutating func map(_ map: WrapperMap) throws { try map.read(&readAt, at: "read_at") }
    }

    @Test func `a wrapper states its options in their own type`() throws {
        let store = try Comics.store()
        let json = """
            {"next_page": 2, "the_hero": {"id": 1, "name": "A"}, "the_paging": {"read_at": 1}}
            """
        let page = try store.import(Definite.self, from: Data(json.utf8))
        #expect(page.nextPage == 2)
        #expect(page.theHero.id == 1)
        #expect(page.thePaging?.readAt == Date(timeIntervalSince1970: 1))
    }

    private struct Stamp: Wrapper {
        static var decodingOptions: DecodingOptions? { DecodingOptions(dates: .deferredToDate) }

        var atTime: Date
    }

    @Test func `a wrapper states its options, for the wrappers in it too`() throws {
        let store = try Comics.store()
        let page = try store.import(
            Page.self,
            from: Data(
                """
                {"read_at": 1, "the_hero": {"id": 1, "name": "A", "identity": {"real_name": "N"}},
                 "the_stamp": {"atTime": 1}, "the_paging": {"next_page": 5}}
                """.utf8))
        #expect(page.readAt == Date(timeIntervalSince1970: 1))
        #expect(page.theHero.realName == "N")
        #expect(page.thePaging?.nextPage == Date(timeIntervalSince1970: 5))
        #expect(page.theStamp?.atTime == Date(timeIntervalSinceReferenceDate: 1))
    }

    @Test func `a context states the options of wrappers that have none`() throws {
        let store = try Comics.store()
        let document = try JSONDocument(#"[{"nextPage": 5}, {"atTime": 5}]"#)
        let elements = try #require(document.root.elements)
        try store.write { context in
            context.decodingOptions.dates = .secondsSince1970
            let paging = try context.import(Paging.self, from: elements[0])
            #expect(paging.nextPage == Date(timeIntervalSince1970: 5))
            let stamp = try context.import(Stamp.self, from: elements[1])
            #expect(stamp.atTime == Date(timeIntervalSinceReferenceDate: 5))
            let again = try context.import(Paging.self, from: elements[0])
            #expect(again.nextPage == Date(timeIntervalSince1970: 5))
        }
    }
}
