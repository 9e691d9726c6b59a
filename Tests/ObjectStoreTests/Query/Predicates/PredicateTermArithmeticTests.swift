import Foundation
import Testing

@testable import LarderObjectStore

struct PredicateTermArithmeticTests {
    private let store: Store

    init() throws { store = try Shop.store() }

    /// Whether the store finds what the predicate itself is true of, and which objects these are.
    private func found(
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

    @Test func `arithmetic`() throws {
        #expect(try found(#Predicate { $0.id + $0.count == 8 }) == [1])
        #expect(try found(#Predicate { $0.id - 1 == 0 }) == [1])
        #expect(try found(#Predicate { $0.id * 2 > 5 }) == [3, 4])
        #expect(try found(#Predicate { $0.count / 2 == -3 }) == [2])
        #expect(try found(#Predicate { $0.count % 2 == -1 }) == [2])
        #expect(try found(#Predicate { -$0.count > 0 }) == [2])
        #expect(try found(#Predicate { ($0.weight ?? 1) / 2 < 0.5 }) == [1])
    }
}
