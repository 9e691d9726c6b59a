import Foundation
import Testing

@testable import LarderObjectStore

/// What a store lets go of to stay small.
struct EvictionTests {
    @Test func `objects go when they are old`() throws {
        let store = try Notebook.store([
            Eviction(entity: "Note", by: "seen", olderThan: .seconds(7 * 86_400 + 1))
        ])
        #expect(try store.evict(at: Notebook.now) == ["Note": 3])
        #expect(try Notebook.notes(in: store) == [1, 2, 3, 4, 5, 6, 7, 11])
        #expect(try store.evict(at: Notebook.now) == [:])
    }

    @Test func `the youngest stay`() throws {
        let store = try Notebook.store([Eviction(entity: "Note", by: "seen", keeping: 4)])
        #expect(try store.evict(at: Notebook.now) == ["Note": 7])
        #expect(try Notebook.notes(in: store) == [1, 2, 3, 4])
    }

    @Test func `old ones and those beyond the number go`() throws {
        let store = try Notebook.store([
            Eviction(entity: "Note", by: "seen", olderThan: .seconds(2 * 86_400 + 1), keeping: 8)
        ])
        #expect(try store.evict(at: Notebook.now) == ["Note": 9])
        #expect(try Notebook.notes(in: store) == [1, 2])
    }

    @Test func `nothing goes unless something is said`() throws {
        #expect(try Notebook.store([]).evict(at: Notebook.now) == [:])
        #expect(
            try Notebook.store([Eviction(entity: "Note", by: "seen")]).evict(at: Notebook.now)
                == [:])
    }

    @Test func `what its delete rules take along goes with it`() throws {
        let all = Eviction(entity: "Note", by: "seen", keeping: 0)
        let store = try Notebook.store(
            [all],
            RelationshipDescription(
                "tags", to: "Tag", isToMany: true, key: "tags", deleteRule: .cascade))
        try Notebook.insert(
            "Note", #"[{"id": 3, "tags": [1, 2]}, {"id": 4, "tags": [2, 3]}]"#, into: store)
        #expect(try store.evict(at: Notebook.now) == ["Note": 11, "Tag": 3])
        #expect(try store.checkIntegrity().isSound)
    }

    @Test func `the indexes are made without which each would cost a look at a table`() throws {
        let store = try Notebook.store(
            [Eviction(entity: "Note", by: "seen", keeping: 4)],
            holder: RelationshipDescription("note", to: "Note", isOptional: true, key: "note"))
        func indexes() throws -> [[SQLValue]] {
            try store.withWriter {
                try $0.allRows(
                    "SELECT name FROM sqlite_schema WHERE type = 'index' AND name = 'Tag.note'")
            }
        }
        #expect(try indexes().isEmpty)
        #expect(try store.evict(at: Notebook.now) == ["Note": 7])
        #expect(try indexes().count == 1)
    }

    @Test func `references have no age`() throws {
        let store = try Store.inMemory(
            model: Model(
                name: "Test",
                entities: [
                    .numbered("Note", .required("text"), .optional("seen", .date)),
                    .numbered(
                        "Tag",
                        relationships: [
                            RelationshipDescription(
                                "note", to: "Note", isOptional: true, key: "note")
                        ]),
                ]),
            configuration: {
                var configuration = Store.Configuration()
                configuration.evictions = [Eviction(entity: "Note", by: "seen", keeping: 1)]
                return configuration
            }())
        try Notebook.insert(
            "Tag", #"[{"id": 1, "note": 7}, {"id": 2, "note": {"id": 1, "text": "a"}}]"#,
            into: store)
        #expect(try store.evict(at: Notebook.now) == [:])
        #expect(try Notebook.notes(in: store) == [1, 7])
    }

    @Test func `an eviction names what there is`() throws {
        for eviction in [
            Eviction(entity: "Nobody", by: "seen", keeping: 1),
            Eviction(entity: "Note", by: "nothing", keeping: 1),
            Eviction(entity: "Note", by: "id", keeping: 1),
        ] {
            #expect(throws: StoreError.self) {
                try Notebook.store([eviction]).evict(at: Notebook.now)
            }
        }
        #expect(Eviction(Card.self, by: "x").entity == "Card")
    }
}
