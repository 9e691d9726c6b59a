import Foundation
import Testing

@testable import LarderObjectStore

/// What happens inside one transaction.
struct ContextTests {
    private let comics: StoreFixture

    init() throws { comics = try Comics.fixture() }

    private func root(_ json: String) throws -> JSONValue { try JSONDocument(json).root }

    @Test func `documents of one transaction build on each other`() throws {
        let report = try comics.store.write { context in
            try context.import(Hero.self, from: root(#"{"id": 1, "name": "A"}"#))
            try context.import(Hero.self, from: root(#"{"id": 1, "strength": 2}"#))
            let many: Many<Hero> = try context.import(from: root("[1]"))
            #expect(try many.fetch().map(\.strength) == [2])
            return context.report
        }
        #expect(report["Hero"] == .init(1, 1))
        #expect(try comics.rows("SELECT id, name, strength FROM Hero") == ["1|A|2.0"])
    }

    @Test func `a transaction that SQLite has rolled back takes nothing more`() throws {
        let failed = Result {
            try comics.store.write { context in
                try context.import(Hero.self, from: root(#"{"id": 1, "name": "A"}"#))
                // As SQLite does by itself when a disk is full.
                try context.connection.execute("ROLLBACK")
                #expect(throws: StoreError.self) {
                    try context.import(Hero.self, from: root(#"{"id": 2, "name": "B"}"#))
                }
                #expect(throws: StoreError.self) { try context.delete(Hero.all) }
                #expect(throws: StoreError.self) { try context.count(Hero.all) }
            }
        }
        let error = #expect(throws: StoreError.self) { try failed.get() }
        #expect(error?.reason == .closed)
        #expect(try comics.rows("SELECT id FROM Hero") == [])
        try comics.insert("Hero", #"{"id": 3, "name": "C"}"#)
        #expect(try comics.rows("SELECT id FROM Hero") == ["3"])
    }

    /// SQLite asks whether to go on every so many of its steps, and so at times when a savepoint has just
    /// been released.
    @Test func `a cancellation is one, at whichever savepoint it comes`() throws {
        for last in 2_490..<2_510 {
            let interruption = Interruption()
            #expect(throws: CancellationError.self, "at savepoint \(last)") {
                try comics.store.write { context in
                    try interruption.run(on: context.connection) {
                        for number in 0...last {
                            try context.savepoint { if number == last { interruption.cancel() } }
                        }
                        try context.savepoint {}
                    }
                }
            }
        }
        try comics.insert("Hero", #"{"id": 1, "name": "A"}"#)
        #expect(try comics.rows("SELECT id FROM Hero") == ["1"])
    }

    @Test func `parts of one document may be inserted one by one`() throws {
        let document = try root(
            #"{"page": 3, "items": [{"id": 1, "name": "A"}, {"id": 2}, {"id": 2, "name": "B"}]}"#)
        let items = try #require(document["items"])
        try comics.store.write { context in
            let heroes: Many<Hero> = try context.import(from: items)
            #expect(try heroes.fetch().map(\.name) == ["A", "B"])
        }
        let elements = try #require(items.elements)
        let error = #expect(throws: MappingError.self) {
            try Comics.store().write { try $0.import(Hero.self, from: elements[1]) }
        }
        #expect(error?.path == "$.items[1]")
    }

    @Test func `an error that is caught takes back its value and nothing else`() throws {
        let report = try comics.store.write { context in
            try context.import(Hero.self, from: root(#"{"id": 1, "name": "A"}"#))
            for json in [
                #"{"id": 2, "name": "B", "powers": [{"id": "x", "name": "X"}, {"id": "y"}]}"#,
                #"{"id": 1, "name": "C", "publisher": {"id": 9}}"#, "7", "[]",
            ] {
                #expect(throws: (any Error).self) {
                    try context.import(Hero.self, from: root(json))
                }
                #expect(context.report["Hero"] == .init(1))
                #expect(context.report["Power"] == .init())
            }
            try context.import(
                Hero.self, from: root(#"{"id": 3, "name": "D", "powers": ["x"]}"#))
            return context.report
        }
        #expect(report["Hero"] == .init(2, linked: 1))
        #expect(try comics.rows("SELECT id, name FROM Hero ORDER BY id") == ["1|A", "3|D"])
        #expect(try comics.rows("SELECT id, name FROM Power") == ["x|NULL"])
        #expect(try comics.rows("SELECT count(*) FROM Publisher") == ["0"])
    }

    @Test func `an insertable of one's own is stored whole or not at all`() throws {
        struct Pair: Importable {
            let one: Hero
            let other: Hero

            static func `import`(from value: JSONValue, in context: Context) throws -> Pair {
                guard let elements = value.elements, elements.count == 2 else {
                    throw StoreError(.sqlite, "two are needed")
                }
                return Pair(
                    one: try context.import(from: elements[0]),
                    other: try context.import(from: elements[1]))
            }
        }
        try comics.store.write { context in
            #expect(throws: MappingError.self) {
                try context.import(Pair.self, from: root(#"[{"id": 1, "name": "A"}, {"id": 2}]"#))
            }
            #expect(try context.count(Hero.all) == 0)
            let pair: Pair = try context.import(
                from: root(#"[{"id": 3, "name": "C"}, {"id": 4, "name": "D"}]"#))
            #expect(pair.one.name + pair.other.name == "CD")
            let pairs: [Pair] = try context.import(
                from: root(#"[[3, 4], null, [{"id": 5, "name": "E"}, 3]]"#))
            #expect(pairs.map(\.one.id) == [3, 5])
        }
        #expect(try comics.store.count(Hero.all) == 3)
    }

    @Test func `counts and fetches what a query finds`() throws {
        try comics.store.write { context in
            try context.import(
                Many<Hero>.self, from: root(#"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}, 3]"#)
            )
            #expect(try context.count(Hero.all) == 2)
            #expect(try context.count(Hero.where { $0.name == "B" }) == 1)
            #expect(try context.fetch(Hero.all.sorted { $0.id.descending }).map(\.id) == [2, 1])
        }
    }
}
