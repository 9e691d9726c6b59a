import Foundation
import Testing

@testable import LarderObjectStore

/// Numbers and truth values in a column.
@Suite struct AttributeValueNumbersTests {
    @Test func `whole numbers of every width come back`() throws {
        try ValueColumn.expectKept([Int.min, -1, 0, 1, Int.max])
        try ValueColumn.expectKept([Int8.min, 0, Int8.max])
        try ValueColumn.expectKept([Int16.min, 0, Int16.max])
        try ValueColumn.expectKept([Int32.min, 0, Int32.max])
        try ValueColumn.expectKept([Int64.min, 0, Int64.max])
        try ValueColumn.expectKept([UInt8.min, UInt8.max])
        try ValueColumn.expectKept([UInt16.min, UInt16.max])
        try ValueColumn.expectKept([UInt32.min, UInt32.max])
    }

    @Test func `floating-point numbers come back to the last bit`() throws {
        let doubles: [Double] = [
            0, 1, -1, 0.1, 1e22, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity,
            -.infinity, 9_007_199_254_740_991,
        ]
        try ValueColumn.expectKept(doubles)
        for value in doubles {
            #expect(try ValueColumn.stored(value).0?.bitPattern == value.bitPattern)
        }
        try ValueColumn.expectKept([
            Float.pi, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 16_777_216,
        ])
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

    @Test func `what is not a number has no place in a column`() throws {
        for value in [Double?.some(.nan), .some(.signalingNaN)] {
            let error = #expect(throws: StoreError.self) { try ValueColumn.stored(value) }
            #expect(error?.reason == .unexpectedValue)
        }
    }

    @Test func `truth values are 1 and 0`() throws {
        try ValueColumn.expectKept([true, false])
        #expect(true.sqlValue == .integer(1))
        #expect(try ValueColumn.read(Bool.self, .integer(2)) == true)
    }

    @Test func `a number that does not fit is no value`() throws {
        #expect(try ValueColumn.read(UInt8.self, .integer(255)) == 255)
        for value in [256, -1, .max] as [Int64] {
            #expect(try ValueColumn.read(UInt8.self, .integer(value)) == nil)
        }
        for value in [128, -129] as [Int64] {
            #expect(try ValueColumn.read(Int8.self, .integer(value)) == nil)
        }
        #expect(try ValueColumn.read(UInt32.self, .integer(4_294_967_296)) == nil)
        #expect(try ValueColumn.read(Int.self, .real(1)) == nil)
    }
}

@Entity struct Weight {
    @Identity var id: Int
    var weight: Float
}
