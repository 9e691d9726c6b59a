import Foundation
import Testing

@testable import LarderObjectStore

/// Parts of dates, and the time between them.
struct ColumnDateTests {
    private let shop: ShopQueries

    init() throws { shop = try ShopQueries() }

    @Test func `parts of dates`() throws {
        #expect(try shop.ids { $0.made.year == 2024 } == [1])
        #expect(try shop.ids { $0.made.year < 2001 } == [2])
        #expect(try shop.ids { $0.made.month == 2 && $0.made.day == 29 } == [1])
        #expect(try shop.ids { $0.made.hour == 23 } == [1])
        // A Thursday and a Saturday.
        #expect(try shop.ids { $0.made.weekday == 5 } == [1])
        #expect(try shop.ids { $0.made.weekday == 7 } == [4])
        #expect(try shop.ids { $0.sold.year == nil } == [2, 4])
        #expect(
            try shop.sql { $0.made.year == 2024 } == #"(larder_date_part(t0."made", 0) = 2024)"#)
    }

    @Test func `spans of time`() throws {
        #expect(try shop.ids { $0.made.adding(seconds: 86_400) == $0.sold } == [3])
        #expect(try shop.ids { $0.sold.seconds(since: $0.made.optional) < 1 } == [1])
        let start = Date(timeIntervalSinceReferenceDate: 0)
        #expect(try shop.ids { $0.made.seconds(since: start) == 0 } == [3])
    }
}
