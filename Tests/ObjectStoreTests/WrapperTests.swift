import Foundation
import Testing

@testable import LarderObjectStore

/// Wrappers: a part is stored, the rest only handed over.
struct WrapperTests {
    private struct LogIn: Wrapper {
        var token: String
        var expires: Date?
        @Stored var user: Hero
    }

    private struct Page: Wrapper {
        struct Paging: Codable { var next: String? }

        var total: Int
        var paging: Paging?
        @Stored var heroes: Many<Hero>
        @Stored var best: Hero?
        @Stored var powers: [Power]
    }

    private struct Site: Wrapper {
        @Stored var page: Page
        @Stored var logIns: Many<LogIn>
        @Stored var others: [LogIn]
    }

    private struct Rating: Wrapper {
        enum CodingKeys: String, CodingKey {
            case hero = "the_hero"
            case stars
        }

        @Stored var hero: Hero
        var stars: Int
    }

    private static func json(_ text: String) -> Data { Data(text.utf8) }

    private static let logIn = #"{"token": "t", "user": {"id": 1, "name": "A"}, "more": [1, {}]}"#

    @Test func `stores its part and hands over the rest`() throws {
        let store = try Comics.store()
        let logIn = try store.import(LogIn.self, from: Self.json(Self.logIn))
        #expect(logIn.token == "t")
        #expect(logIn.expires == nil)
        #expect(logIn.user.name == "A")
        #expect(try store.fetch(Hero.all).map(\.id) == [1])
    }

    @Test func `renames its keys as Codable does`() throws {
        let store = try Comics.store()
        let rating = try store.import(
            Rating.self, from: Self.json(#"{"the_hero": {"id": 1, "name": "A"}, "stars": 5}"#))
        #expect(rating.hero.id == 1)
        #expect(rating.stars == 5)
    }

    @Test func `stores many, optionals and arrays`() throws {
        let store = try Comics.store()
        let page = try store.import(
            Page.self,
            from: Self.json(
                """
                {"total": 7, "paging": {"next": "n"}, "best": {"id": 9, "name": "I"},
                 "heroes": [{"id": 2, "name": "B"}, null, {"id": 1, "name": "A"}],
                 "powers": [{"id": 5, "name": "X"}]}
                """))
        #expect(page.total == 7)
        #expect(page.paging?.next == "n")
        #expect(try page.heroes.fetch().map(\.id) == [2, 1])
        #expect(page.best?.id == 9)
        #expect(page.powers.map(\.name) == ["X"])
    }

    @Test(arguments: ["", #", "best": null"#])
    func `an optional part may be missing or null`(_ best: String) throws {
        let store = try Comics.store()
        let page = try store.import(
            Page.self, from: Self.json(#"{"total": 0, "heroes": [], "powers": []\#(best)}"#))
        #expect(page.best == nil)
        #expect(try page.heroes.count == 0)
    }

    @Test(arguments: [
        (#"{"user": {"id": 1, "name": "A"}}"#, "token"), (#"{"token": "t"}"#, "user"),
    ])
    func `what is not optional must be there`(_ text: String, _ key: String) throws {
        let store = try Comics.store()
        let error = #expect(throws: DecodingError.self) {
            try store.import(LogIn.self, from: Self.json(text))
        }
        guard case .keyNotFound(let missing, _)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(missing.stringValue == key)
        #expect(try store.count(Hero.all) == 0)
    }

    @Test func `a null part that is not optional is an error with its path`() throws {
        let store = try Comics.store()
        let error = #expect(throws: MappingError.self) {
            try store.import(LogIn.self, from: Self.json(#"{"token": "t", "user": null}"#))
        }
        #expect(error?.path == "$.user")
    }

    @Test func `a failure behind the stored part leaves nothing stored`() throws {
        let store = try Comics.store()
        #expect(throws: DecodingError.self) {
            try store.import(
                Rating.self,
                from: Self.json(#"{"the_hero": {"id": 1, "name": "A"}, "stars": "five"}"#))
        }
        #expect(try store.count(Hero.all) == 0)
    }

    @Test(arguments: ["[]", "null", "5"])
    func `is an object`(_ text: String) throws {
        let store = try Comics.store()
        #expect(throws: DecodingError.self) {
            try store.import(LogIn.self, from: Self.json(text))
        }
    }

    // MARK: Lists and nests of wrappers

    @Test func `lists of wrappers keep their values`() throws {
        let store = try Comics.store()
        let text = """
            [\(Self.logIn), null, {"token": "u", "user": {"id": 2, "name": "B"}}]
            """
        let many: Many<LogIn> = try store.import(from: Self.json(text))
        #expect(many.count == 2)
        #expect(many.values.map(\.token) == ["t", "u"])
        let array: [LogIn] = try store.import(from: Self.json(text))
        #expect(array.map(\.user.name) == ["A", "B"])
        #expect(try store.count(Hero.all) == 2)
    }

    @Test func `a bad wrapper in a list is an error and nothing is stored`() throws {
        let store = try Comics.store()
        let text = #"[\#(Self.logIn), {"token": 5, "user": {"id": 2, "name": "B"}}]"#
        #expect(throws: DecodingError.self) {
            try store.import(Many<LogIn>.self, from: Self.json(text))
        }
        #expect(throws: DecodingError.self) {
            try store.import(Many<LogIn>.self, from: Self.json("{}"))
        }
        #expect(try store.count(Hero.all) == 0)
    }

    @Test func `wrappers nest`() throws {
        let store = try Comics.store()
        let text = """
            {"page": {"total": 1, "heroes": [{"id": 1, "name": "A"}], "powers": []},
             "logIns": [\(Self.logIn)], "others": [\(Self.logIn), \(Self.logIn)]}
            """
        let (site, report) = try store.write { context in
            let site: Site = try context.import(from: JSONDocument(text).root)
            return (site, context.report)
        }
        #expect(try site.page.heroes.fetch().map(\.name) == ["A"])
        #expect(site.logIns.values.map(\.token) == ["t"])
        #expect(site.others.count == 2)
        #expect(report["Hero"] == .init(1))
    }

    @Test func `parts complete each other, whichever comes first`() throws {
        let user = #"{"login": "ann", "age": 5}"#
        let whole = #"[{"login": "ann", "name": "Ann"}]"#
        func data(_ user: String) -> String {
            #"[{"id": 1, "name": "a", "head": \#(user), "nurses": [\#(user)]}]"#
        }
        for text in [
            #"{"data": \#(data(user)), "included": \#(whole)}"#,
            #"{"data": \#(data(#"{"login": "ann"}"#)), "included": \#(whole)}"#,
        ] {
            let store = try Hospital.store()
            let page = try store.import(Included.self, from: Self.json(text))
            #expect(try page.data.fetch().first?.head.fetch().name == "Ann")
            #expect(try page.included.fetch().map(\.name) == ["Ann"])
            let turned = try Hospital.store()
            try turned.import(IncludedFirst.self, from: Self.json(text))
            #expect(try turned.count(Nurse.all) == 1)
            // Nor does it matter how the wrapper is inserted.
            let pages = try Hospital.store()
            try pages.write {
                try $0.import(Many<Included>.self, from: JSONDocument("[\(text)]").root)
            }
            #expect(try pages.count(Nurse.all) == 1)
        }
    }

    @Test func `what no part brings is an error where it stands`() throws {
        let store = try Hospital.store()
        let text = #"""
            {"data": [{"id": 1, "name": "a", "head": {"login": "ann", "age": 5}}],
             "included": [{"login": "bob", "name": "Bob"}]}
            """#
        let error = #expect(throws: MappingError.self) {
            try store.import(Included.self, from: Self.json(text))
        }
        #expect(error?.path == "$.data[0].head" && error?.attribute == "name")
        #expect(try store.count(Nurse.all) == 0)
        // In a transaction that goes on nothing is left of it, nor expected any more.
        try store.write { context in
            let root = try JSONDocument(text).root
            #expect(throws: MappingError.self) { try context.import(Included.self, from: root) }
            try context.save(Nurse(login: "cleo", name: "Cleo", age: nil, wards: .unchanged))
        }
        #expect(try store.select(Nurse.all) { $0.login } == ["cleo"])
    }

    @Test func `a part that is read at once must be whole by then`() throws {
        let store = try Hospital.store()
        let text = #"""
            {"first": {"login": "ann", "age": 5}, "all": [{"login": "ann", "name": "Ann"}]}
            """#
        let error = #expect(throws: MappingError.self) {
            try store.import(First.self, from: Self.json(text))
        }
        #expect(error?.path == "$.first" && error?.attribute == "name")
        // It is nothing to it what others lack.
        let others = #"""
            {"many": [{"login": "bob", "age": 5}], "first": {"login": "ann", "name": "Ann"},
             "all": [{"login": "bob", "name": "Bob"}]}
            """#
        #expect(try store.import(First.self, from: Self.json(others)).all.map(\.name) == ["Bob"])
    }

    @Test func `an optional wrapper may be null`() throws {
        let store = try Comics.store()
        let none: LogIn? = try store.import(from: Self.json("null"))
        #expect(none == nil)
    }

    @Test func `a stored part can't be read without a store`() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(LogIn.self, from: Self.json(Self.logIn))
        }
        #expect(throws: DecodingError.self) {
            try JSONDocument(Self.logIn).root.decode(LogIn.self)
        }
    }
}

/// A page with what its objects lead to.
private struct Included: Wrapper {
    @Stored var data: Many<Ward>
    @Stored var included: Many<Nurse>
}

private struct IncludedFirst: Wrapper {
    @Stored var included: Many<Nurse>
    @Stored var data: Many<Ward>
}

private struct First: Wrapper {
    @Stored var many: Many<Nurse>?
    @Stored var first: Nurse?
    @Stored var all: [Nurse]
}
