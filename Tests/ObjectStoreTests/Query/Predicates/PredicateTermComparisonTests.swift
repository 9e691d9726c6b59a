import Foundation
import Testing

@testable import LarderObjectStore

/// Comparisons in Foundation's predicates.
struct PredicateTermComparisonTests {
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

    @Test func `comparisons`() throws {
        #expect(try found(#Predicate { $0.count == 7 }) == [1])
        #expect(try found(#Predicate { $0.count != 7 }) == [2, 3, 4])
        #expect(try found(#Predicate { $0.count < 3 }) == [2, 3])
        #expect(try found(#Predicate { $0.count <= 3 }) == [2, 3, 4])
        #expect(try found(#Predicate { $0.count > 3 }) == [1])
        #expect(try found(#Predicate { $0.count >= 3 }) == [1, 4])
        #expect(try found(#Predicate { 3 < $0.count }) == [1])
        #expect(try found(#Predicate { $0.name == "Apple" }) == [1])
        #expect(try found(#Predicate { $0.name > "B" }) == [2, 3, 4])
        #expect(try found(#Predicate { $0.id == $0.count }) == [])
    }

    @Test func `empty values`() throws {
        #expect(try found(#Predicate { $0.note == nil }) == [3])
        #expect(try found(#Predicate { $0.note != nil }) == [1, 2, 4])
        #expect(try found(#Predicate { $0.weight == 2 }) == [2])
        #expect(try found(#Predicate { $0.weight != 2 }) == [1, 3, 4])
        #expect(try found(#Predicate { ($0.weight ?? 9) > 1 }) == [2, 3, 4])
        #expect(try found(#Predicate { $0.note?.contains("brot") == true }) == [2])
        #expect(try found(#Predicate { $0.note?.contains("brot") != true }) == [1, 3, 4])
        #expect(try found(#Predicate { $0.note?.isEmpty ?? true }) == [3, 4])
        #expect(try found(#Predicate { $0.weight.flatMap { $0 != 2 } ?? false }) == [1, 4])
        #expect(try found(#Predicate { $0.weight.flatMap { $0 != 2 } == nil }) == [3])
    }

    @Test func `a value that is forced and empty makes it false`() throws {
        let query = try Product.where(#Predicate { $0.weight! > 1 })
        #expect(try store.fetch(query).map(\.id) == [2, 4])
    }

    @Test func `dates and decimal numbers`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        #expect(try found(#Predicate { $0.made == date }) == [3])
        #expect(try found(#Predicate { $0.made < date }) == [2])
        let days = date...date.addingTimeInterval(1e9)
        #expect(try found(#Predicate { days.contains($0.made) }) == [1, 3, 4])
        let ten = Decimal(10)
        #expect(try found(#Predicate { $0.price == ten }) == [2])
        #expect(try found(#Predicate { ($0.price ?? ten) < ten }) == [1, 3])
    }
}
