import Foundation

@testable import LarderObjectStore

/// Notes that were seen at some time, or never.
enum Notebook {
    static let now = Date(timeIntervalSinceReferenceDate: 1_000_000)

    /// A store of notes that lets go of some.
    static func store(
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

    /// Inserts the elements of the array that the text holds.
    static func insert(_ entity: String, _ json: String, into store: Store) throws {
        let root = try JSONDocument(json).root
        _ = try store.write { try $0.mapElements(of: root, as: entity) }
    }

    /// The identities of the notes that are there.
    static func notes(in store: Store) throws -> [Int64] {
        try store.withWriter { try $0.allRows("SELECT id FROM Note ORDER BY id") }.map { row in
            if case .integer(let id) = row[0] { id } else { -1 }
        }
    }
}
