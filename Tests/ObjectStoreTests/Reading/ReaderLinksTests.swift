import Foundation
import Testing

@testable import LarderObjectStore

/// Objects whose attributes are called as the columns of the tables of their links.
@Entity private struct Deck {
    @Identity var id: Int
    var position: String?
    var source: Int?
    var target: Int?
    var inversePosition: Int
    @Relationship(inverse: "decks") var slides: Many<Slide>
    var drafts: Many<Slide>
    @Relationship(ordered: false) var spares: Many<Slide>
}

@Entity private struct Slide {
    @Identity var id: Int
    var position: Int
    var source: String?
    var target: String?
    var inversePosition: Int?
    @Relationship(inverse: "slides") var decks: Many<Deck>
}

/// Linked objects come in the order of their links, whatever their own columns hold.
struct ReaderLinksTests {
    private let store: Store

    init() throws {
        store = try .inMemory(entities: Deck.self, Slide.self)
        try store.import(
            [Deck].self,
            from: """
                [{"id": 1, "inversePosition": 9, "source": 5,
                  "slides": [{"id": 3, "position": 1, "source": "c", "inversePosition": 3},
                             {"id": 1, "position": 2, "target": "a", "inversePosition": 2},
                             {"id": 2, "position": 3}],
                  "drafts": [2, 3, 1], "spares": [3, 1]},
                 {"id": 2, "inversePosition": 1, "target": 6, "slides": [2, 3]}]
                """)
        // The order of the other side is its own.
        try store.import(Slide.self, from: #"{"id": 3, "position": 1, "decks": [2, 1]}"#)
    }

    private func deck(_ id: Int) throws -> Deck {
        try #require(try store.find(Deck.self, id: id))
    }

    private func slides(_ relationship: (Deck) -> Many<Slide>, of id: Int = 1) throws -> [Int] {
        try relationship(deck(id)).fetch().map(\.id)
    }

    private func ids(_ json: Data) throws -> [Int64]? {
        try JSONDocument(json).root.elements?.compactMap { $0["id"]?.integer }
    }

    private func ids(_ objects: [DynamicObject]) throws -> [Int] {
        try objects.map { try $0.value("id") }
    }

    @Test func `one relationship's`() throws {
        #expect(try slides(\.slides) == [3, 1, 2])
        #expect(try slides(\.slides, of: 2) == [2, 3])
        #expect(try slides(\.drafts) == [2, 3, 1])
        #expect(try slides(\.spares) == [1, 3])
        let slide = try #require(try store.find(Slide.self, id: 3))
        #expect(try slide.decks.fetch().map(\.id) == [2, 1])
        #expect(try slide.decks.fetch().map(\.inversePosition) == [1, 9])
    }

    @Test func `many relationships' together`() throws {
        let decks = try store.fetch(Deck.all, including: \.slides, \.drafts, \.spares)
        #expect(decks.map { $0.1.map(\.id) } == [[3, 1, 2], [2, 3]])
        #expect(decks.map { $0.2.map(\.id) } == [[2, 3, 1], []])
        #expect(decks.map { $0.3.map(\.id) } == [[1, 3], []])
        let slides = try store.fetch(Slide.all, including: \.decks)
        #expect(slides.map { $0.1.map(\.id) } == [[1], [1, 2], [2, 1]])
    }

    @Test func `as JSON`() throws {
        let deck = try deck(1)
        #expect(try ids(deck.slides.json(relationships: .omitted)) == [3, 1, 2])
        #expect(try ids(deck.drafts.json(relationships: .omitted)) == [2, 3, 1])
        #expect(try ids(deck.spares.json(relationships: .omitted)) == [1, 3])
        let slide = try #require(try store.find(Slide.self, id: 3))
        #expect(try ids(slide.decks.json(relationships: .omitted)) == [2, 1])
        let decks = try JSONDocument(store.json(Deck.all)).root.elements
        let nested = decks?.map { deck in
            deck["slides"]?.elements?.compactMap { $0["id"]?.integer ?? $0.integer }
        }
        #expect(nested == [[3, 1, 2], [2, 3]])
    }

    @Test func `of objects that are known by name only`() throws {
        let deck = try #require(try store.find("Deck", id: 1))
        #expect(try ids(deck.many("slides")) == [3, 1, 2])
        #expect(try ids(deck.many("drafts")) == [2, 3, 1])
        let slide = try #require(try store.find("Slide", id: 3))
        #expect(try ids(slide.many("decks")) == [2, 1])
    }

    @Test func `as they are after a change`() throws {
        try store.write { context in
            let slides = try context.edit(\.slides, of: One<Deck>(id: 1))
            try slides.move(One(id: 2), to: 0)
            try slides.remove(One(id: 1))
            try slides.add(
                Slide(
                    id: 4, position: 0, source: nil, target: nil, inversePosition: nil, decks: []))
            let drafts = try context.edit(\.drafts, of: One<Deck>(id: 1))
            try drafts.set(Many(ids: [1, 2]))
            let decks = try context.edit(\.decks, of: One<Slide>(id: 3))
            try decks.move(One(id: 1), to: 0)
        }
        #expect(try slides(\.slides) == [2, 3, 4])
        #expect(try slides(\.drafts) == [1, 2])
        let slide = try #require(try store.find(Slide.self, id: 3))
        #expect(try slide.decks.fetch().map(\.id) == [1, 2])
    }

    @Test func `conditions on them ask for the objects' own columns`() throws {
        let moved = Deck.where { $0.slides.contains { $0.position == 3 && $0.source.isNil } }
        #expect(try store.fetch(moved).map(\.id) == [1, 2])
        let sums = Deck.where { $0.drafts.sum { $0.position } == 6 }
        #expect(try store.fetch(sums).map(\.id) == [1])
        #expect(try store.count(DynamicQuery("Deck").where("slides.target = 'a'")) == 1)
    }
}
