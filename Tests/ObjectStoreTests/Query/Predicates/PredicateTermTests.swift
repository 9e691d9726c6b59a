import Foundation
import Testing

@testable import LarderObjectStore

/// Foundation's predicates, asked of a store and of the same objects in memory.
struct PredicateTermTests {
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

    @Test func `and, or, not, if`() throws {
        #expect(try found(#Predicate { $0.count > 0 && $0.id > 1 }) == [4])
        #expect(try found(#Predicate { $0.count < 0 || $0.id == 1 }) == [1, 2])
        #expect(try found(#Predicate { !($0.note == "") }) == [1, 2, 3])
        #expect(
            try found(#Predicate { if $0.id > 2 { $0.count == 0 } else { $0.count == 7 } }) == [
                1, 3,
            ])
        #expect(try found(#Predicate { ($0.id > 2 ? $0.count : 0) == 3 }) == [4])
        #expect(try found(#Predicate { _ in true }) == [1, 2, 3, 4])
        #expect(try found(#Predicate { _ in false }) == [])
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

    @Test func `arithmetic`() throws {
        #expect(try found(#Predicate { $0.id + $0.count == 8 }) == [1])
        #expect(try found(#Predicate { $0.id - 1 == 0 }) == [1])
        #expect(try found(#Predicate { $0.id * 2 > 5 }) == [3, 4])
        #expect(try found(#Predicate { $0.count / 2 == -3 }) == [2])
        #expect(try found(#Predicate { $0.count % 2 == -1 }) == [2])
        #expect(try found(#Predicate { -$0.count > 0 }) == [2])
        #expect(try found(#Predicate { ($0.weight ?? 1) / 2 < 0.5 }) == [1])
    }

    @Test func `text`() throws {
        #expect(try found(#Predicate { $0.name.contains("a") }) == [2, 3, 4])
        #expect(try found(#Predicate { $0.name.contains("") }) == [1, 2, 3, 4])
        #expect(try found(#Predicate { $0.name.contains("'; --") }) == [])
        #expect(try found(#Predicate { $0.name.starts(with: "App") }) == [1])
        #expect(try found(#Predicate { $0.name.starts(with: "app") }) == [])
        #expect(try found(#Predicate { $0.name.starts(with: "") }) == [1, 2, 3, 4])
        #expect(try found(#Predicate { "Apple pie".starts(with: $0.name) }) == [1])
        #expect(try found(#Predicate { ($0.note ?? "x").isEmpty }) == [4])
        let nul = "Ap\u{0}p"
        #expect(try found(#Predicate { $0.name.starts(with: nul) }) == [])
    }

    @Test func `what is captured counts as a value`() throws {
        let apple = try #require(try store.first(Product.where { $0.id == 1 }))
        let name = apple.name
        #expect(try found(#Predicate { $0.name == name }) == [1])
        let text = "APPLE"
        #expect(
            try found(#Predicate { $0.name.contains("A") && $0.count == text.count + 2 }) == [1])
    }

    @Test func `it goes with columns, orders and counts`() throws {
        let query = try Product.where { $0.count >= 0 }
            .where(#Predicate { $0.id > 1 }).sorted { $0.name.descending }.limit(1)
        #expect(try store.fetch(query).map(\.id) == [3])
        #expect(try store.count(Product.where(#Predicate { $0.id > 1 })) == 3)
        #expect(
            try store.write { try $0.delete(try Product.where(#Predicate { $0.id > 1 })) } == 3)
    }

    @Test func `relationships are compared with nothing`() throws {
        let store = try Comics.store()
        try store.insert(
            "Hero",
            #"[{"id": 1, "name": "a", "mentor": 2}, {"id": 2, "name": "b", "active": false}]"#)
        #expect(try store.fetch(Hero.where(#Predicate { $0.mentor == nil })).map(\.id) == [2])
        #expect(try store.fetch(Hero.where(#Predicate { $0.mentor != nil })).map(\.id) == [1])
        #expect(try store.fetch(Hero.where(#Predicate { $0.isActive })).map(\.id) == [1])
        #expect(try store.fetch(Hero.where(#Predicate { !$0.isActive })).map(\.id) == [2])
        #expect(try store.fetch(Hero.where(#Predicate { $0.isActive == false })).map(\.id) == [2])
    }

    @Test func `what sub-entities inherit`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert(
            "Message",
            #"[{"id": 1, "type": "text", "text": "a"}, {"id": 2, "type": "text", "text": "b"}]"#)
        let query = try TextMessage.where(#Predicate { $0.id > 1 && $0.text == "b" })
        #expect(try fixture.store.fetch(query).map(\.id) == [2])
        #expect(
            try fixture.store.fetch(TextMessage.where(#Predicate { $0.author == nil })).count == 2)
    }
}
