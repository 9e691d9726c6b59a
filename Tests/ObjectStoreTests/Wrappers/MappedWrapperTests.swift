import Foundation
import Testing

@testable import LarderObjectStore

/// Wrappers that take their JSON apart themselves, key by key.
struct MappedWrapperTests {
    private static func json(_ text: String) -> Data { Data(text.utf8) }

    private struct LogIn: MappedWrapper {
        var status = "success"
        // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
        var token: String!
        var attempts = 0
        var score: Double?
        var date: Date?
        var hero: Hero?
        var heroes: Many<Hero>?

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&status, at: "status")
            try map.read(&token, at: "data.token")
            try map.read(&attempts, at: "data.attempts")
            try map.read(&score, at: "data.score")
            try map.read(&date, at: "data.date") { (text: String) in ISO8601.date(text) }
            try map.read(&hero, at: "data.hero")
            try map.read(&heroes, at: "data.heroes")
        }
    }

    private static let logIn = """
        {"status": "old", "more": [], "data": {
            "token": "t", "attempts": 3, "score": 1.5, "date": "2001-01-01T00:00:01Z",
            "hero": {"id": 1, "name": "A"},
            "heroes": [{"id": 3, "name": "C"}, null, {"id": 2, "name": "B"}]}}
        """

    @Test func `reads values of all kinds and stores the objects`() throws {
        let store = try Comics.store()
        let logIn = try store.import(LogIn.self, from: Self.json(Self.logIn))
        #expect(logIn.status == "old")
        #expect(logIn.token == "t")
        #expect(logIn.attempts == 3)
        #expect(logIn.score == 1.5)
        #expect(logIn.date == Date(timeIntervalSinceReferenceDate: 1))
        #expect(logIn.hero?.name == "A")
        #expect(try logIn.heroes?.fetch().map(\.name) == ["C", "B"])
        #expect(try store.fetch(Hero.all.sorted { $0.id.ascending }).map(\.id) == [1, 2, 3])
    }

    @Test func `what is missing keeps its default`() throws {
        let store = try Comics.store()
        for text in ["{}", #"{"data": {}}"#, #"{"data": null}"#] {
            let logIn = try store.import(LogIn.self, from: Self.json(text))
            #expect(logIn.status == "success")
            #expect(logIn.token == nil)
            #expect(logIn.attempts == 0)
            #expect(logIn.heroes == nil)
        }
        #expect(try store.count(Hero.all) == 0)
    }

    @Test func `null makes optionals nil`() throws {
        let store = try Comics.store()
        struct Defaults: MappedWrapper {
            var text: String? = "a"
            // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
            var forced: String! = "b"
            var hero: Hero?
            var heroes: Many<Hero>?
            var number: Int? = 1

            mutating func map(_ map: WrapperMap) throws {
                try map.read(&hero, at: "first")
                try map.read(&text, at: "text")
                try map.read(&forced, at: "forced")
                try map.read(&hero, at: "hero")
                try map.read(&heroes, at: "heroes")
                try map.read(&number, at: "number") { (text: String) -> Int? in
                    Issue.record("asked to convert null")
                    return Int(text)
                }
            }
        }
        let none = try store.import(
            Defaults.self,
            from: Self.json(
                #"{"first": {"id": 1, "name": "A"}, "text": null, "forced": null, "hero": null, "heroes": null, "number": null}"#
            ))
        #expect(none.text == nil)
        #expect(none.forced == nil)
        #expect(none.hero == nil)
        #expect(none.heroes == nil)
        #expect(none.number == nil)
    }

    // MARK: What does not fit

    private struct Strict: MappedWrapper {
        var attempts = 0
        var name: String?
        var hero: Hero?
        var sure = Many<Hero>(content: .values([]))
        var date: Date?
        var day = Date.distantPast

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&attempts, at: "a.attempts")
            try map.read(&name, at: "name")
            try map.read(&hero, at: "hero")
            try map.read(&sure, at: "sure")
            try map.read(&date, at: "date") { (text: String) in try Self.date(text) }
            try map.read(&day, at: "day", convert: Self.date)
        }

        static func date(_ text: String) throws -> Date {
            guard let date = ISO8601.date(text) else { throw Unreadable() }
            return date
        }
    }

    private struct Unreadable: Error {}

    @Test(arguments: [
        (#"{"a": {"attempts": "3"}}"#, "$.a.attempts"),
        (#"{"a": {"attempts": null}}"#, "$.a.attempts"),
        (#"{"a": {"attempts": 1.5}}"#, "$.a.attempts"), (#"{"name": 5}"#, "$.name"),
        (#"{"a": 5}"#, "$.a"), (#"{"a": [{"attempts": 1}]}"#, "$.a"), (#"{"date": 5}"#, "$.date"),
        (#"{"date": "soon"}"#, "$.date"), (#"{"day": "soon"}"#, "$.day"),
        (#"{"day": null}"#, "$.day"),
        ("[]", "$"), ("5", "$"), ("null", "$"), (#""a""#, "$"),
    ])
    func `a value that does not fit is an error with its path`(
        _ text: String, _ path: String
    ) throws {
        let store = try Comics.store()
        let error = #expect(throws: DecodingError.self) {
            try store.import(Strict.self, from: Self.json(text))
        }
        let context = try #require(error?.context)
        #expect(context.debugDescription.contains("at \(path)"))
        let keys = context.codingPath.map(\.stringValue)
        #expect((["$"] + keys).joined(separator: ".") == path)
    }

    @Test(arguments: [
        (#"{"hero": []}"#, "$.hero"), (#"{"hero": {"id": 1}}"#, "$.hero"),
        (#"{"hero": {"id": "x", "name": "A"}}"#, "$.hero.id"), (#"{"sure": null}"#, "$.sure"),
        (#"{"sure": {}}"#, "$.sure"),
        (#"{"sure": [{"id": 1, "name": "A"}, {"id": 2}]}"#, "$.sure[1]"),
    ])
    func `an object that can't be stored is an error, for optionals too`(
        _ text: String, _ path: String
    ) throws {
        let store = try Comics.store()
        let error = #expect(throws: MappingError.self) {
            try store.import(Strict.self, from: Self.json(text))
        }
        #expect(error?.path == path)
        #expect(try store.count(Hero.all) == 0)
    }

    @Test func `an error behind stored objects leaves nothing stored`() throws {
        let store = try Comics.store()
        #expect(throws: DecodingError.self) {
            try store.import(
                Strict.self,
                from: Self.json(#"{"hero": {"id": 1, "name": "A"}, "date": "soon"}"#))
        }
        #expect(try store.count(Hero.all) == 0)
    }

    @Test func `the error of a conversion stands behind that of the place`() throws {
        let store = try Comics.store()
        let error = #expect(throws: DecodingError.self) {
            try store.import(Strict.self, from: Self.json(#"{"day": "soon"}"#))
        }
        #expect(error?.context?.underlyingError is Unreadable)
    }

    // MARK: Order, roots, nests and lists

    private struct Order: MappedWrapper {
        var text = ""

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&text, at: "a")
            try map.read(&text, at: "b")
            try map.read(&text, at: "c") { [text] (more: String) in text + more }
        }
    }

    @Test func `reads in the order of the lines`() throws {
        let store = try Comics.store()
        let order = try store.import(
            Order.self, from: Self.json(#"{"c": "3", "b": "2", "a": "1"}"#))
        #expect(order.text == "23")
    }

    private struct Page: MappedWrapper {
        struct Paging: MappedWrapper {
            var next: URL?
            var total = 0

            mutating func map(_ map: WrapperMap) throws {
                try map.read(&next, at: "next")
                try map.read(&total, at: "total")
            }
        }

        var paging = Paging()
        var logIns: Many<LogIn>?
        var others: [LogIn] = []
        var powers: [Power]?
        var codable: Coded?
        var tags: [String]?
        var extra: [String: Int] = [:]
        var raw: JSONValue?

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&paging)
            try map.read(&logIns, at: "logIns")
            try map.read(&others, at: "others")
            try map.read(&powers, at: "powers")
            try map.read(&codable, at: "coded")
            try map.read(&tags, at: "tags")
            try map.read(&extra, at: "extra")
            try map.read(&raw, at: "raw")
        }
    }

    /// A wrapper of the other spelling.
    private struct Coded: Wrapper {
        var stars: Int
        @Stored var hero: Hero
        var paging: Page.Paging?
    }

    @Test func `nests, shares its root and holds lists`() throws {
        let store = try Comics.store()
        let page = try store.import(
            Page.self,
            from: Self.json(
                """
                {"next": "https://example.com/2", "total": 9, "logIns": [\(Self.logIn), null, {}],
                 "others": [\(Self.logIn)], "powers": [{"id": 5, "name": "X"}], "tags": ["a", "b"],
                 "coded": {"stars": 4, "hero": {"id": 7, "name": "G"}, "paging": {"total": 3}},
                 "extra": {"a": 1}, "raw": [1, {}]}
                """))
        #expect(page.paging.next == URL(string: "https://example.com/2"))
        #expect(page.paging.total == 9)
        #expect(page.logIns?.values.map(\.status) == ["old", "success"])
        #expect(page.others.map(\.hero?.name) == ["A"])
        #expect(page.powers?.map(\.name) == ["X"])
        #expect(page.codable?.hero.name == "G")
        #expect(page.codable?.paging?.total == 3)
        #expect(page.tags == ["a", "b"])
        #expect(page.extra == ["a": 1])
        #expect(page.raw?.count == 2)
        #expect(try store.count(Hero.all) == 4)
    }

    private struct List: MappedWrapper {
        var heroes: Many<Hero>?

        mutating func map(_ map: WrapperMap) throws { try map.read(&heroes) }
    }

    @Test func `the root may be a list`() throws {
        let store = try Comics.store()
        let list = try store.import(
            List.self, from: Self.json(#"[{"id": 2, "name": "B"}, {"id": 1, "name": "A"}]"#))
        #expect(try list.heroes?.fetch().map(\.id) == [2, 1])
        #expect(throws: MappingError.self) { try store.import(List.self, from: Self.json("{}")) }
    }

    @Test func `many wrappers are all read or none`() throws {
        let store = try Comics.store()
        let many: Many<LogIn> = try store.import(
            from: Self.json("[\(Self.logIn), {\"data\": {\"hero\": {\"id\": 9, \"name\": \"I\"}}}]")
        )
        #expect(many.count == 2)
        #expect(many.values.map(\.hero?.id) == [1, 9])
        let empty = try Comics.store()
        for bad in [#"{"data": {"token": 5}}"#, #"{"data": {"hero": {"id": 22}}}"#, "5"] {
            #expect(throws: (any Error).self) {
                try empty.import(Many<LogIn>.self, from: Self.json("[\(Self.logIn), \(bad)]"))
            }
            #expect(throws: (any Error).self) {
                try empty.import([LogIn].self, from: Self.json("[\(Self.logIn), \(bad)]"))
            }
        }
        #expect(throws: DecodingError.self) {
            try empty.import(Many<LogIn>.self, from: Self.json(Self.logIn))
        }
        #expect(try empty.count(Hero.all) == 0)
    }

    // MARK: Classes and strangers

    private final class Session: MappedWrapper, @unchecked Sendable {
        var token = "none"
        var user: Hero?

        func map(_ map: WrapperMap) throws {
            try map.read(&token, at: "token")
            try map.read(&user, at: "user")
        }
    }

    @Test func `a class can be one`() throws {
        let store = try Comics.store()
        let session = try store.import(
            Session.self, from: Self.json(#"{"token": "t", "user": {"id": 1, "name": "A"}}"#))
        #expect(session.token == "t")
        #expect(session.user?.name == "A")
        let none: Session? = try store.import(from: Self.json("null"))
        #expect(none == nil)
    }

    @Test func `can't be read without a store`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Page.Paging.self, from: Self.json("{}"))
        }
        #expect(throws: DecodingError.self) {
            try JSONDocument("{}").root.decode(Page.Paging.self)
        }
    }

    @Test func `says whether there is a value before it is read`() throws {
        struct Curious: MappedWrapper {
            var kinds: [JSONValue.Kind?] = []

            mutating func map(_ map: WrapperMap) throws {
                for key in ["a", "b", "c.d"] { kinds.append(try map.json(at: key)?.kind) }
                kinds.append(try map.json()?.kind)
            }
        }
        let store = try Comics.store()
        let curious = try store.import(Curious.self, from: Self.json(#"{"a": 1, "b": null}"#))
        #expect(curious.kinds == [.number, .null, nil, .object])
    }
}

extension DecodingError {
    /// Where it happened, whichever kind it is.
    fileprivate var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context),
            .keyNotFound(_, let context), .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}

extension ISO8601 {
    fileprivate static func date(_ text: String) -> Date? {
        var text = text
        return text.withUTF8 { ISO8601.date($0) }.map(Date.init(timeIntervalSinceReferenceDate:))
    }
}
