import Testing

@testable import LarderObjectStore

struct ColumnSetTests {
    private static func set(_ columns: Int...) -> ColumnSet {
        columns.reduce(into: ColumnSet()) { $0.insert($1) }
    }

    @Test func `holds each column up to its size`() {
        for column in 0..<ColumnSet.maximumCount {
            let set = Self.set(column)
            #expect(set.columns == [column])
            #expect(set.first == column)
            #expect((0..<ColumnSet.maximumCount).filter(set.contains) == [column])
            #expect(!set.isEmpty)
        }
        #expect(ColumnSet().isEmpty)
        #expect(ColumnSet().first == nil)
    }

    @Test func `is compared with others`() {
        let set = Self.set(0, 63, 64, 127)
        #expect(set.columns == [0, 63, 64, 127])
        #expect(set.isSuperset(of: Self.set(63, 127)))
        #expect(set.isSuperset(of: ColumnSet()))
        #expect(!set.isSuperset(of: Self.set(63, 65)))
        #expect(set.subtracting(Self.set(0, 1, 64)) == Self.set(63, 127))
        #expect(set.intersection(Self.set(0, 1, 64)) == Self.set(0, 64))
        #expect(Self.set(3, 3) == Self.set(3))
    }
}
