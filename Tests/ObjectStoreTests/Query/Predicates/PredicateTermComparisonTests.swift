import Foundation
import Testing

@testable import LarderObjectStore

/// Comparisons in Foundation's predicates.
struct PredicateTermComparisonTests {
    private let shop: ShopQueries
    private var store: Store { shop.store }

    init() throws { shop = try ShopQueries() }

    @Test func `comparisons`() throws {
        #expect(try shop.found(#Predicate { $0.count == 7 }) == [1])
        #expect(try shop.found(#Predicate { $0.count != 7 }) == [2, 3, 4])
        #expect(try shop.found(#Predicate { $0.count < 3 }) == [2, 3])
        #expect(try shop.found(#Predicate { $0.count <= 3 }) == [2, 3, 4])
        #expect(try shop.found(#Predicate { $0.count > 3 }) == [1])
        #expect(try shop.found(#Predicate { $0.count >= 3 }) == [1, 4])
        #expect(try shop.found(#Predicate { 3 < $0.count }) == [1])
        #expect(try shop.found(#Predicate { $0.name == "Apple" }) == [1])
        #expect(try shop.found(#Predicate { $0.name > "B" }) == [2, 3, 4])
        #expect(try shop.found(#Predicate { $0.id == $0.count }) == [])
    }

    @Test func `empty values`() throws {
        #expect(try shop.found(#Predicate { $0.note == nil }) == [3])
        #expect(try shop.found(#Predicate { $0.note != nil }) == [1, 2, 4])
        #expect(try shop.found(#Predicate { $0.weight == 2 }) == [2])
        #expect(try shop.found(#Predicate { $0.weight != 2 }) == [1, 3, 4])
        #expect(try shop.found(#Predicate { ($0.weight ?? 9) > 1 }) == [2, 3, 4])
        #expect(try shop.found(#Predicate { $0.note?.contains("brot") == true }) == [2])
        #expect(try shop.found(#Predicate { $0.note?.contains("brot") != true }) == [1, 3, 4])
        #expect(try shop.found(#Predicate { $0.note?.isEmpty ?? true }) == [3, 4])
        #expect(try shop.found(#Predicate { $0.weight.flatMap { $0 != 2 } ?? false }) == [1, 4])
        #expect(try shop.found(#Predicate { $0.weight.flatMap { $0 != 2 } == nil }) == [3])
    }

    @Test func `a value that is forced and empty makes it false`() throws {
        let query = try Product.where(#Predicate { $0.weight! > 1 })
        #expect(try store.fetch(query).map(\.id) == [2, 4])
    }

    @Test func `dates and decimal numbers`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        #expect(try shop.found(#Predicate { $0.made == date }) == [3])
        #expect(try shop.found(#Predicate { $0.made < date }) == [2])
        let days = date...date.addingTimeInterval(1e9)
        #expect(try shop.found(#Predicate { days.contains($0.made) }) == [1, 3, 4])
        let ten = Decimal(10)
        #expect(try shop.found(#Predicate { $0.price == ten }) == [2])
        #expect(try shop.found(#Predicate { ($0.price ?? ten) < ten }) == [1, 3])
    }
}
