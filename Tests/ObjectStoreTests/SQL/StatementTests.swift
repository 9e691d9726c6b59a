import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct StatementTests {
    /// What becomes of a value on its way through a parameter and a column.
    private func echoed(_ value: SQLValue) throws -> SQLValue {
        let connection = try Connection.inMemory()
        let statement = try connection.prepare("SELECT ?")
        try statement.bind(value, at: 1)
        #expect(try statement.step())
        defer { statement.reset() }
        return statement.value(at: 0)
    }

    static let values: [SQLValue] = [
        .null, .integer(0), .integer(.min), .integer(.max), .real(0), .real(0.1), .real(.infinity),
        .real(-.infinity), .real(.leastNonzeroMagnitude), .text(""), .text("a"), .text("a\0b"),
        .text("\0"),
        .text("é😀\u{FEFF}"), .text("'\"`;--"), .text(String(repeating: "x", count: 100_000)),
        .blob([]), .blob([0]), .blob([1, 2, 255]), .blob(Array(repeating: 7, count: 100_000)),
    ]

    @Test(arguments: values.indices)
    func `a value comes back as it was bound`(index: Int) throws {
        let value = Self.values[index]
        #expect(try echoed(value) == value)
    }

    @Test func `what is not a number is refused instead of becoming NULL`() throws {
        let error = #expect(throws: StoreError.self) { try echoed(.real(.nan)) }
        #expect(error?.reason == .unexpectedValue)
    }

    @Test func `empty text and an empty blob are not NULL`() throws {
        let connection = try Connection.inMemory()
        for (value, type) in [(SQLValue.text(""), "text"), (.blob([]), "blob"), (.null, "null")] {
            let statement = try connection.prepare("SELECT typeof(?1), length(?1)")
            try statement.bind(value, at: 1)
            #expect(try statement.step())
            #expect(statement.text(at: 0) == type)
            #expect(statement.isNull(at: 1) == (value == .null))
            statement.reset()
        }
    }

    @Test func `text is bound and measured with its NULs`() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a TEXT) STRICT")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        try insert.bind(.text("a\0b"), at: 1)
        try insert.run()
        #expect(try connection.value("SELECT hex(a) FROM t") == .text("610062"))
        #expect(try connection.value("SELECT a FROM t") == .text("a\0b"))
    }

    @Test func `values are bound in order`() throws {
        let connection = try Connection.inMemory()
        let statement = try connection.prepare("SELECT ?, ?, ?")
        try statement.bind([.integer(1), .null, .text("c")])
        #expect(try statement.step())
        #expect((0..<3).map { statement.value(at: $0) } == [.integer(1), .null, .text("c")])
        #expect(try !statement.step())
        statement.reset()
    }

    @Test func `a parameter that is not there is refused`() throws {
        let connection = try Connection.inMemory()
        let statement = try connection.prepare("SELECT ?")
        for index in [0, 2, -1] as [Int32] {
            #expect(throws: StoreError.self) { try statement.bind(.integer(1), at: index) }
            #expect(throws: StoreError.self) { try statement.bind(.text("x"), at: index) }
            #expect(throws: StoreError.self) { try statement.bind(.blob([1]), at: index) }
        }
        #expect(throws: StoreError.self) { try statement.bind([.integer(1), .integer(2)]) }
    }

    @Test func `borrowed text is read where it stands`() throws {
        let connection = try Connection.inMemory()
        let statement = try connection.prepare("SELECT ?")
        for text in ["", "plain", "é\0😀"] {
            var text = text
            try text.withUTF8 { bytes in
                try statement.bind(borrowed: bytes, at: 1)
                #expect(try statement.step())
                #expect(statement.value(at: 0) == .text(String(decoding: bytes, as: UTF8.self)))
                statement.reset()
            }
        }
    }

    @Test func `bindings stay when a statement is reset and go when it is cleared`() throws {
        let connection = try Connection.inMemory()
        let statement = try connection.prepare("SELECT ?")
        statement.bind(7 as Int64, at: 1)
        for _ in 0..<2 {
            #expect(try statement.step())
            #expect(statement.integer(at: 0) == 7)
            statement.reset()
        }
        statement.clear()
        #expect(try statement.step())
        #expect(statement.isNull(at: 0))
        #expect(statement.text(at: 0) == "" && statement.bytes(at: 0) == [])
        statement.reset()
    }

    @Test func `a statement that failed can be run again`() throws {
        let connection = try Connection.inMemory()
        try connection.execute("CREATE TABLE t (a INTEGER PRIMARY KEY)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        for (value, fails) in [(1, false), (1, true), (2, false)] as [(Int64, Bool)] {
            insert.bind(value, at: 1)
            if fails {
                let error = #expect(throws: StoreError.self) { try insert.run() }
                #expect(error?.reason == .constraint)
            } else {
                try insert.run()
            }
            #expect(!insert.isBusy)
        }
        #expect(try connection.value("SELECT count(*) FROM t") == .integer(2))
    }

    @Test func `running a statement that returns rows passes them over`() throws {
        let connection = try Connection.inMemory()
        let statement = try connection.prepare("SELECT 1 UNION SELECT 2")
        try statement.run()
        #expect(!statement.isBusy)
    }

    @Test(arguments: ["", " ", "-- nothing", ";"])
    func `an empty statement is refused`(sql: String) throws {
        let connection = try Connection.inMemory()
        let error = #expect(throws: StoreError.self) { try connection.prepare(sql) }
        #expect(error?.reason == .sqlite)
        #expect(error?.message == "the statement is empty")
    }

    @Test func `columns of each type are read as they are`() throws {
        let connection = try Connection.inMemory()
        let statement = try connection.prepare("SELECT 7, 1.5, 'x', x'00ff', NULL, '', x''")
        #expect(try statement.step())
        #expect(
            (0..<7).map { statement.value(at: $0) } == [
                .integer(7), .real(1.5), .text("x"), .blob([0, 255]), .null, .text(""), .blob([]),
            ])
        statement.reset()
    }
}
