import Foundation
import Testing

@testable import LarderObjectStore

/// The order of decimal numbers that are kept as text.
struct DecimalCollationTests {
    private static func compare(_ left: String, _ right: String) -> Int32 {
        Array(left.utf8).withUnsafeBytes { left in
            Array(right.utf8).withUnsafeBytes { DecimalCollation.compare(left, $0) }
        }
    }

    @Test func `numbers are in the order of their values`() {
        let sorted = ["-100.5", "-100", "-9.75", "-0.001", "0", "0.5", "0.55", "9", "10", "10.01"]
        for (index, left) in sorted.enumerated() {
            for (other, right) in sorted.enumerated() {
                let order = Self.compare(left, right)
                #expect(order.signum() == (index - other).signum(), "\(left) and \(right)")
            }
        }
    }

    @Test func `spellings of one number are the same`() {
        for (left, right) in [("0", "-0"), ("1.50", "1.5"), ("007", "7"), ("", "0"), ("0.0", ".")] {
            #expect(Self.compare(left, right) == 0, "\(left) and \(right)")
        }
    }

    @Test func `compares as Foundation does`() {
        var random = SplitMix64(seed: 3)
        for _ in 0..<2000 {
            let numbers = (0..<2).map { _ in
                Decimal(Int.random(in: -2000...2000, using: &random))
                    / Decimal(Int.random(in: 1...8, using: &random) * 125)
            }
            let order = numbers[0] < numbers[1] ? -1 : numbers[0] > numbers[1] ? 1 : 0
            let found = Self.compare(numbers[0].description, numbers[1].description)
            #expect(Int(found.signum()) == order)
        }
    }
}
