import Foundation
import Testing

@testable import LarderObjectStore

/// Calculating with columns.
struct ColumnArithmeticTests {
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

    @Test func `sums, differences and products`() throws {
        try expect({ $0.left + $0.right == 4 }) { $0.left + $0.right == 4 }
        try expect({ 3 + $0.right == 5 }) { 3 + $0.right == 5 }
        try expect({ $0.left + 3 == 5 }) { $0.left + 3 == 5 }
        try expect({ $0.left - $0.right < -1 }) { $0.left - $0.right < -1 }
        try expect({ $0.left - 3 < 0 }) { $0.left - 3 < 0 }
        try expect({ 3 - $0.left < 0 }) { 3 - $0.left < 0 }
        try expect({ $0.left * $0.right > 9 }) { $0.left * $0.right > 9 }
        try expect({ 3 * $0.left == 15 }) { 3 * $0.left == 15 }
        try expect({ ($0.first + $0.second).isNil }) { $0.first == nil || $0.second == nil }
        try expect({ -$0.left == $0.right }) { -$0.left == $0.right }
    }

    @Test func `quotients and remainders, empty where the divisor is 0`() throws {
        try expect({ $0.left / $0.right == -3 }) { $0.right != 0 && $0.left / $0.right == -3 }
        try expect({ ($0.left / $0.right).isNil }) { $0.right == 0 }
        try expect({ $0.left / 2 == -3 }) { $0.left / 2 == -3 }
        try expect({ 7 / $0.right == 3 }) { $0.right != 0 && 7 / $0.right == 3 }
        try expect({ $0.left % $0.right == -1 }) { $0.right != 0 && $0.left % $0.right == -1 }
        try expect({ $0.left % 2 == -1 }) { $0.left % 2 == -1 }
        try expect({ 7 % $0.right == 2 }) { $0.right != 0 && 7 % $0.right == 2 }
        try expect({ (7 % $0.right).isNil }) { $0.right == 0 }
    }
}

struct ColumnArithmeticValuesTests {
    private let store: Store

    init() throws { store = try Shop.store() }

    private func ids(_ condition: (Product.Columns) -> Condition) throws -> [Int] {
        try store.fetch(Product.where(condition)).map(\.id)
    }

    /// The condition's SQL with its values in place of the parameters.
    private func sql(_ condition: (Product.Columns) -> Condition) throws -> String {
        try Product.where(condition).conditionSQL(for: store)
    }

    @Test func `calculates with values on either side`() throws {
        #expect(try sql { $0.count + 1 > 4 } == #"((t0."count" + 1) > 4)"#)
        #expect(try ids { $0.count + 1 > 3 } == [1, 4])
        #expect(try ids { 10 - $0.count == 3 } == [1])
        #expect(try ids { $0.count * 2 == 14 } == [1])
        #expect(try ids { $0.weight * 2.0 == 3 } == [4])
        #expect(try ids { -$0.count == 7 } == [2])
    }

    @Test func `divides whole numbers as Swift does`() throws {
        #expect(try ids { $0.count / 2 == 3 } == [1])
        #expect(try ids { $0.count / 2 == -3 } == [2])
        #expect(try ids { $0.count % 2 == 1 } == [1, 4])
        #expect(try ids { $0.count % 2 == -1 } == [2])
        #expect(try ids { (100 / $0.count).isNil } == [3])
        #expect(try ids { $0.weight / 2 == 0.25 } == [1])
    }

    @Test func `calculates with columns on both sides`() throws {
        #expect(try sql { $0.count * $0.id == 7 } == #"((t0."count" * t0."id") = 7)"#)
        #expect(try ids { $0.count * $0.id == 7 } == [1])
        #expect(try ids { $0.count - $0.id > 0 } == [1])
        #expect(try ids { ($0.weight ?? 0) + ($0.weight ?? 10) == 20 } == [])
        #expect(try ids { ($0.weight ?? 10.0) + ($0.weight ?? 10) == 20 } == [3])
    }

    @Test func `what is made of an empty value is empty`() throws {
        #expect(try ids { ($0.weight + 1).isNil } == [3])
        #expect(try ids { ($0.weight ?? 7.5) > 3 } == [3])
        #expect(try sql { ($0.weight ?? 1) == 1 } == #"(coalesce(t0."weight", 1.0) = 1.0)"#)
        #expect(try ids { ($0.note ?? $0.name) == "cake" } == [3])
        #expect(try ids { ($0.sold ?? $0.made) == $0.made } == [2, 4])
    }

    @Test func `a sum beyond 64 bits does not wrap`() throws {
        #expect(try ids { $0.count + Int.max > 0 } == [1, 2, 3, 4])
    }
}
