import Foundation
import Testing

@testable import LarderObjectStore

/// Parts of dates, and the time between them.
struct ColumnDateTests {
    private let store: Store

    init() throws { store = try Shop.store() }

    private func ids(_ condition: (Product.Columns) -> Condition) throws -> [Int] {
        try store.fetch(Product.where(condition)).map(\.id)
    }

    /// The condition's SQL with its values in place of the parameters.
    private func sql(_ condition: (Product.Columns) -> Condition) throws -> String {
        try Product.where(condition).conditionSQL(for: store)
    }

    @Test func `parts of dates`() throws {
        #expect(try ids { $0.made.year == 2024 } == [1])
        #expect(try ids { $0.made.year < 2001 } == [2])
        #expect(try ids { $0.made.month == 2 && $0.made.day == 29 } == [1])
        #expect(try ids { $0.made.hour == 23 } == [1])
        // A Thursday and a Saturday.
        #expect(try ids { $0.made.weekday == 5 } == [1])
        #expect(try ids { $0.made.weekday == 7 } == [4])
        #expect(try ids { $0.sold.year == nil } == [2, 4])
        #expect(
            try sql { $0.made.year == 2024 } == #"(larder_date_part(t0."made", 0) = 2024)"#)
    }

    @Test func `spans of time`() throws {
        #expect(try ids { $0.made.adding(seconds: 86_400) == $0.sold } == [3])
        #expect(try ids { $0.sold.seconds(since: $0.made.optional) < 1 } == [1])
        let start = Date(timeIntervalSinceReferenceDate: 0)
        #expect(try ids { $0.made.seconds(since: start) == 0 } == [3])
    }
}
