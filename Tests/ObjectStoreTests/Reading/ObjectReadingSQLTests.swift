import Foundation
import Testing

@testable import LarderObjectStore

/// Questions in SQL written by hand.
struct ObjectReadingSQLTests {
    private let fixture: StoreFixture
    private var store: Store { fixture.store }

    init() throws { fixture = try Comics.pair() }

    @Test(
        arguments: [
            "SELECT count(*) FROM Hero;", "  -- a comment\n SELECT 1", "/* one */ VALUES (1)",
            "WITH x AS (SELECT 1) SELECT * FROM x; -- done", "EXPLAIN QUERY PLAN SELECT 1",
        ] as [SQLQuery])
    func `one statement that reads is run`(_ query: SQLQuery) throws {
        #expect(try !store.rows(query).isEmpty)
        try store.write { context in
            let rows = try context.rows(query)
            #expect(!rows.isEmpty)
        }
    }

    private static let refused: [SQLQuery] = [
        "DELETE FROM Hero", "INSERT INTO Hero (id) VALUES (3)", "UPDATE Hero SET name = 'x'",
        "DELETE FROM Hero RETURNING id", "WITH x AS (SELECT 1) DELETE FROM Hero", "DROP TABLE Hero",
        "SELECT 1; SELECT 2", "SELECT 1; DELETE FROM Hero", "BEGIN", "COMMIT", "ROLLBACK",
        "SAVEPOINT a", "RELEASE insert", "PRAGMA foreign_keys = OFF", "PRAGMA user_version = 9",
        "ATTACH ':memory:' AS other", "VACUUM", "", "  -- nothing", ";", "SELECT ?1",
        "SELECT :name",
        "SELECT 1; nonsense", "nonsense", "SELECT 'a\u{0}b'",
        "/* SELECT */ DELETE FROM Hero", "REPLACE INTO Hero (id) VALUES (1)",
    ]

    @Test(arguments: refused)
    func `anything else is refused, also inside a transaction`(_ query: SQLQuery) throws {
        #expect(throws: StoreError.self) { try store.rows(query) }
        try store.write { context in
            _ = try context.import(
                Hero.self, from: JSONDocument(#"{"id": 7, "name": "new"}"#).root)
            let error = #expect(throws: StoreError.self) { try context.rows(query) }
            #expect(error?.reason == .sqlite)
        }
        #expect(try fixture.rows("SELECT id FROM Hero ORDER BY id") == ["1", "2", "7"])
        #expect(try fixture.rows("PRAGMA user_version") == ["\(Schema.version)"])
    }

    @Test func `refusals say why`() throws {
        func message(_ query: SQLQuery) -> String? {
            #expect(throws: StoreError.self) { try store.rows(query) }?.message
        }
        #expect(message("DELETE FROM Hero") == "the statement does more than read")
        #expect(message("SELECT 1; SELECT 2") == "the SQL is more than one statement")
        #expect(message("") == "the SQL is empty")
        #expect(message("SELECT ?1") == "the statement has parameters for 1 values, not 0")
    }

    @Test(
        arguments: [
            ("SELECT id FROM Hero WHERE name LIKE '%\("a")%' AND id < \(9)", 1),
            ("SELECT id FROM Hero WHERE id < \(9) AND name LIKE '%\("a")%' AND id > \(0)", 2),
            ("SELECT id FROM Hero WHERE id < \(9) AND name LIKE '%\("a")%'", 2),
            ("SELECT id FROM Hero WHERE name = '\("a")'", 1),
            ("SELECT \(1) AS \"\(2)\", \(3)", 2), ("SELECT \(1) /* \(2) */ + \(3)", 2),
        ] as [(SQLQuery, Int)])
    func `a value within quotes is no parameter`(_ query: SQLQuery, _ number: Int) throws {
        let error = #expect(throws: StoreError.self) { try store.rows(query) }
        #expect(error?.reason == .sqlite)
        #expect(
            error?.message.hasPrefix("value \(number) stands within quotes or a comment") == true)
    }

    @Test(
        arguments: [
            "SELECT id FROM Hero WHERE id IN (\([1, 2]))",
            "SELECT id FROM Hero WHERE id NOT in( \([Int]()) )",
            "SELECT id FROM Hero WHERE id IN \([1, 2])",
            "SELECT id FROM Hero WHERE name IN (\(["a"] as [String]?))",
        ] as [SQLQuery])
    func `an array is one value, which IN finds nothing by`(_ query: SQLQuery) throws {
        let error = #expect(throws: StoreError.self) { try store.rows(query) }
        #expect(error?.reason == .sqlite)
        #expect(error?.message.contains("json_each") == true)
    }

    @Test func `an array is a list where it is taken apart, and a value among others`() throws {
        let ids = [1, 2, 3]
        #expect(
            try store.rows(
                "SELECT id FROM Hero WHERE id IN (SELECT value FROM json_each(\(ids)))"
            ).count == 2)
        #expect(
            try store.rows("SELECT \([2]) IN (\([1]), \([2])), \("[1]") IN (\("[1]"))")
                .map(\.values) == [[.integer(1), .integer(1)]])
    }

    @Test func `a transaction sees what it has written`() throws {
        try store.write { context in
            _ = try context.import(Hero.self, from: JSONDocument(#"{"id": 9, "name": "I"}"#).root)
            let rows = try context.rows("SELECT name FROM Hero WHERE id = \(9)")
            #expect(rows.map(\.values) == [[.text("I")]])
        }
    }
}
