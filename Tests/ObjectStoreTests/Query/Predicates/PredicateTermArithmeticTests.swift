import Foundation
import Testing

@testable import LarderObjectStore

struct PredicateTermArithmeticTests {
    private let shop: ShopQueries

    init() throws { shop = try ShopQueries() }

    @Test func `arithmetic`() throws {
        #expect(try shop.found(#Predicate { $0.id + $0.count == 8 }) == [1])
        #expect(try shop.found(#Predicate { $0.id - 1 == 0 }) == [1])
        #expect(try shop.found(#Predicate { $0.id * 2 > 5 }) == [3, 4])
        #expect(try shop.found(#Predicate { $0.count / 2 == -3 }) == [2])
        #expect(try shop.found(#Predicate { $0.count % 2 == -1 }) == [2])
        #expect(try shop.found(#Predicate { -$0.count > 0 }) == [2])
        #expect(try shop.found(#Predicate { ($0.weight ?? 1) / 2 < 0.5 }) == [1])
    }
}
