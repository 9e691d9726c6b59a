import Foundation
import Testing

@testable import LarderObjectStore

/// Arithmetic, ranges, dates, decimals, and columns compared with columns.
struct ColumnCalculationTests {
    private let store: Store

    init() throws { store = try Shop.store() }

    private func ids(_ condition: (Product.Columns) -> Condition) throws -> [Int] {
        try store.fetch(Product.where(condition)).map(\.id)
    }

    /// The condition's SQL with its values in place of the parameters.
    private func sql(_ condition: (Product.Columns) -> Condition) throws -> String {
        try Product.where(condition).conditionSQL(for: store)
    }

    // MARK: Arithmetic

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

    // MARK: Columns and columns

    @Test func `compares columns`() throws {
        #expect(try sql { $0.count == $0.id } == #"(t0."count" IS t0."id")"#)
        #expect(try sql { $0.count < $0.id } == #"(t0."count" < t0."id")"#)
        #expect(try ids { $0.count > $0.id } == [1])
        #expect(try ids { $0.count <= $0.id } == [2, 3, 4])
        #expect(try ids { $0.sold == $0.made } == [])
        #expect(try ids { $0.sold != $0.made } == [1, 2, 3, 4])
        #expect(try ids { $0.sold > $0.made } == [1, 3])
        #expect(try ids { $0.made < $0.sold } == [1, 3])
        #expect(try ids { $0.sold >= $0.sold } == [1, 3])
        #expect(try ids { $0.weight == $0.weight } == [1, 2, 3, 4])
        #expect(try ids { $0.note == $0.name } == [])
    }

    // MARK: Ranges

    @Test func `ranges of all kinds`() throws {
        #expect(try sql { $0.count.isIn(0...7) } == #"(t0."count" BETWEEN 0 AND 7)"#)
        #expect(
            try sql { $0.count.isIn(0..<7) } == #"((t0."count" >= 0) AND (t0."count" < 7))"#)
        #expect(try ids { $0.count.isIn(0...7) } == [1, 3, 4])
        #expect(try ids { $0.count.isIn(0..<7) } == [3, 4])
        #expect(try ids { $0.count.isIn(3...) } == [1, 4])
        #expect(try ids { $0.count.isIn(...0) } == [2, 3])
        #expect(try ids { $0.count.isIn(..<0) } == [2])
        #expect(try ids { $0.count.isIn(0...7) } == [1, 3, 4])
        #expect(try ids { $0.weight.isIn(0.5..<2) } == [1, 4])
        #expect(try ids { $0.weight.isIn(0.5...2) } == [1, 2, 4])
        #expect(try ids { $0.weight.isIn(1...2) } == [2, 4])
        #expect(try ids { $0.name.isIn("B"..."D") } == [2])
        #expect(try ids { !$0.weight.isIn(0.5...2) } == [3])
    }

    // MARK: Decimals

    @Test func `decimals are ordered as numbers`() throws {
        #expect(
            try sql { $0.price > 9 } == #"(t0."price" COLLATE larder_decimal > '9')"#)
        #expect(try ids { $0.price > 9 } == [1, 2])
        #expect(try ids { $0.price > 9.5 } == [2])
        #expect(try ids { $0.price < 0 } == [3])
        #expect(try ids { $0.price.isIn(-11...9.5) } == [1, 3])
        let sorted = try store.fetch(Product.all.sorted { $0.price.ascending }).map(\.id)
        #expect(sorted == [4, 3, 1, 2])
    }

    // MARK: Dates

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

    // MARK: Text

    @Test func `letters of all languages match in either case where asked`() throws {
        #expect(try ids { $0.note.contains("äpfel") } == [2])
        #expect(try ids { $0.note.contains("Äpfel", ignoringCase: true) } == [1, 2])
        #expect(try ids { $0.note.hasPrefix("ÄP", ignoringCase: true) } == [1, 2])
        #expect(try ids { $0.note.hasSuffix("BROT", ignoringCase: true) } == [2])
        #expect(try ids { $0.note.hasSuffix("", ignoringCase: true) } == [1, 2, 4])
        #expect(try ids { $0.note.isEqual("äPFEL", ignoringCase: true) } == [1])
        #expect(try ids { $0.note.lowercased() == "äpfel" } == [1])
        #expect(try ids { $0.name.uppercased() == "CAKE" } == [3])
        #expect(try ids { $0.note.lowercased() == "" } == [4])
        #expect(try ids { $0.note.lowercased().isNil } == [3])
        #expect(try ids { $0.note.length == 5 } == [1])
        #expect(try ids { $0.name.length < 5 } == [3, 4])
        #expect(try ids { $0.note.length == nil } == [3])
    }

    @Test func `sorts without regard to case`() throws {
        let byName = try store.fetch(Product.all.sorted { $0.name.ascending }).map(\.id)
        #expect(byName == [1, 2, 4, 3])
        let byFolded = try store.fetch(Product.all.sorted { $0.name.lowercased().ascending })
        #expect(byFolded.map(\.id) == [1, 2, 3, 4])
    }
}
