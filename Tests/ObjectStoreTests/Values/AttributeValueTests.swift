import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct AttributeValueTests {
    enum Level: Int, AttributeValue { case low = -1, high = 7 }

    enum State: String, AttributeValue { case open, closed = "shut" }

    struct Code: RawRepresentable, AttributeValue, Equatable { var rawValue: UInt16 }

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

    // MARK: Round trips

    @Test func `import and code keep the same JSON`() throws {
        let fixture = try StoreFixture(entities: Marked.self)
        let json = #"{"id": 1, "marks": [ "a" , "b" ], "notes": {"y": 1.0, "x": 2}}"#
        try fixture.insert("Marked", json)
        let store = fixture.store
        #expect(try store.count(Marked.where { $0.marks == ["a", "b"] }) == 1)
        let marked = try #require(try store.first(Marked.all))
        let saved = try store.write { context in
            try context.save(marked)
            return context.report
        }
        #expect(saved["Marked"] == .init(0, 0, 1))
        #expect(try fixture.insert("Marked", json)["Marked"] == .init(0, 0, 1))
    }

    @Test func `raw values stand for what has them`() throws {
        try expectKept([Level.low, .high])
        try expectKept([State.open, .closed])
        try expectKept([Code(rawValue: 65535)])
        #expect(State.closed.sqlValue == .text("shut"))
        #expect(Level.attributeType == .integer && State.attributeType == .string)
        #expect(try read(Level.self, .integer(0)) == nil)
        #expect(try read(State.self, .text("closed")) == nil)
        #expect(try read(State.self, .integer(1)) == nil)
        #expect(try read(Code.self, .integer(65536)) == nil)
    }

    @Test func `an optional is NULL where it is empty`() throws {
        try expectKept([Int?.none, 0, 7])
        try expectKept([String?.none, "", "x"])
        try expectKept([Date?.none, Date(timeIntervalSinceReferenceDate: 0.1)])
        try expectKept([State?.none, .open])
        try expectKept([Data?.none, Data()])
        #expect(Int?.none.sqlValue == .null)
        #expect(Int?.isOptional && !Int.isOptional)
        #expect(String?.attributeType == .string)
    }

    // MARK: Columns that hold something else

    @Test func `an empty column is no value but of an optional`() throws {
        #expect(try read(Int.self, .null) == nil)
        #expect(try read(Double.self, .null) == nil)
        #expect(try read(Bool.self, .null) == nil)
        #expect(try read(String.self, .null) == nil)
        #expect(try read(Date.self, .null) == nil)
        #expect(try read(Data.self, .null) == nil)
        #expect(try read(Int?.self, .null) == Int??.some(nil))
    }

    @Test func `a column of another type is no value, not even of an optional`() throws {
        #expect(try read(Int.self, .text("1")) == nil)
        #expect(try read(Int?.self, .text("1")) == nil)
        #expect(try read(String.self, .integer(1)) == nil)
        #expect(try read(String.self, .blob([0x61])) == nil)
        #expect(try read(Data.self, .text("a")) == nil)
        #expect(try read(Double.self, .text("1.5")) == nil)
        #expect(try read(Double.self, .integer(3)) == 3)
        #expect(try read(Date.self, .text("2001-01-01")) == nil)
        #expect(try read(Bool.self, .text("true")) == nil)
    }
}

@Entity struct Marked {
    @Identity var id: Int
    var marks: [String]
    var notes: [String: Double]
}
