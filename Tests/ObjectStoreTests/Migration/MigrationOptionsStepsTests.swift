import Testing

@testable import LarderObjectStore

/// Which steps a store takes, and what they see.
struct MigrationOptionsStepsTests {
    @Test func `a chain of steps leads through most versions, by the fewest steps`() {
        func taken(_ versions: [(Int, Int)], from version: Int = 0, to target: Int) -> [String] {
            var options = MigrationOptions()
            options.version = target
            options.steps = versions.map { Migration(from: $0, to: $1) { _ in } }
            return options.steps(from: version).map { "\($0.from)-\($0.to)" }
        }
        let shortcut = [(1, 2), (1, 2), (0, 2), (0, 1)]
        #expect(taken(shortcut, to: 2) == ["0-2"])
        #expect(taken(shortcut, to: 1) == ["0-1"])
        #expect(taken(shortcut, from: 1, to: 2) == ["1-2", "1-2"])
        #expect(taken(shortcut, from: 2, to: 2) == [])
        // The one that leads furthest at first is a dead end.
        #expect(taken([(0, 1), (0, 2), (1, 3)], to: 3) == ["0-1", "1-3"])
        #expect(
            taken([(0, 3), (0, 1), (1, 2), (2, 5)], to: 5) == ["0-1", "1-2", "2-5"])
        #expect(taken([(0, 1), (3, 4)], to: 5) == ["0-1", "3-4"])
        #expect(taken([(0, 0), (0, 2)], to: 2) == ["0-0", "0-2"])
        // Nothing is taken for what is at version 1 where there is a step for what is at 0.
        #expect(taken([(0, 2), (1, 4)], to: 4) == ["0-2"])
        #expect(taken([(0, 1), (1, 3), (2, 5)], to: 5) == ["0-1", "1-3"])
    }

    /// There is no second version for a store that skips it.
    @Test(arguments: [[1, 2], [2]], [false, true])
    func `a step to the app's model serves who skips a version`(
        _ versions: [Int], _ isFirstKept: Bool
    ) throws {
        let first = Migration(from: 0, to: 1, resolving: [.attribute("Note.name")]) { context in
            try context.map("Note") { old, new in
                let name = try old.value("name", as: String.self) ?? ""
                try new.set("title", name)
                try new.set("words", name.count)
            }
        }
        let steps = [
            Migration(from: 1, to: 2, resolving: [.attribute("Note.words")]) { context in
                try context.map("Note") { old, new in
                    try new.set("size", Double(try old.value("words", as: Int.self) ?? 0))
                }
            },
            Migration(from: 0, to: 2, resolving: [.attribute("Note.name")]) { context in
                #expect(context.oldModel[entity: "Note"]?.attribute(named: "words") == nil)
                try context.map("Note") { old, new in
                    let name = try old.value("name", as: String.self) ?? ""
                    try new.set("title", name)
                    try new.set("size", Double(name.count))
                }
            },
        ]
        let title = AttributeDescription.required("title")
        let models: [EntityDescription] = [
            .numbered("Note", .required("name")),
            .numbered("Note", title, .required("words", .integer)),
            .numbered("Note", title, .required("size", .double)),
        ]
        let fixture = try MigrationFixture()
        try fixture.make(models[0], inserting: ["Note": #"[{"id": 1, "name": "abc"}]"#])
        for version in versions {
            var options = MigrationOptions()
            options.version = version
            options.steps = version == 1 ? [first] : (isFirstKept ? [first] : []) + steps
            try fixture.migrate(models[version], options: options)
        }
        #expect(try fixture.rows("SELECT id, title, size FROM Note") == ["1|abc|3.0"])
    }
}
