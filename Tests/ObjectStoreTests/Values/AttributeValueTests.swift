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

    @Test func `whole numbers of every width come back`() throws {
        try expectKept([Int.min, -1, 0, 1, Int.max])
        try expectKept([Int8.min, 0, Int8.max])
        try expectKept([Int16.min, 0, Int16.max])
        try expectKept([Int32.min, 0, Int32.max])
        try expectKept([Int64.min, 0, Int64.max])
        try expectKept([UInt8.min, UInt8.max])
        try expectKept([UInt16.min, UInt16.max])
        try expectKept([UInt32.min, UInt32.max])
    }

    @Test func `floating-point numbers come back to the last bit`() throws {
        let doubles: [Double] = [
            0, 1, -1, 0.1, 1e22, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity,
            -.infinity, 9_007_199_254_740_991,
        ]
        try expectKept(doubles)
        for value in doubles { #expect(try stored(value).0?.bitPattern == value.bitPattern) }
        try expectKept([Float.pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 16_777_216])
    }

    @Test func `import and code keep the same number of single precision`() throws {
        let fixture = try StoreFixture(entities: Weight.self)
        try fixture.insert("Weight", #"{"id": 1, "weight": 0.1}"#)
        let store = fixture.store
        #expect(try store.count(Weight.where { $0.weight == 0.1 }) == 1)
        let weight = try #require(try store.first(Weight.all))
        let saved = try store.write { context in
            try context.save(weight)
            return context.report
        }
        #expect(saved["Weight"] == .init(0, 0, 1))
        let again = try fixture.insert("Weight", #"{"id": 1, "weight": 0.1}"#)
        #expect(again["Weight"] == .init(0, 0, 1))
        #expect(
            fixture.mappingError("Weight", #"{"id": 1, "weight": 1e39}"#)?.attribute == "weight")
    }

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

    @Test func `what is not a number has no place in a column`() throws {
        for value in [Double?.some(.nan), .some(.signalingNaN)] {
            let error = #expect(throws: StoreError.self) { try stored(value) }
            #expect(error?.reason == .unexpectedValue)
        }
    }

    @Test func `truth values are 1 and 0`() throws {
        try expectKept([true, false])
        #expect(true.sqlValue == .integer(1))
        #expect(try read(Bool.self, .integer(2)) == true)
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

    @Test func `a number that does not fit is no value`() throws {
        #expect(try read(UInt8.self, .integer(255)) == 255)
        for value in [256, -1, .max] as [Int64] {
            #expect(try read(UInt8.self, .integer(value)) == nil)
        }
        for value in [128, -129] as [Int64] { #expect(try read(Int8.self, .integer(value)) == nil) }
        #expect(try read(UInt32.self, .integer(4_294_967_296)) == nil)
        #expect(try read(Int.self, .real(1)) == nil)
    }

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

@Entity struct Weight {
    @Identity var id: Int
    var weight: Float
}

@Entity struct Marked {
    @Identity var id: Int
    var marks: [String]
    var notes: [String: Double]
}
