import Foundation
import Testing

@testable import LarderObjectStore

struct SQLQueryTests {
    private let fixture: StoreFixture
    private var store: Store { fixture.store }

    init() throws { fixture = try Comics.pair() }

    @Test func `values are bound, tables and names quoted`() throws {
        let name = "A'B"
        let rows = try store.rows(
            "SELECT id, \(name: "name") AS n FROM \(Hero.self) WHERE name = \(name) AND id < \(5)")
        #expect(rows == [SQLRow(columns: ["id", "n"], values: [.integer(1), .text("A'B")])])
        let hostile = "x' OR 1=1; DROP TABLE Hero;--"
        #expect(try store.rows("SELECT 1 FROM Hero WHERE name = \(hostile)").isEmpty)
        let none: Int? = nil
        #expect(try store.rows("SELECT \(none) IS NULL AS x")[0]["x"] == .integer(1))
    }

    @Test func `rows are read by name and by place, typed`() throws {
        let row = try store.rows("SELECT id, name, strength, realName FROM Hero ORDER BY id")[0]
        #expect(try row.value("id", as: Int.self) == 1)
        #expect(try row.value(2, as: Double?.self) == 1.5)
        #expect(try row.value("realName", as: String?.self) == nil)
        let name: String = try row.value("name")
        #expect(name == "A'B")
        #expect(row["strength"] == .real(1.5))
        #expect(row["nothing"] == nil)
        #expect(throws: StoreError.self) { try row.value("nothing", as: Int.self) }
        #expect(throws: StoreError.self) { try row.value(4, as: Int.self) }
        #expect(throws: StoreError.self) { try row.value(-1, as: Int.self) }
        #expect(throws: StoreError.self) { try row.value("name", as: Int.self) }
        #expect(throws: StoreError.self) { try row.value("realName", as: String.self) }
    }
}
