import Testing

@testable import LarderObjectStore

/// One identity, one row, whichever way an object comes.
struct RowWriterTests {
    @Entity("Part") struct Part: Equatable {
        @Identity var box: Int
        @Identity var slot: String?
        var name: String?
        var count: Int
    }

    @Entity("Shelf") struct Shelf {
        @Identity var id: Int
        @Relationship(partial: true) var first: One<Part>?
        @Relationship(ordered: false, partial: true) var tags: Many<Tag>
        @Relationship(inverse: "shelf", ordered: false) var labels: Many<Label>
    }

    @Entity("Tag") struct Tag {
        @Identity var text: String
        var note: String?
    }

    @Entity("Label") struct Label {
        @Identity var text: String
        @Relationship(inverse: "labels") var shelf: One<Shelf>?
    }

    /// An object that can be saved and be spelled as JSON.
    private enum Object {
        case part(Part)
        case shelf(id: Int, first: Int?, tags: [String]?, labels: [String]?)

        var entity: String {
            switch self {
            case .part: "Part"
            case .shelf: "Shelf"
            }
        }

        var json: String {
            switch self {
            case .part(let part):
                return """
                    {"box": \(part.box), "slot": \(part.slot.map { "\"\($0)\"" } ?? "null"),
                     "name": \(part.name.map { "\"\($0)\"" } ?? "null"), "count": \(part.count)}
                    """
            case .shelf(let id, let first, let tags, let labels):
                var members = ["\"id\": \(id)"]
                members.append("\"first\": \(first.map(Self.reference) ?? "null")")
                if let tags {
                    let list = tags.map { "\"\($0)\"" }.joined(separator: ", ")
                    members.append("\"tags\": [\(list)]")
                }
                if let labels {
                    let list = labels.map { "\"\($0)\"" }.joined(separator: ", ")
                    members.append("\"labels\": [\(list)]")
                }
                return "{\(members.joined(separator: ", "))}"
            }
        }

        func save(in context: Context) throws {
            switch self {
            case .part(let part):
                try context.save(part)
            case .shelf(let id, let first, let tags, let labels):
                try context.save(
                    Shelf(
                        id: id, first: first.map { One(id: .init(box: $0, slot: "a")) },
                        tags: tags.map { Many(ids: $0) } ?? .unchanged,
                        labels: labels.map { Many(ids: $0) } ?? .unchanged))
            }
        }

        /// Nothing but a part's identity.
        private static func reference(_ box: Int) -> String { #"{"box": \#(box), "slot": "a"}"# }

        static func random(using random: inout SplitMix64) -> Object {
            func box() -> Int { Int.random(in: 0..<3, using: &random) }
            func list<Element>(_ element: () -> Element) -> [Element]? {
                Bool.random(using: &random)
                    ? (0..<Int.random(in: 0..<3, using: &random)).map { _ in element() } : nil
            }
            if Bool.random(using: &random) {
                let slot = [nil, "a", "b"].randomElement(using: &random) ?? nil
                let name = [nil, "n", "m"].randomElement(using: &random) ?? nil
                return .part(Part(box: box(), slot: slot, name: name, count: box()))
            }
            return .shelf(
                id: box(), first: Bool.random(using: &random) ? box() : nil,
                tags: list { "t\(box())" },
                labels: list { "l\(box())" })
        }
    }

    /// All that is in a store's tables, each row in full.
    private static func content(of fixture: StoreFixture) throws -> [String] {
        let tables = try fixture.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                + " AND name NOT LIKE '$%' ORDER BY name")
        return try tables.flatMap { table in
            try fixture.rows("SELECT * FROM \(table.sqlName)").map { "\(table): \($0)" }.sorted()
        }
    }

    @Test(arguments: 0..<30)
    func `documents and code leave the same rows and count the same`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let imported = try StoreFixture(entities: Part.self, Shelf.self, Tag.self, Label.self)
        let saved = try StoreFixture(entities: Part.self, Shelf.self, Tag.self, Label.self)
        for step in 0..<40 {
            let object = Object.random(using: &random)
            let report = try imported.insert(object.entity, object.json)
            let other = try saved.store.write { context in
                try object.save(in: context)
                return context.report
            }
            if case .part = object { try #require(report == other, "step \(step): \(object)") }
            let content = try Self.content(of: imported)
            try #require(try content == Self.content(of: saved), "step \(step): \(object)")
        }
        #expect(try imported.store.checkIntegrity().isSound)
        #expect(try saved.store.checkIntegrity().isSound)
    }
}
