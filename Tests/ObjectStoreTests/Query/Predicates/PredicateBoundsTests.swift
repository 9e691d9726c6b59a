import Foundation
import Testing

@testable import LarderObjectStore

struct PredicateBoundsTests {
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

    @Test func `lists and ranges`() throws {
        let ids = [1, 3, 99]
        #expect(try found(#Predicate { ids.contains($0.id) }) == [1, 3])
        #expect(try found(#Predicate { !ids.contains($0.id) }) == [2, 4])
        let none: [String] = []
        #expect(try found(#Predicate { none.contains($0.name) }) == [])
        let notes: [String?] = ["", nil]
        #expect(try found(#Predicate { notes.contains($0.note) }) == [3, 4])
        let set: Set<String> = ["Apple", "it's"]
        #expect(try found(#Predicate { set.contains($0.name) }) == [1])
        #expect(try found(#Predicate { (2...3).contains($0.id) }) == [2, 3])
        #expect(try found(#Predicate { (2..<3).contains($0.id) }) == [2])
        #expect(try found(#Predicate { ($0.count...9).contains($0.id) }) == [2, 3, 4])
        let (range, half, from) = (1...2, 3..<5, 4...)
        #expect(try found(#Predicate { range.contains($0.id) }) == [1, 2])
        #expect(try found(#Predicate { half.contains($0.id) }) == [3, 4])
        #expect(try found(#Predicate { from.contains($0.id) }) == [4])
        let (through, upTo) = (...2, ..<2)
        #expect(try found(#Predicate { through.contains($0.id) }) == [1, 2])
        #expect(try found(#Predicate { upTo.contains($0.id) }) == [1])
    }
}
