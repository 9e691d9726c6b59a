import Foundation
import Testing

@testable import LarderObjectStore

/// Paths in text, and values of the type at their end.
struct ExpressionPathTests {
    private let store: Store
    private let shop: Store

    init() throws {
        shop = try Shop.store()
        store = try Comics.store(Comics.team)
    }

    private func ids(_ text: String) throws -> [Int] {
        try store.fetch(try Hero.all.where(text, in: store)).map(\.id)
    }

    private func products(_ text: String) throws -> [Int] {
        try shop.fetch(try Product.all.where(text, in: shop)).map(\.id)
    }

    @Test(
        arguments: [
            ("publisher.name = 'P'", [1]), ("mentor.publisher.name = 'P'", [2]),
            ("mentor.mentor.id = 1", [3]), ("publisher is null", [2, 4]),
            ("publisher is not null", [1, 3]), ("publisher = 10", [1]),
            ("publisher != 10", [2, 3, 4]),
            ("mentor in (1, 2)", [2, 3]), ("publisher.name is null", [2, 4]),
            ("powers.name = 'Y'", [2]), ("powers.name = 'X'", [1, 2]),
            ("not powers.name = 'X'", [3, 4]),
            ("powers.name = 'X' and powers.name = 'Y'", [2]), ("mentor.powers.name = 'Y'", [3]),
            ("powers.heroes.name = 'Ann'", [1, 2]), ("powers.heroes.powers.id = 'y'", [1, 2]),
            ("publisher.heroes.mentor.name = 'bob'", [3]),
        ] as [(String, [Int])])
    func `follows paths`(_ text: String, _ expected: [Int]) throws {
        #expect(try ids(text) == expected)
    }

    @Test(
        arguments: [
            ("made > '2024-01-01'", [1, 4]), ("made = '2001-01-01T00:00:00Z'", [3]),
            ("made between '1999-01-01' and '2001-01-01T01:00:00+01:00'", [2, 3]),
            ("sold is null", [2, 4]), ("price > 9", [1, 2]), ("price = '10.0'", [2]),
            ("price in (9.50, 10)", [1, 2]), ("price < -10", [3]), ("count % 2 = 1", nil),
        ] as [(String, [Int]?)])
    func `takes values of the attribute's type`(_ text: String, _ expected: [Int]?) throws {
        if let expected {
            #expect(try products(text) == expected)
        } else {
            #expect(throws: ExpressionError.self) { try products(text) }
        }
    }
}
