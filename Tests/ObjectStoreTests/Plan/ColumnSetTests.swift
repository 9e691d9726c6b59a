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

struct ColumnSetCacheTests {
    /// A set that no other number makes.
    private func set(_ number: Int) -> ColumnSet {
        var set = ColumnSet()
        for bit in 0..<20 where number & (1 << bit) != 0 { set.insert(bit) }
        return set
    }

    private let limit = ColumnSetCache<Int>.limit

    @Test func `keeps what has been made, as long as there is room`() throws {
        var cache = ColumnSetCache<Int>()
        for round in 0..<2 {
            for number in 0..<limit {
                #expect(try cache.value(for: set(number)) { number + round * 1_000 } == number)
            }
        }
        #expect(cache.values.sorted() == Array(0..<limit))
    }

    @Test func `sets that do not come again get no place`() throws {
        var cache = ColumnSetCache<Int>()
        for number in 0..<limit { _ = try cache.value(for: set(number)) { number } }
        for number in limit..<limit * 20 {
            #expect(try cache.value(for: set(number)) { number } == nil)
        }
        #expect(cache.values.sorted() == Array(0..<limit))
    }

    @Test func `a set that comes again soon takes the place of the one not used for longest`()
        throws
    {
        var cache = ColumnSetCache<Int>()
        for number in 0..<limit { _ = try cache.value(for: set(number)) { number } }
        _ = try cache.value(for: set(0)) { -1 }
        for number in 1_000..<1_008 {
            #expect(try cache.value(for: set(number)) { number } == nil)
        }
        #expect(try cache.value(for: set(1_000)) { 1_000 } == 1_000)
        #expect(cache.values.sorted() == [0] + Array(2..<limit) + [1_000])
        #expect(try cache.value(for: set(1_000)) { -1 } == 1_000)
    }
}
