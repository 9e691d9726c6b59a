import Foundation
import Testing

@testable import LarderObjectStore

/// Whether the store still has what a document has said.
struct SkeletonDigestTests {
    @Entity(
        abstract: true,
        mapper: EntityMapper(key: "kind", values: ["film": "Picture", "song": "Tune"]))
    struct Work {
        @Identity var id: Int
        var name: String
        var year: Int?
    }

    @Entity(parent: Work.self) struct Picture {
        @Inherited var id: Int
        @Inherited var name: String
        @Inherited var year: Int?
        var minutes: Int
    }

    @Entity(parent: Work.self) struct Tune {
        @Inherited var id: Int
        @Inherited var name: String
        @Inherited var year: Int?
        var verse: String?
        @Relationship(ordered: false) var covers: Many<Tune>
    }

    /// What two attributes identify together.
    @Entity struct Stop {
        @Identity var line: String
        @Identity var number: Int
        var name: String?
        var height: Double?
        @Attribute(mapped: false) var isMarked = false
        var next: One<Stop>?
    }

    @Entity struct Folder {
        @Identity var id: Int
        @Relationship(inverse: "folder", ordered: false, policy: .replace) var pages: Many<Sheet>
    }

    /// What nothing identifies.
    @Entity struct Sheet {
        var text: String
        @Relationship(inverse: "pages") var folder: One<Folder>?
        @Relationship(inverse: "sheet", ordered: false, delete: .cascade) var notes: Many<Remark>
    }

    @Entity struct Remark {
        var text: String
        @Relationship(inverse: "notes") var sheet: One<Sheet>?
    }

    private static func kept<Value: Importable>(
        _ type: Value.Type, of text: String, in store: Store
    ) throws -> ImportSkeleton {
        var skeleton = ImportSkeleton()
        let document = try JSONDocument(text)
        try store.write { context in
            _ = try context.receive(type, from: document.root, as: nil) { parts, context in
                skeleton = parts
                skeleton.digest = try context.digest(of: parts)
            }
        }
        return try #require(ImportSkeleton(bytes: skeleton.bytes))
    }

    private static func isHeld(_ skeleton: ImportSkeleton, in store: Store) throws -> Bool {
        try store.read { try $0.holds(skeleton) }
    }

    @Test func `entities that share a table are each read as far as it has named them`() throws {
        let store = try Store.inMemory(entities: Picture.self, Tune.self)
        let skeleton = try Self.kept(
            Many<Tune>.self,
            of: #"""
                [{"id": 1, "name": "a", "verse": "la", "covers": [2, {"id": 3, "name": "c"}]},
                 {"id": 2, "name": "b", "verse": null}]
                """#, in: store)
        let film = try Self.kept(
            Picture.self, of: #"{"id": 9, "name": "f", "minutes": 90, "year": 1990}"#, in: store)
        let edits: [(Bool, @Sendable (Store) throws -> Void)] = [
            (true, { try $0.update(Tune.all) { $0.year.set(1_980) } }),
            (true, { try $0.save(Tune(id: 4, name: "d", covers: [])) }),
            (false, { try $0.update(Tune.where { $0.id == 3 }) { $0.name.set("C") } }),
            (true, { try $0.update(Tune.where { $0.id == 3 }) { $0.name.set("c") } }),
            (false, { try $0.update(Tune.where { $0.id == 2 }) { $0.verse.set("lo") } }),
            (true, { try $0.update(Tune.where { $0.id == 2 }) { $0.verse.set(nil) } }),
            (
                false,
                { store in
                    try store.write {
                        try $0.edit(\.covers, of: One<Tune>(id: 1)).add(One<Tune>(id: 4))
                    }
                }
            ),
        ]
        #expect(try Self.isHeld(skeleton, in: store))
        for (index, (isHeld, edit)) in edits.enumerated() {
            try edit(store)
            #expect(try Self.isHeld(skeleton, in: store) == isHeld, "edit \(index)")
            #expect(try Self.isHeld(film, in: store))
        }
        try store.update(Picture.all) { $0.minutes.set(91) }
        #expect(try !Self.isHeld(film, in: store))
    }

    @Test func `what several values identify, and what leads there`() throws {
        let store = try Store.inMemory(entities: Stop.self)
        let text = #"""
            [{"line": "a", "number": 1, "height": 1.5, "next": {"line": "a", "number": 2, "name": "B"}},
             {"line": "a", "number": 2, "next": null}]
            """#
        let skeleton = try Self.kept([Stop].self, of: text, in: store)
        #expect(try Self.isHeld(skeleton, in: store))
        try store.update(Stop.all) { $0.isMarked.set(true) }
        #expect(try Self.isHeld(skeleton, in: store))
        for other in [
            #"{"line": "a", "number": 1, "height": 1}"#,
            #"{"line": "a", "number": 2, "name": null}"#,
            #"{"line": "a", "number": 1, "next": {"line": "a", "number": 1}}"#,
            #"{"line": "a", "number": 2, "next": {"line": "b", "number": 1}}"#,
        ] {
            try store.import(Stop.self, from: other)
            #expect(try !Self.isHeld(skeleton, in: store))
            try store.import([Stop].self, from: text)
            #expect(try Self.isHeld(skeleton, in: store))
        }
        // It has another row then.
        try store.delete(Stop.where { $0.number == 1 })
        #expect(try !Self.isHeld(skeleton, in: store))
        try store.import([Stop].self, from: text)
        #expect(try !Self.isHeld(skeleton, in: store))
    }

    @Test func `what nothing identifies is what it says, in whichever rows`() throws {
        let store = try Store.inMemory(entities: Folder.self, Sheet.self, Remark.self)
        func text(_ texts: [String]) -> String {
            let pages = texts.map {
                #"{"text": "p", "notes": [{"text": "\#($0)"}, {"text": "n"}]}"#
            }
            return #"[{"id": 1, "pages": [\#(pages.joined(separator: ", "))]}]"#
        }
        let skeleton = try Self.kept([Folder].self, of: text(["a", "b"]), in: store)
        for texts in [["a"], ["b", "a"], ["a", "b", "c"], ["a", "c"], []] {
            try store.import([Folder].self, from: text(texts))
            #expect(try !Self.isHeld(skeleton, in: store))
            try store.import([Folder].self, from: text(["a", "b"]))
            #expect(try Self.isHeld(skeleton, in: store))
        }
        try store.update(Remark.where { $0.text == "b" }) { $0.text.set("c") }
        #expect(try !Self.isHeld(skeleton, in: store))
    }

    @Test(arguments: [1, 7])
    func `of many objects each counts`(_ distance: Int) throws {
        let store = try Store.inMemory(entities: Picture.self, Tune.self)
        let elements = (0..<10_000).map { "{\"id\": \($0 * distance), \"name\": \"n\"}" }
        let skeleton = try Self.kept(
            Many<Tune>.self, of: "[\(elements.joined(separator: ", "))]", in: store)
        for index in [0, 4_095, 4_096, 9_999] {
            let tune = Tune.where { $0.id == index * distance }
            try store.update(tune) { $0.name.set("m") }
            #expect(try !Self.isHeld(skeleton, in: store))
            try store.update(tune) { $0.name.set("n") }
            #expect(try Self.isHeld(skeleton, in: store))
        }
        try store.delete(Tune.where { $0.id == 5_000 * distance })
        #expect(try !Self.isHeld(skeleton, in: store))
    }
}
