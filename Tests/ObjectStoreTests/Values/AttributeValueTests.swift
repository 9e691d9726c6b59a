import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct AttributeValueTests {
    enum Level: Int, AttributeValue { case low = -1, high = 7 }

    enum State: String, AttributeValue { case open, closed = "shut" }

    struct Code: RawRepresentable, AttributeValue, Equatable { var rawValue: UInt16 }

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
        try ValueColumn.expectKept([Level.low, .high])
        try ValueColumn.expectKept([State.open, .closed])
        try ValueColumn.expectKept([Code(rawValue: 65535)])
        #expect(State.closed.sqlValue == .text("shut"))
        #expect(Level.attributeType == .integer && State.attributeType == .string)
        #expect(try ValueColumn.read(Level.self, .integer(0)) == nil)
        #expect(try ValueColumn.read(State.self, .text("closed")) == nil)
        #expect(try ValueColumn.read(State.self, .integer(1)) == nil)
        #expect(try ValueColumn.read(Code.self, .integer(65536)) == nil)
    }

    @Test func `an optional is NULL where it is empty`() throws {
        try ValueColumn.expectKept([Int?.none, 0, 7])
        try ValueColumn.expectKept([String?.none, "", "x"])
        try ValueColumn.expectKept([Date?.none, Date(timeIntervalSinceReferenceDate: 0.1)])
        try ValueColumn.expectKept([State?.none, .open])
        try ValueColumn.expectKept([Data?.none, Data()])
        #expect(Int?.none.sqlValue == .null)
        #expect(Int?.isOptional && !Int.isOptional)
        #expect(String?.attributeType == .string)
    }

    // MARK: Columns that hold something else

    @Test func `an empty column is no value but of an optional`() throws {
        #expect(try ValueColumn.read(Int.self, .null) == nil)
        #expect(try ValueColumn.read(Double.self, .null) == nil)
        #expect(try ValueColumn.read(Bool.self, .null) == nil)
        #expect(try ValueColumn.read(String.self, .null) == nil)
        #expect(try ValueColumn.read(Date.self, .null) == nil)
        #expect(try ValueColumn.read(Data.self, .null) == nil)
        #expect(try ValueColumn.read(Int?.self, .null) == Int??.some(nil))
    }

    @Test func `a column of another type is no value, not even of an optional`() throws {
        #expect(try ValueColumn.read(Int.self, .text("1")) == nil)
        #expect(try ValueColumn.read(Int?.self, .text("1")) == nil)
        #expect(try ValueColumn.read(String.self, .integer(1)) == nil)
        #expect(try ValueColumn.read(String.self, .blob([0x61])) == nil)
        #expect(try ValueColumn.read(Data.self, .text("a")) == nil)
        #expect(try ValueColumn.read(Double.self, .text("1.5")) == nil)
        #expect(try ValueColumn.read(Double.self, .integer(3)) == 3)
        #expect(try ValueColumn.read(Date.self, .text("2001-01-01")) == nil)
        #expect(try ValueColumn.read(Bool.self, .text("true")) == nil)
    }
}

@Entity struct Marked {
    @Identity var id: Int
    var marks: [String]
    var notes: [String: Double]
}
