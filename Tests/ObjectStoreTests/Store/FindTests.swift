import Foundation
import Testing

@testable import LarderObjectStore

/// Objects by their identity.
struct FindTests {
    @Test func `an object is found by its identity`() throws {
        let fixture = try Comics.fixture()
        try fixture.insert("Hero", #"[{"id": 1, "name": "A"}, {"id": 2, "name": "B"}]"#)
        let hero = try fixture.store.find(Hero.self, id: 2)
        #expect(hero?.name == "B")
        let absent = try fixture.store.find(Hero.self, id: 3)
        #expect(absent == nil)
        let inferred: Hero? = try fixture.store.find(id: 1)
        #expect(inferred?.name == "A")
    }

    @Test func `an identity of text, with quotes in it, is a value`() throws {
        let fixture = try Comics.fixture()
        try fixture.insert("Power", #"[{"id": "o'\"x", "name": "A"}, {"id": "7", "name": "B"}]"#)
        let quoted = try fixture.store.find(Power.self, id: "o'\"x")
        #expect(quoted?.name == "A")
        let number = try fixture.store.find(Power.self, id: "7")
        #expect(number?.name == "B")
    }

    @Test func `an identity of another type is an error that says what is expected`() throws {
        let fixture = try Comics.fixture()
        let error = #expect(throws: StoreError.self) {
            try fixture.store.find(Power.self, id: 8)
        }
        #expect(error?.reason == .unexpectedValue)
        #expect(error?.message == "Power is identified by id: expected text")
        #expect(throws: StoreError.self) { try fixture.store.find(Hero.self, id: "1") }
    }

    @Test func `an identity of two values takes both in order`() throws {
        let fixture = try Comics.fixture()
        try fixture.insert(
            "Card",
            #"[{"suit": "hearts", "value": "A", "times_played": 3}, {"suit": "A", "value": "hearts"}]"#
        )
        let card = try fixture.store.find(Card.self, id: "hearts", "A")
        #expect(card?.timesPlayed == 3)
        let swapped = try fixture.store.find(Card.self, id: "A", "hearts")
        #expect(swapped != nil && swapped?.timesPlayed == nil)
    }

    @Test func `another number of values is an error that says how many there are`() throws {
        let store = try Comics.store()
        for body in [
            { _ = try store.find(Card.self, id: "hearts") },
            { _ = try store.find(Hero.self, id: 1, 2) },
        ] {
            let error = #expect(throws: StoreError.self, performing: body)
            #expect(error?.reason == .unexpectedValue)
            #expect(error?.description.contains("is identified by") == true)
        }
    }

    @Test func `an object that is known by a reference only is not found`() throws {
        let fixture = try Comics.fixture()
        try fixture.insert("Hero", #"{"id": 1, "name": "A", "publisher": 9}"#)
        let publisher = try fixture.store.find(Publisher.self, id: 9)
        #expect(publisher == nil)
        try fixture.insert("Publisher", #"{"id": 9, "name": "P"}"#)
        let arrived = try fixture.store.find(Publisher.self, id: 9)
        #expect(arrived?.name == "P")
    }

    @Test func `a transaction finds what it has written, others find it atEnd`() throws {
        let fixture = try Comics.fixture()
        let document = try JSONDocument(#"{"id": 1, "name": "A"}"#)
        try fixture.store.write { context in
            try context.import(Hero.self, from: document.root)
            let inside = try context.find(Hero.self, id: 1)
            #expect(inside?.name == "A")
            let throughStore = try fixture.store.find(Hero.self, id: 1)
            #expect(throughStore?.name == "A")
        }
        try fixture.insert("Hero", #"{"id": 1, "name": "B"}"#)
        let later = try fixture.store.find(Hero.self, id: 1)
        #expect(later?.name == "B")
    }

    @Test func `objects may find others of their type while they are read`() throws {
        let store = try Store.inMemory(entities: Chain.self)
        try store.import([Chain].self, from: Data(#"[{"id": 1}, {"id": 2}, {"id": 3}]"#.utf8))
        try Chain.$store.withValue(store) {
            let chain = try store.find(Chain.self, id: 3)
            #expect(chain?.ids == [3, 2, 1])
            let again = try store.find(Chain.self, id: 2)
            #expect(again?.ids == [2, 1])
            let all = try store.fetch(Chain.all)
            #expect(all.map(\.ids) == [[1], [2, 1], [3, 2, 1]])
        }
    }

    @Test func `a row that can't be read leaves the statement for the next`() throws {
        let fixture = try Comics.fixture()
        try fixture.insert(
            "Hero", #"[{"id": 1, "name": "A", "publisher": 5}, {"id": 2, "name": "B"}]"#)
        for _ in 0..<3 {
            #expect(throws: StoreError.self) {
                try One<Publisher>(row: 5, store: fixture.store).fetch()
            }
            let hero = try One<Hero>(row: 2, store: fixture.store).fetch()
            #expect(hero.name == "B")
        }
    }
}

/// An object that reads the one before it when it is read.
private struct Chain: Entity {
    @TaskLocal static var store: Store?

    let ids: [Int]

    static var entityName: String { "Chain" }
    static let entityDescription = EntityDescription(
        name: "Chain", identity: ["id"],
        attributes: [AttributeDescription("id", Int.self, key: "id")])

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
    }

    init(row: EntityRow) throws {
        let id: Int = try row.attribute(0)
        let before = id > 1 ? try Self.store?.find(Chain.self, id: id - 1) : nil
        ids = [id] + (before?.ids ?? [])
    }
}
