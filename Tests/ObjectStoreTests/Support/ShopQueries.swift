import Foundation
import Testing

@testable import LarderObjectStore

/// A store of products, and what conditions and predicates find there.
struct ShopQueries {
    let store: Store

    init() throws { store = try Shop.store() }

    /// The identities of the products that a condition finds.
    func ids(_ condition: (Product.Columns) -> Condition) throws -> [Int] {
        try store.fetch(Product.where(condition)).map(\.id)
    }

    /// The condition's SQL with its values in place of the parameters.
    func sql(_ condition: (Product.Columns) -> Condition) throws -> String {
        try Product.where(condition).conditionSQL(for: store)
    }

    /// Whether the store finds what the predicate itself is true of, and which objects these are.
    func found(
        _ predicate: Predicate<Product>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [Int] {
        let found = try store.fetch(Product.where(predicate)).map(\.id)
        let expected = try store.fetch(Product.all).filter { try predicate.evaluate($0) }
        #expect(found == expected.map(\.id), sourceLocation: sourceLocation)
        let others = try store.fetch(Product.all.where { !Self.condition(predicate, $0) })
        #expect(others.count + found.count == 4, sourceLocation: sourceLocation)
        return found
    }

    private static func condition(
        _ predicate: Predicate<Product>, _: Product.Columns
    ) -> Condition {
        let query = try? Product.where(predicate)
        return Condition(expression: query?.description.condition ?? .value(.null))
    }
}
