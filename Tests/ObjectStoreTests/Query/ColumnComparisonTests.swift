import Foundation
import Testing

@testable import LarderObjectStore

/// Columns compared with values: the SQL of each and the rows it finds.
struct ColumnComparisonTests {
    private let heroes: HeroConditions
    private var store: Store { heroes.store }

    init() throws { heroes = try HeroConditions() }

    @Test func `equal`() throws {
        #expect(try heroes.sql { $0.id == 2 } == #"(t0."id" = 2)"#)
        #expect(try heroes.ids { $0.id == 2 } == [2])
        #expect(try heroes.ids { $0.name == "Ann" } == [1])
        #expect(try heroes.ids { $0.name == "ann" } == [])
        #expect(try heroes.ids { $0.isActive == false } == [2])
        #expect(try heroes.ids { $0.strength == 2.5 } == [2])
    }

    @Test func `equal to nil`() throws {
        #expect(try heroes.sql { $0.strength == nil } == #"(t0."strength" IS NULL)"#)
        #expect(try heroes.ids { $0.strength == nil } == [3])
        #expect(try heroes.ids { $0.realName == nil } == [2])
        let none: Double? = nil
        #expect(try heroes.ids { $0.strength == none } == [3])
    }

    @Test func `not equal finds empty values too, unless compared with nil`() throws {
        #expect(try heroes.sql { $0.strength != 1 } == #"(t0."strength" IS NOT 1.0)"#)
        #expect(try heroes.ids { $0.strength != 1 } == [2, 3, 4])
        #expect(try heroes.sql { $0.strength != nil } == #"(t0."strength" IS NOT NULL)"#)
        #expect(try heroes.ids { $0.strength != nil } == [1, 2, 4])
        #expect(try heroes.ids { $0.id != 1 } == [2, 3, 4])
    }

    @Test func `orders`() throws {
        #expect(try heroes.sql { $0.id < 2 } == #"(t0."id" < 2)"#)
        #expect(try heroes.sql { $0.id <= 2 } == #"(t0."id" <= 2)"#)
        #expect(try heroes.sql { $0.id > 2 } == #"(t0."id" > 2)"#)
        #expect(try heroes.sql { $0.id >= 2 } == #"(t0."id" >= 2)"#)
        #expect(try heroes.ids { $0.id < 2 } == [1])
        #expect(try heroes.ids { $0.id <= 2 } == [1, 2])
        #expect(try heroes.ids { $0.id > 2 } == [3, 4])
        #expect(try heroes.ids { $0.id >= 2 } == [2, 3, 4])
        #expect(try heroes.ids { $0.name < "Cid" } == [1])
    }

    @Test func `orders of optional columns never find empty values`() throws {
        #expect(try heroes.ids { $0.strength < 100 } == [1, 2, 4])
        #expect(try heroes.ids { $0.strength <= 1 } == [1, 4])
        #expect(try heroes.ids { $0.strength > 0 } == [1, 2])
        #expect(try heroes.ids { $0.strength >= -1 } == [1, 2, 4])
    }

    @Test func `is in a list`() throws {
        #expect(
            try heroes.sql { $0.id.isIn([3, 1]) }
                == #"(t0."id" IN (SELECT value FROM json_each('[3,1]')))"#)
        #expect(try heroes.ids { $0.id.isIn([3, 1, 3, 99]) } == [1, 3])
        #expect(try heroes.ids { $0.id.isIn([]) } == [])
        #expect(try heroes.ids { $0.id.isIn(0..<100_000) } == [1, 2, 3, 4])
        #expect(try heroes.ids { $0.name.isIn(["Ann", "Dän", "\"", "\\", "\u{1}"]) } == [1, 4])
        #expect(try heroes.ids { $0.isActive.isIn([false]) } == [2])
    }

    @Test func `is in a list whose values JSON does not have exactly`() throws {
        #expect(
            try heroes.sql { $0.strength.isIn([1, 2.5]) }
                .contains("IN (SELECT larder_listed_value(value) FROM json_each("))
        #expect(try heroes.ids { $0.strength.isIn([1, 2.5, 0.1]) } == [1, 2])
        #expect(try heroes.ids { $0.strength.isIn((0..<30_000).map { Double($0) / 2 }) } == [1, 2])
        #expect(try heroes.ids { $0.strength.isIn([]) } == [])
        #expect(try heroes.ids { $0.name.isIn(["Ann\u{0}", "bob"]) } == [2])
    }

    @Test func `is in a list with nil`() throws {
        #expect(
            try heroes.sql { $0.strength.isIn([nil, 1]) }.hasSuffix(
                #" OR (t0."strength" IS NULL))"#))
        #expect(try heroes.ids { $0.strength.isIn([nil, 1]) } == [1, 3])
        #expect(try heroes.ids { $0.realName.isIn([nil]) } == [2])
        #expect(try heroes.ids { !($0.realName.isIn([nil, "x"])) } == [1, 3])
    }

    @Test(arguments: [
        "", "'", "\"", "\\", "\u{0}", "\u{1F}", "\n\r\t", "é", "e\u{301}", "🦸‍♀️", "\u{FFFF}", "a\"]",
        "\u{7F}\u{2028}", "%_",
    ])
    func `any text is found in a list and alone`(_ text: String) throws {
        let name = String(
            decoding: try JSONEncoder().encode([text]).dropFirst().dropLast(), as: UTF8.self)
        try store.import(Hero.self, from: Data(#"{"id": 9, "name": \#(name)}"#.utf8))
        #expect(try heroes.ids { $0.name == text } == [9])
        #expect(try heroes.ids { $0.name.isIn([text, "none"]) } == [9])
        #expect(try heroes.ids { $0.name != text } == [1, 2, 3, 4])
    }

    @Test func `compares dates as points in time`() throws {
        try store.import(
            Many<Publisher>.self,
            from: Data(
                """
                [{"id": 1, "name": "A", "founded": "2001-01-01T00:00:00.123Z"},
                 {"id": 2, "name": "B", "founded": "2001-01-01T02:00:00+02:00"}, {"id": 3, "name": "C"}]
                """.utf8))
        let start = Date(timeIntervalSinceReferenceDate: 0)
        #expect(try store.fetch(Publisher.where { $0.founded == start }).map(\.id) == [2])
        #expect(try store.fetch(Publisher.where { $0.founded > start }).map(\.id) == [1])
        let exact = try #require(try store.fetch(Publisher.where { $0.id == 1 }).first?.founded)
        #expect(try store.fetch(Publisher.where { $0.founded == exact }).map(\.id) == [1])
        #expect(
            try store.fetch(Publisher.where { $0.founded.isIn([exact, nil]) }).map(\.id) == [1, 3])
    }

    /// The law: whatever the type and the operator, what is not a number can't be asked for.
    @Test func `what is not a number is an error`() throws {
        let store = try Store.inMemory(entities: Reading.self)
        try store.save(Reading(id: 1, real: 1, single: 1, amount: 1, due: .now))
        func expectError(
            _ condition: (Reading.Columns) -> Condition,
            sourceLocation: SourceLocation = #_sourceLocation
        ) {
            for isNegated in [false, true] {
                let query = Reading.where { isNegated ? !condition($0) : condition($0) }
                let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) {
                    try store.fetch(query)
                }
                #expect(error?.reason == .unexpectedValue, sourceLocation: sourceLocation)
            }
        }
        func expectErrors<Value: AttributeValue & Comparable>(
            _ column: (Reading.Columns) -> Column<Value>, _ nan: Value, beside one: Value
        ) {
            expectError { column($0) == nan }
            expectError { column($0) != nan }
            expectError { column($0) < nan }
            expectError { column($0) <= nan }
            expectError { column($0) > nan }
            expectError { column($0) >= nan }
            expectError { column($0).isIn([one, nan]) }
        }
        func expectErrors<Value: AttributeValue & Comparable>(
            optional column: (Reading.Columns) -> Column<Value?>, _ nan: Value, beside one: Value
        ) {
            expectError { column($0) == nan }
            expectError { column($0) != nan }
            expectError { column($0) < nan }
            expectError { column($0) <= nan }
            expectError { column($0) > nan }
            expectError { column($0) >= nan }
            expectError { column($0).isIn([one, nan]) }
            expectError { column($0).isIn([nil, nan]) }
        }
        expectErrors({ $0.real }, .nan, beside: 1)
        expectErrors({ $0.single }, .nan, beside: 1)
        expectErrors({ $0.amount }, .nan, beside: 1)
        expectErrors({ $0.due }, Date(timeIntervalSinceReferenceDate: .nan), beside: .now)
        expectErrors(optional: { $0.someReal }, .nan, beside: 1)
        expectErrors(optional: { $0.someAmount }, .nan, beside: 1)
        #expect(throws: StoreError.self) {
            try store.fetch(DynamicQuery("Reading").where("amount", is: Decimal.nan))
        }
        #expect(throws: WritingError.self) {
            try store.update(Reading.all) { $0.amount.set(.nan) }
        }
    }
}

/// Ranges, decimals, and columns compared with columns.
struct ColumnRangeTests {
    private let shop: ShopQueries

    init() throws { shop = try ShopQueries() }

    // MARK: Columns and columns

    @Test func `compares columns`() throws {
        #expect(try shop.sql { $0.count == $0.id } == #"(t0."count" IS t0."id")"#)
        #expect(try shop.sql { $0.count < $0.id } == #"(t0."count" < t0."id")"#)
        #expect(try shop.ids { $0.count > $0.id } == [1])
        #expect(try shop.ids { $0.count <= $0.id } == [2, 3, 4])
        #expect(try shop.ids { $0.sold == $0.made } == [])
        #expect(try shop.ids { $0.sold != $0.made } == [1, 2, 3, 4])
        #expect(try shop.ids { $0.sold > $0.made } == [1, 3])
        #expect(try shop.ids { $0.made < $0.sold } == [1, 3])
        #expect(try shop.ids { $0.sold >= $0.sold } == [1, 3])
        #expect(try shop.ids { $0.weight == $0.weight } == [1, 2, 3, 4])
        #expect(try shop.ids { $0.note == $0.name } == [])
    }

    // MARK: Ranges

    @Test func `ranges of all kinds`() throws {
        #expect(try shop.sql { $0.count.isIn(0...7) } == #"(t0."count" BETWEEN 0 AND 7)"#)
        #expect(
            try shop.sql { $0.count.isIn(0..<7) } == #"((t0."count" >= 0) AND (t0."count" < 7))"#)
        #expect(try shop.ids { $0.count.isIn(0...7) } == [1, 3, 4])
        #expect(try shop.ids { $0.count.isIn(0..<7) } == [3, 4])
        #expect(try shop.ids { $0.count.isIn(3...) } == [1, 4])
        #expect(try shop.ids { $0.count.isIn(...0) } == [2, 3])
        #expect(try shop.ids { $0.count.isIn(..<0) } == [2])
        #expect(try shop.ids { $0.count.isIn(0...7) } == [1, 3, 4])
        #expect(try shop.ids { $0.weight.isIn(0.5..<2) } == [1, 4])
        #expect(try shop.ids { $0.weight.isIn(0.5...2) } == [1, 2, 4])
        #expect(try shop.ids { $0.weight.isIn(1...2) } == [2, 4])
        #expect(try shop.ids { $0.name.isIn("B"..."D") } == [2])
        #expect(try shop.ids { !$0.weight.isIn(0.5...2) } == [3])
    }

    // MARK: Decimals

    @Test func `decimals are ordered as numbers`() throws {
        #expect(
            try shop.sql { $0.price > 9 } == #"(t0."price" COLLATE larder_decimal > '9')"#)
        #expect(try shop.ids { $0.price > 9 } == [1, 2])
        #expect(try shop.ids { $0.price > 9.5 } == [2])
        #expect(try shop.ids { $0.price < 0 } == [3])
        #expect(try shop.ids { $0.price.isIn(-11...9.5) } == [1, 3])
        let sorted = try shop.store.fetch(Product.all.sorted { $0.price.ascending }).map(\.id)
        #expect(sorted == [4, 3, 1, 2])
    }
}

@Entity("Reading") private struct Reading {
    @Identity var id: Int
    var real: Double
    var single: Float
    var amount: Decimal
    var due: Date
    var someReal: Double?
    var someAmount: Decimal?
}
