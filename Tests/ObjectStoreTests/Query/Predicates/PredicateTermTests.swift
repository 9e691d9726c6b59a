import Foundation
import Testing

@testable import LarderObjectStore

/// Foundation's predicates, asked of a store and of the same objects in memory.
struct PredicateTermTests {
    private let shop: ShopQueries
    private var store: Store { shop.store }

    init() throws { shop = try ShopQueries() }

    @Test func `and, or, not, if`() throws {
        #expect(try shop.found(#Predicate { $0.count > 0 && $0.id > 1 }) == [4])
        #expect(try shop.found(#Predicate { $0.count < 0 || $0.id == 1 }) == [1, 2])
        #expect(try shop.found(#Predicate { !($0.note == "") }) == [1, 2, 3])
        #expect(
            try shop.found(#Predicate { if $0.id > 2 { $0.count == 0 } else { $0.count == 7 } })
                == [1, 3])
        #expect(try shop.found(#Predicate { ($0.id > 2 ? $0.count : 0) == 3 }) == [4])
        #expect(try shop.found(#Predicate { _ in true }) == [1, 2, 3, 4])
        #expect(try shop.found(#Predicate { _ in false }) == [])
    }

    @Test func `text`() throws {
        #expect(try shop.found(#Predicate { $0.name.contains("a") }) == [2, 3, 4])
        #expect(try shop.found(#Predicate { $0.name.contains("") }) == [1, 2, 3, 4])
        #expect(try shop.found(#Predicate { $0.name.contains("'; --") }) == [])
        #expect(try shop.found(#Predicate { $0.name.starts(with: "App") }) == [1])
        #expect(try shop.found(#Predicate { $0.name.starts(with: "app") }) == [])
        #expect(try shop.found(#Predicate { $0.name.starts(with: "") }) == [1, 2, 3, 4])
        #expect(try shop.found(#Predicate { "Apple pie".starts(with: $0.name) }) == [1])
        #expect(try shop.found(#Predicate { ($0.note ?? "x").isEmpty }) == [4])
        let nul = "Ap\u{0}p"
        #expect(try shop.found(#Predicate { $0.name.starts(with: nul) }) == [])
    }

    @Test func `what is captured counts as a value`() throws {
        let apple = try #require(try store.first(Product.where { $0.id == 1 }))
        let name = apple.name
        #expect(try shop.found(#Predicate { $0.name == name }) == [1])
        let text = "APPLE"
        #expect(
            try shop.found(#Predicate { $0.name.contains("A") && $0.count == text.count + 2 })
                == [1])
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
