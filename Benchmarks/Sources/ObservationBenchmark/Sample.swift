import Foundation

/// What both sides store.
enum Sample {
    static let body = String(repeating: "Lorem ipsum dolor sit amet. ", count: 12)

    /// Dates in no order.
    static func date(_ id: Int) -> Date {
        Date(timeIntervalSince1970: 1_500_000_000 + Double(id &* 7_919 % 100_003) * 60)
    }
}
