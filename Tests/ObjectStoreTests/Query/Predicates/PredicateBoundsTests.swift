import Foundation
import Testing

@testable import LarderObjectStore

struct PredicateBoundsTests {
    private let shop: ShopQueries

    init() throws { shop = try ShopQueries() }

    @Test func `lists and ranges`() throws {
        let ids = [1, 3, 99]
        #expect(try shop.found(#Predicate { ids.contains($0.id) }) == [1, 3])
        #expect(try shop.found(#Predicate { !ids.contains($0.id) }) == [2, 4])
        let none: [String] = []
        #expect(try shop.found(#Predicate { none.contains($0.name) }) == [])
        let notes: [String?] = ["", nil]
        #expect(try shop.found(#Predicate { notes.contains($0.note) }) == [3, 4])
        let set: Set<String> = ["Apple", "it's"]
        #expect(try shop.found(#Predicate { set.contains($0.name) }) == [1])
        #expect(try shop.found(#Predicate { (2...3).contains($0.id) }) == [2, 3])
        #expect(try shop.found(#Predicate { (2..<3).contains($0.id) }) == [2])
        #expect(try shop.found(#Predicate { ($0.count...9).contains($0.id) }) == [2, 3, 4])
        let (range, half, from) = (1...2, 3..<5, 4...)
        #expect(try shop.found(#Predicate { range.contains($0.id) }) == [1, 2])
        #expect(try shop.found(#Predicate { half.contains($0.id) }) == [3, 4])
        #expect(try shop.found(#Predicate { from.contains($0.id) }) == [4])
        let (through, upTo) = (...2, ..<2)
        #expect(try shop.found(#Predicate { through.contains($0.id) }) == [1, 2])
        #expect(try shop.found(#Predicate { upTo.contains($0.id) }) == [1])
    }
}
