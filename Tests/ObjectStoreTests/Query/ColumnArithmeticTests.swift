import Foundation
import Testing

@testable import LarderObjectStore

/// Calculating with columns.
struct ColumnArithmeticTests {
    private let figures: Figures

    init() throws { figures = try Figures() }

    @Test func `sums, differences and products`() throws {
        try figures.expect({ $0.left + $0.right == 4 }) { $0.left + $0.right == 4 }
        try figures.expect({ 3 + $0.right == 5 }) { 3 + $0.right == 5 }
        try figures.expect({ $0.left + 3 == 5 }) { $0.left + 3 == 5 }
        try figures.expect({ $0.left - $0.right < -1 }) { $0.left - $0.right < -1 }
        try figures.expect({ $0.left - 3 < 0 }) { $0.left - 3 < 0 }
        try figures.expect({ 3 - $0.left < 0 }) { 3 - $0.left < 0 }
        try figures.expect({ $0.left * $0.right > 9 }) { $0.left * $0.right > 9 }
        try figures.expect({ 3 * $0.left == 15 }) { 3 * $0.left == 15 }
        try figures.expect({ ($0.first + $0.second).isNil }) { $0.first == nil || $0.second == nil }
        try figures.expect({ -$0.left == $0.right }) { -$0.left == $0.right }
    }

    @Test func `quotients and remainders, empty where the divisor is 0`() throws {
        try figures.expect({ $0.left / $0.right == -3 }) {
            $0.right != 0 && $0.left / $0.right == -3
        }
        try figures.expect({ ($0.left / $0.right).isNil }) { $0.right == 0 }
        try figures.expect({ $0.left / 2 == -3 }) { $0.left / 2 == -3 }
        try figures.expect({ 7 / $0.right == 3 }) { $0.right != 0 && 7 / $0.right == 3 }
        try figures.expect({ $0.left % $0.right == -1 }) {
            $0.right != 0 && $0.left % $0.right == -1
        }
        try figures.expect({ $0.left % 2 == -1 }) { $0.left % 2 == -1 }
        try figures.expect({ 7 % $0.right == 2 }) { $0.right != 0 && 7 % $0.right == 2 }
        try figures.expect({ (7 % $0.right).isNil }) { $0.right == 0 }
    }
}

struct ColumnArithmeticValuesTests {
    private let shop: ShopQueries

    init() throws { shop = try ShopQueries() }

    @Test func `calculates with values on either side`() throws {
        #expect(try shop.sql { $0.count + 1 > 4 } == #"((t0."count" + 1) > 4)"#)
        #expect(try shop.ids { $0.count + 1 > 3 } == [1, 4])
        #expect(try shop.ids { 10 - $0.count == 3 } == [1])
        #expect(try shop.ids { $0.count * 2 == 14 } == [1])
        #expect(try shop.ids { $0.weight * 2.0 == 3 } == [4])
        #expect(try shop.ids { -$0.count == 7 } == [2])
    }

    @Test func `divides whole numbers as Swift does`() throws {
        #expect(try shop.ids { $0.count / 2 == 3 } == [1])
        #expect(try shop.ids { $0.count / 2 == -3 } == [2])
        #expect(try shop.ids { $0.count % 2 == 1 } == [1, 4])
        #expect(try shop.ids { $0.count % 2 == -1 } == [2])
        #expect(try shop.ids { (100 / $0.count).isNil } == [3])
        #expect(try shop.ids { $0.weight / 2 == 0.25 } == [1])
    }

    @Test func `calculates with columns on both sides`() throws {
        #expect(try shop.sql { $0.count * $0.id == 7 } == #"((t0."count" * t0."id") = 7)"#)
        #expect(try shop.ids { $0.count * $0.id == 7 } == [1])
        #expect(try shop.ids { $0.count - $0.id > 0 } == [1])
        #expect(try shop.ids { ($0.weight ?? 0) + ($0.weight ?? 10) == 20 } == [])
        #expect(try shop.ids { ($0.weight ?? 10.0) + ($0.weight ?? 10) == 20 } == [3])
    }

    @Test func `what is made of an empty value is empty`() throws {
        #expect(try shop.ids { ($0.weight + 1).isNil } == [3])
        #expect(try shop.ids { ($0.weight ?? 7.5) > 3 } == [3])
        #expect(try shop.sql { ($0.weight ?? 1) == 1 } == #"(coalesce(t0."weight", 1.0) = 1.0)"#)
        #expect(try shop.ids { ($0.note ?? $0.name) == "cake" } == [3])
        #expect(try shop.ids { ($0.sold ?? $0.made) == $0.made } == [2, 4])
    }

    @Test func `a sum beyond 64 bits does not wrap`() throws {
        #expect(try shop.ids { $0.count + Int.max > 0 } == [1, 2, 3, 4])
    }
}
