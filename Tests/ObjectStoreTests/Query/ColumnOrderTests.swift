import Testing

@testable import LarderObjectStore

/// The signs between columns, each against what Swift makes of the same values.
struct ColumnOrderTests {
    @Entity("Sample") struct Sample {
        @Identity var id: Int
        var left: Int
        var right: Int
        var first: Int?
        var second: Int?
    }

    private let store: Store
    private let samples: [Sample]

    init() throws {
        let numbers = [-7, -1, 0, 2, 5]
        let optionals: [Int?] = [nil, -1, 0, 2]
        var samples: [Sample] = []
        for left in numbers {
            for right in numbers {
                for (first, second) in zip(optionals, optionals.reversed()) + [(nil, nil), (2, 2)] {
                    samples.append(
                        Sample(
                            id: samples.count, left: left, right: right, first: first,
                            second: second))
                }
            }
        }
        store = try Store.inMemory(entities: Sample.self)
        try store.save(samples)
        self.samples = samples
    }

    private func expect(
        _ condition: (Sample.Columns) -> Condition, _ isExpected: (Sample) -> Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try store.fetch(Sample.where(condition)).map(\.id)
        #expect(
            found == samples.filter(isExpected).map(\.id), sourceLocation: sourceLocation)
    }

    /// Whether two values are in an order, which empty ones never are.
    private func order(_ left: Int?, _ right: Int?, _ isOrdered: (Int, Int) -> Bool) -> Bool {
        guard let left, let right else { return false }
        return isOrdered(left, right)
    }

    @Test func `smaller`() throws {
        try expect({ $0.left < $0.right }) { $0.left < $0.right }
        try expect({ $0.first < $0.second }) { order($0.first, $0.second, <) }
        try expect({ $0.first < $0.left }) { order($0.first, $0.left, <) }
        try expect({ $0.left < $0.first }) { order($0.left, $0.first, <) }
        try expect({ $0.left < 2 }) { $0.left < 2 }
        try expect({ $0.first < 2 }) { order($0.first, 2, <) }
    }

    @Test func `smaller or equal`() throws {
        try expect({ $0.left <= $0.right }) { $0.left <= $0.right }
        try expect({ $0.first <= $0.second }) { order($0.first, $0.second, <=) }
        try expect({ $0.first <= $0.left }) { order($0.first, $0.left, <=) }
        try expect({ $0.left <= $0.first }) { order($0.left, $0.first, <=) }
        try expect({ $0.left <= 2 }) { $0.left <= 2 }
        try expect({ $0.first <= 0 }) { order($0.first, 0, <=) }
    }

    @Test func `larger`() throws {
        try expect({ $0.left > $0.right }) { $0.left > $0.right }
        try expect({ $0.first > $0.second }) { order($0.first, $0.second, >) }
        try expect({ $0.first > $0.left }) { order($0.first, $0.left, >) }
        try expect({ $0.left > $0.first }) { order($0.left, $0.first, >) }
        try expect({ $0.left > 2 }) { $0.left > 2 }
        try expect({ $0.first > -1 }) { order($0.first, -1, >) }
    }

    @Test func `larger or equal`() throws {
        try expect({ $0.left >= $0.right }) { $0.left >= $0.right }
        try expect({ $0.first >= $0.second }) { order($0.first, $0.second, >=) }
        try expect({ $0.first >= $0.left }) { order($0.first, $0.left, >=) }
        try expect({ $0.left >= $0.first }) { order($0.left, $0.first, >=) }
        try expect({ $0.left >= 2 }) { $0.left >= 2 }
        try expect({ $0.first >= 2 }) { order($0.first, 2, >=) }
    }

    @Test func `equal and different, where two empty values are equal`() throws {
        try expect({ $0.left == $0.right }) { $0.left == $0.right }
        try expect({ $0.left != $0.right }) { $0.left != $0.right }
        try expect({ $0.first == $0.second }) { $0.first == $0.second }
        try expect({ $0.first != $0.second }) { $0.first != $0.second }
        try expect({ $0.first == $0.left }) { $0.first == $0.left }
        try expect({ $0.left != $0.first }) { $0.left != $0.first }
        try expect({ $0.first == nil }) { $0.first == nil }
        try expect({ $0.first != 2 }) { $0.first != 2 }
    }

    @Test func `ranges, open at either end`() throws {
        try expect({ $0.left.isIn(-1...2) }) { (-1...2).contains($0.left) }
        try expect({ $0.left.isIn(-1..<2) }) { (-1..<2).contains($0.left) }
        try expect({ $0.left.isIn(2...) }) { (2...).contains($0.left) }
        try expect({ $0.left.isIn(...2) }) { (...2).contains($0.left) }
        try expect({ $0.left.isIn(..<2) }) { (..<2).contains($0.left) }
    }
}
