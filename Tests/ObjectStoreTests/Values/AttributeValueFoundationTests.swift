import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

/// Text, dates and Foundation's types in a column.
@Suite struct AttributeValueFoundationTests {
    /// Puts a value into a column of its type in a table as stores have it, and reads it back
    /// both ways.
    private func stored<Value: AttributeValue>(_ value: Value) throws -> (Value?, Value?) {
        let connection = try Connection.inMemory()
        try connection.execute(
            "CREATE TABLE t (c \(Value.attributeType.columnType)) STRICT")
        let insert = try connection.prepare("INSERT INTO t VALUES (?)")
        try insert.bind(value.sqlValue, at: 1)
        try insert.run()
        let select = try connection.prepare("SELECT c FROM t")
        #expect(try select.step())
        defer { select.reset() }
        return (
            Value.read(RowColumn(statement: select.pointer, index: 0)),
            Value(sqlValue: select.value(at: 0))
        )
    }

    private func expectKept<Value: AttributeValue & Equatable>(_ values: [Value]) throws {
        for value in values {
            let (read, taken) = try stored(value)
            #expect(read == value)
            #expect(taken == value)
        }
    }

    /// What a type makes of a column that holds something.
    private func read<Value: AttributeValue>(_ type: Value.Type, _ value: SQLValue) throws -> Value?
    {
        let connection = try Connection.inMemory()
        let select = try connection.prepare("SELECT ?")
        try select.bind(value, at: 1)
        #expect(try select.step())
        defer { select.reset() }
        let read = Value.read(RowColumn(statement: select.pointer, index: 0))
        #expect((Value(sqlValue: value) == nil) == (read == nil))
        return read
    }

    @Test func `text comes back byte by byte`() throws {
        let texts = ["", "a", "a\0b", "\0", "é", "e\u{301}", "😀", "it's \"quoted\"", "\u{FEFF}x"]
        try expectKept(texts)
        for text in texts { #expect(try stored(text).0.map { Array($0.utf8) } == Array(text.utf8)) }
    }

    @Test func `dates come back exactly`() throws {
        var random = SplitMix64(seed: 2001)
        try expectKept([
            Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0), Date(),
        ])
        for _ in 0..<200 {
            let seconds = Double.random(in: -1e9...1e9, using: &random)
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(try stored(date).0 == date)
        }
    }

    @Test func `URLs, UUIDs and bytes come back`() throws {
        try expectKept([
            try #require(URL(string: "https://example.com/a%20b?c=d&e#f")),
            try #require(URL(string: "relative/path")), try #require(URL(string: "mailto:a@b.c")),
        ])
        try expectKept([
            UUID(), try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000000")),
        ])
        try expectKept([Data(), Data([0]), Data(0...255), Data("xxab".utf8)[2...]])
    }

    @Test func `decimal numbers come back exactly`() throws {
        let spellings = [
            "0", "-1", "0.1", "12345678901234567890.123456789012345678", "1e-28", "-1e100",
            "99999999999999999999999999999999999999",
        ]
        try expectKept(spellings.compactMap { Decimal(spelling: $0) })
        try expectKept([Decimal.greatestFiniteMagnitude, -.greatestFiniteMagnitude])
        #expect(Decimal(spelling: "0.10")?.sqlValue == .text("0.1"))
    }

    @Test func `text that does not spell a value is none`() throws {
        #expect(try read(UUID.self, .text("x")) == nil)
        #expect(try read(UUID.self, .integer(1)) == nil)
        #expect(try read(URL.self, .text("")) == nil)
        #expect(try read(Decimal.self, .text("")) == nil)
        #expect(try read(Decimal.self, .integer(1)) == nil)
    }

    @Test(arguments: [
        "", "-", "+1", ".5", "5.", "1e", "1e+", "12abc", "1.5.5", " 1", "1 ", "1,5", "0x10", "NaN",
        "1e200", "٣",
    ])
    func `a decimal number is spelled as JSON has it`(text: String) {
        #expect(Decimal(spelling: text) == nil)
    }
}
