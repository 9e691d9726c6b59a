import Foundation
import Testing

@testable import LarderObjectStore

/// What no query can ask, and what is said about it.
struct PredicateTranslatorTests {
    private func error(_ predicate: Predicate<Product>) -> PredicateTranslationError? {
        #expect(throws: PredicateTranslationError.self) { try Product.where(predicate) }
    }

    private func listed(_ predicate: Predicate<Listed>) -> PredicateTranslationError? {
        #expect(throws: PredicateTranslationError.self) { try Listed.where(predicate) }
    }

    @Test func `closures over the elements of an attribute`() {
        let contains = listed(#Predicate { $0.words.contains { $0 == "a" } })
        #expect(contains?.part == "SequenceContainsWhere")
        #expect(contains?.entity == "Listed")
        #expect(contains?.reason == "there is nothing like it in a query")
        let all = listed(#Predicate { $0.words.allSatisfy { $0 == "a" } })
        #expect(all?.part == "SequenceAllSatisfy")
    }

    @Test func `properties of values`() {
        let count = error(#Predicate { $0.name.count > 3 })
        #expect(count?.part == "KeyPath")
        #expect(count?.reason.hasSuffix("is no attribute of Product") == true)
    }

    @Test func `properties that are not stored`() {
        let error = error(#Predicate { $0.isHeavy })
        #expect(error?.part == "KeyPath")
        #expect(error?.reason.contains("0x") == false)
        #expect(
            error?.reason.hasSuffix("is no attribute or to-one relationship whose name Swift tells")
                == true)
    }

    @Test func `calculating with decimal numbers`() {
        let one = Decimal(1)
        let error = error(#Predicate { ($0.price ?? one) + one > one })
        #expect(error?.part == "Arithmetic")
        #expect(error?.reason == "SQLite does not calculate with values of type Decimal")
    }

    @Test func `the elements of an attribute`() {
        let list = ["a"]
        let element = listed(#Predicate { $0.words.contains("a") })
        #expect(element?.part == "SequenceContains")
        #expect(element?.reason == "only lists of constants can be searched for an element")
        let part = listed(#Predicate { $0.words.contains(list) })
        #expect(part?.part == "CollectionContainsCollection")
        #expect(listed(#Predicate { $0.words.starts(with: list) })?.part == "SequenceStartsWith")
        #expect(listed(#Predicate { $0.words.isEmpty })?.part == "KeyPath")
    }

    @Test func `values that no attribute holds`() {
        struct Odd: Codable, Hashable { var id = 1 }
        let odd = Odd()
        let odds = [odd]
        let all = error(#Predicate { _ in odds.contains(odd) })
        #expect(all?.part == "Value")
    }

    @Test func `it reads as one line`() {
        let error = PredicateTranslationError(entity: "A", part: "Filter", reason: "why")
        #expect("\(error)" == "a predicate over A can't be asked of a store: Filter: why")
    }

    @Test func `a type can tell the names of its properties itself`() throws {
        let store = try Store.inMemory(entities: Watched.self)
        try store.insert("Watched", #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#)
        #expect(try store.fetch(Watched.where(#Predicate { $0.name == "b" })).map(\.id) == [2])
        #expect(Watched.describedName(of: \.name) == nil)
        #expect(Watched.describedName(of: \.id) == "id")
    }
}

extension Product {
    fileprivate var isHeavy: Bool { weight ?? 0 > 1 }
}

@Entity private struct Listed {
    @Identity var id: Int
    var words: [String]
}

@Entity private struct Watched {
    @Identity var id: Int
    var name: String {
        didSet {}
    }

    static func propertyName(of keyPath: PartialKeyPath<Watched>) -> String? {
        keyPath == \Watched.name ? "name" : nil
    }
}
