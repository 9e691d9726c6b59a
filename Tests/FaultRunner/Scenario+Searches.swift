import Foundation
import LarderObjectStore

extension Scenario {
    /// What is kept in a full-text index besides.
    static let searches: [Scenario] = [
        Scenario(
            "search", after: prepareNotes, opening: openNotes,
            steps: [{ store, _ in try find(10, Note.matching("odd"), in: store) }]),
        Scenario(
            "import-searchable", after: prepareNotes, opening: openNotes,
            steps: [
                { store, _ in
                    try store.import(Many<Note>.self, from: Library.notes(10..<40, edition: 1))
                }
            ]),
        Scenario(
            "change-searchable", after: prepareNotes, opening: openNotes,
            steps: [
                { store, _ in
                    try store.write { context -> Void in
                        try context.save(Note(id: 99, title: "odd one", text: nil))
                        // What is not committed is searched too.
                        try find(11, Note.matching("odd"), in: context)
                        try context.update(Note.where { $0.id < 6 }) { $0.text.set("elsewhere") }
                    }
                },
                { store, _ in try store.delete(Note.matching("even")) },
            ]),
    ]

    private static let openNotes: Opening = { workplace, configuration in
        try Store(at: workplace.path, entities: Note.self, configuration: configuration)
    }

    private static let prepareNotes: @Sendable (Workplace) throws -> Void = { workplace in
        let store = try openNotes(workplace, .impatient)
        try store.import(Many<Note>.self, from: Library.notes(0..<20))
        try store.close()
    }

    private static func find(
        _ expected: Int, _ query: Query<Note>, in store: some ObjectReading
    ) throws {
        let count = try store.read { try $0.fetch(query).count }
        guard count == expected else { throw Wrong("\(count) notes instead of \(expected)") }
    }
}
