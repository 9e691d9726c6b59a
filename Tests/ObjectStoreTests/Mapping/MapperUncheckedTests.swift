import Foundation
import Testing

@testable import LarderObjectStore

/// Large imports, whose links SQLite does not look up, and what keeps them right.
struct MapperUncheckedTests {
    private static func lists(policy: LinkPolicy = .set) throws -> StoreFixture {
        var configuration = Store.Configuration()
        configuration.uncheckedImportSize = 0
        return try StoreFixture(
            Model(
                name: "Test",
                entities: [
                    .numbered(
                        "List", .optional("name"),
                        relationships: [
                            RelationshipDescription(
                                "items", to: "Item", isToMany: true, key: "items", policy: policy),
                            RelationshipDescription(
                                "first", to: "Item", isOptional: true, key: "first"),
                        ]),
                    .numbered("Item", .optional("name", .integer)),
                ]),
            configuration: configuration)
    }

    private static func links(_ fixture: StoreFixture) throws -> [String] {
        try fixture.rows("SELECT source, target FROM \"List.items\" ORDER BY source, target")
    }

    @Test func `links lead to rows`() throws {
        let fixture = try Self.lists()
        let lists = (0..<40).map {
            #"{"id": \#($0), "first": \#($0 % 7), "items": [\#($0), {"id": \#($0 + 1)}]}"#
        }
        let report = try fixture.insert("List", "[\(lists.joined(separator: ","))]")
        #expect(report["List"] == .init(40, linked: 80))
        #expect(try Self.links(fixture).count == 80)
        #expect(try fixture.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `an error leaves neither rows nor links, and later documents whole`() throws {
        let fixture = try Self.lists()
        try fixture.insert("List", #"[{"id": 1, "items": [1, 2]}]"#)
        let error = fixture.mappingError(
            "List", #"[{"id": 1, "items": [3]}, {"id": 2, "items": [4, {"id": 5, "name": "x"}]}]"#)
        #expect(error?.path == "$[1].items[1].name")
        #expect(try Self.links(fixture) == ["1|1", "1|2"])
        // Within one transaction as well.
        let bad = try JSONDocument(#"[{"id": 3, "items": [6]}, {"id": 4, "items": [[]]}]"#)
        let good = try JSONDocument(#"[{"id": 5, "items": [7]}]"#)
        try fixture.store.write { context in
            _ = try? context.whole { try context.mapElements(of: bad.root, as: "List") }
            _ = try context.whole { try context.mapElements(of: good.root, as: "List") }
        }
        #expect(try Self.links(fixture).suffix(1) == ["5|7"])
        #expect(try fixture.rows("SELECT count(*) FROM List WHERE id = 4") == ["0"])
        #expect(try fixture.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test(arguments: 0..<8)
    func `objects that fall out of an array are deleted with what leads to them`(
        _ seed: UInt64
    ) throws {
        let fixture = try Self.lists(policy: .replace)
        var generator = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let lists = (0..<3).map { _ in
                let items = (0..<3).map { _ in String(Int.random(in: 0..<9, using: &generator)) }
                let first = Int.random(in: 0..<9, using: &generator)
                return
                    #"{"id": \#(Int.random(in: 0..<4, using: &generator)), "first": \#(first), "items": [\#(items.joined(separator: ","))]}"#
            }
            _ = try? fixture.insert("List", "[\(lists.joined(separator: ","))]")
            #expect(try fixture.rows("PRAGMA foreign_key_check").isEmpty)
        }
    }

    @Test func `links are checked again after an import`() throws {
        let fixture = try Self.lists()
        let document = try JSONDocument(#"{"id": 1, "items": [1, 2]}"#)
        try fixture.store.write { context in
            _ = try context.map(document.root, as: "List")
            try context.connection.execute("DELETE FROM Item WHERE id = 1")
        }
        #expect(try Self.links(fixture) == ["1|2"])
        #expect(throws: StoreError.self) {
            try fixture.store.write { context in
                try context.connection.execute("INSERT INTO \"List.items\" VALUES (1, 77, 0)")
            }
        }
    }

    @Test func `a link that waits for its row is counted off by an import`() throws {
        let fixture = try Self.lists()
        let document = try JSONDocument(#"{"id": 1, "items": [8]}"#)
        try fixture.store.write { context in
            try context.connection.execute("INSERT INTO List (id, first) VALUES (2, 8)")
            _ = try context.map(document.root, as: "List")
        }
        #expect(try fixture.rows("SELECT first FROM List WHERE id = 2") == ["8"])
        #expect(try fixture.rows("PRAGMA foreign_key_check").isEmpty)
    }

    @Test func `links that the other side changes in between are known`() throws {
        let model = try Model(
            name: "Test",
            entities: [
                .numbered(
                    "A", .optional("name"),
                    relationships: [
                        RelationshipDescription(
                            "bs", to: "B", isToMany: true, key: "bs", inverse: "as")
                    ]),
                .numbered(
                    "B", .optional("name"),
                    relationships: [
                        RelationshipDescription(
                            "as", to: "A", isToMany: true, key: "as", inverse: "bs")
                    ]),
            ])
        let fixture = try StoreFixture(model)
        try fixture.insert(
            "A", #"[{"id": 1, "bs": [1]}, {"id": 2, "bs": [1]}, {"id": 3, "bs": [2]}]"#)
        // While the links of 1 are mapped, those of 2 and 3 change from the other side.
        let report = try fixture.insert(
            "A",
            #"[{"id": 1, "bs": [{"id": 1, "as": [1, 3]}]}, {"id": 2, "bs": []}, {"id": 3, "bs": [1, 2]}]"#
        )
        #expect(
            try fixture.rows("SELECT source, target FROM \"A.bs\" ORDER BY source, target")
                == ["1|1", "3|1", "3|2"])
        #expect(report["B"].linked == 1 && report["B"].unlinked == 1)
        #expect(report["A"].linked == 0 && report["A"].unlinked == 0)
    }
}
