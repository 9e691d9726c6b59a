import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

/// What a store lets go of to stay small.
struct EvictionTests {
    private let now = Date(timeIntervalSinceReferenceDate: 1_000_000)

    private func store(
        _ evictions: [Eviction], _ relationships: RelationshipDescription...,
        holder: RelationshipDescription? = nil
    ) throws -> Store {
        var configuration = Store.Configuration()
        configuration.evictions = evictions
        let model = try Model(
            name: "Test",
            entities: [
                .numbered("Note", .optional("seen", .date), relationships: relationships),
                .numbered("Tag", relationships: holder.map { [$0] } ?? []),
            ])
        let store = try Store.inMemory(model: model, configuration: configuration)
        // The note n was seen n days ago, the last one never.
        let notes = (1...10).map { day -> String in
            let date = now.addingTimeInterval(Double(day) * -86_400).ISO8601Format()
            return #"{"id": \#(day), "seen": "\#(date)"}"#
        }
        try insert("Note", "[\(notes.joined(separator: ", ")), {\"id\": 11}]", into: store)
        return store
    }

    private func insert(_ entity: String, _ json: String, into store: Store) throws {
        let root = try JSONDocument(json).root
        _ = try store.write { try $0.mapElements(of: root, as: entity) }
    }

    private func notes(_ store: Store) throws -> [Int64] {
        try store.withWriter { try $0.allRows("SELECT id FROM Note ORDER BY id") }.map { row in
            if case .integer(let id) = row[0] { id } else { -1 }
        }
    }

    @Test func `objects go when they are old`() throws {
        let store = try store([
            Eviction(entity: "Note", by: "seen", olderThan: .seconds(7 * 86_400 + 1))
        ])
        #expect(try store.evict(at: now) == ["Note": 3])
        #expect(try notes(store) == [1, 2, 3, 4, 5, 6, 7, 11])
        #expect(try store.evict(at: now) == [:])
    }

    @Test func `the youngest stay`() throws {
        let store = try store([Eviction(entity: "Note", by: "seen", keeping: 4)])
        #expect(try store.evict(at: now) == ["Note": 7])
        #expect(try notes(store) == [1, 2, 3, 4])
    }

    @Test func `old ones and those beyond the number go`() throws {
        let store = try store([
            Eviction(entity: "Note", by: "seen", olderThan: .seconds(2 * 86_400 + 1), keeping: 8)
        ])
        #expect(try store.evict(at: now) == ["Note": 9])
        #expect(try notes(store) == [1, 2])
    }

    @Test func `nothing goes unless something is said`() throws {
        #expect(try store([]).evict(at: now) == [:])
        #expect(try store([Eviction(entity: "Note", by: "seen")]).evict(at: now) == [:])
    }

    @Test func `what its delete rules take along goes with it`() throws {
        let all = Eviction(entity: "Note", by: "seen", keeping: 0)
        let store = try store(
            [all],
            RelationshipDescription(
                "tags", to: "Tag", isToMany: true, key: "tags", deleteRule: .cascade))
        try insert("Note", #"[{"id": 3, "tags": [1, 2]}, {"id": 4, "tags": [2, 3]}]"#, into: store)
        #expect(try store.evict(at: now) == ["Note": 11, "Tag": 3])
        #expect(try store.checkIntegrity().isSound)
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
        try insert(
            "Tag", #"[{"id": 1, "note": 7}, {"id": 2, "note": {"id": 1, "text": "a"}}]"#,
            into: store)
        #expect(try store.evict(at: now) == [:])
        #expect(try notes(store) == [1, 7])
    }

    @Test func `an eviction names what there is`() throws {
        for eviction in [
            Eviction(entity: "Nobody", by: "seen", keeping: 1),
            Eviction(entity: "Note", by: "nothing", keeping: 1),
            Eviction(entity: "Note", by: "id", keeping: 1),
        ] {
            #expect(throws: StoreError.self) { try store([eviction]).evict(at: now) }
        }
        #expect(Eviction(Card.self, by: "x").entity == "Card")
    }
}
