import Foundation
import Testing

@testable import LarderObjectStore

/// Objects that lead back to each other, whose JSON has an end all the same.
@Suite struct ExporterTests {
    private func json(
        _ fixture: StoreFixture, _ entity: String,
        _ relationships: ExportedRelationships = .nested
    ) throws -> String {
        try fixture.store.read { snapshot in
            let json = try snapshot.json(
                QueryDescription(entity: entity), relationships: relationships)
            return String(decoding: json, as: UTF8.self)
        }
    }

    private func node(_ relationships: RelationshipDescription...) -> EntityDescription {
        .numbered("Node", .optional("name"), relationships: relationships)
    }

    @Test func `an object inside itself is its identity`() throws {
        let fixture = try StoreFixture(
            node(RelationshipDescription("next", to: "Node", isOptional: true, key: "next")))
        try fixture.insert(
            "Node",
            #"[{"id":1,"name":"a","next":{"id":2,"name":"b","next":1}},{"id":3,"next":3}]"#)
        #expect(
            try json(fixture, "Node")
                == #"[{"id":1,"name":"a","next":{"id":2,"name":"b","next":1}},"#
                + #"{"id":2,"name":"b","next":{"id":1,"name":"a","next":2}},"#
                + #"{"id":3,"name":null,"next":3}]"#)
    }

    @Test func `objects that stand beside each other are written each time`() throws {
        let fixture = try StoreFixture(
            .numbered("User", .required("name")),
            .numbered(
                "Issue",
                relationships: [
                    RelationshipDescription("author", to: "User", key: "author"),
                    RelationshipDescription(
                        "assignees", to: "User", isToMany: true, isOrdered: true, key: "assignees"),
                ]))
        try fixture.insert(
            "Issue", #"{"id":1,"author":{"id":2,"name":"n"},"assignees":[{"id":3,"name":"m"},2]}"#)
        #expect(
            try json(fixture, "Issue")
                == #"[{"id":1,"author":{"id":2,"name":"n"},"#
                + #""assignees":[{"id":3,"name":"m"},{"id":2,"name":"n"}]}]"#)
    }

    @Test func `in a web of objects of one kind each is written once`() throws {
        let fixture = try StoreFixture(
            node(
                RelationshipDescription(
                    "peers", to: "Node", isToMany: true, isOrdered: true, key: "peers")))
        // All ways through this would be more than 10 to the power of 17.
        let ids = (1...20).map(String.init)
        let nodes = ids.map { id in
            #"{"id":\#(id),"peers":[\#(ids.filter { $0 != id }.joined(separator: ","))]}"#
        }
        try fixture.insert("Node", "[\(nodes.joined(separator: ","))]")
        let json = try json(fixture, "Node")
        #expect(json.utf8.count < 2_000_000)
        let copy = try StoreFixture(fixture.store.model.entities[0])
        try copy.insert("Node", json)
        #expect(try self.json(copy, "Node") == json)
    }

    @Test func `a relationship that is its own inverse is not followed back`() throws {
        let fixture = try StoreFixture(
            node(
                RelationshipDescription(
                    "friends", to: "Node", isToMany: true, key: "friends", inverse: "friends")))
        try fixture.insert("Node", #"{"id":1,"friends":[{"id":2},{"id":3,"friends":[2]}]}"#)
        #expect(
            try json(fixture, "Node").hasPrefix(
                #"[{"id":1,"name":null,"friends":[{"id":2,"name":null},{"id":3,"name":null}]},"#))
        #expect(
            try json(fixture, "Node", .identities)
                == #"[{"id":1,"name":null,"friends":[2,3]},{"id":2,"name":null,"friends":[1,3]},"#
                + #"{"id":3,"name":null,"friends":[1,2]}]"#)
    }

    @Test func `what leads back from further down is identities`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "A",
                relationships: [
                    RelationshipDescription(
                        "bs", to: "B", isToMany: true, key: "bs", inverse: "a")
                ]),
            .numbered(
                "B",
                relationships: [
                    RelationshipDescription(
                        "a", to: "A", isOptional: true, key: "a", inverse: "bs"),
                    RelationshipDescription("c", to: "C", isOptional: true, key: "c"),
                ]),
            .numbered(
                "C",
                relationships: [RelationshipDescription("b", to: "B", isOptional: true, key: "b")]))
        try fixture.insert(
            "A", #"[{"id":1,"bs":[{"id":2,"c":{"id":3,"b":{"id":4,"a":{"id":5}}}}]}]"#)
        #expect(
            try json(fixture, "A")
                == #"[{"id":1,"bs":[{"id":2,"c":{"id":3,"b":{"id":4,"a":5,"c":null}}}]},"#
                + #"{"id":5,"bs":[{"id":4,"c":null}]}]"#)
    }

    @Test func `a long chain is cut where readers have limits`() throws {
        let fixture = try StoreFixture(
            node(RelationshipDescription("next", to: "Node", isOptional: true, key: "next")))
        let nodes = (1...150).map { #"{"id":\#($0),"next":\#($0 == 150 ? "null" : "\($0 + 1)")}"# }
        try fixture.insert("Node", "[\(nodes.joined(separator: ","))]")
        let json = try json(fixture, "Node")
        let objects = try #require(try JSONDocument(json, depthLimit: 120).root.elements)
        #expect(objects.count == 150)
        let first = String(decoding: objects[0].source, as: UTF8.self)
        #expect(first.contains(#""next":{"id":100,"name":null,"next":101}}"#))
    }

    // MARK: Identities

    @Test func `several attributes identify by an object of them`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Card", identity: ["suit", "rank"],
                attributes: [
                    AttributeDescription("rank", .integer, key: "face.rank"),
                    .optional("note"), AttributeDescription("suit", .string, key: "face.suit"),
                ]),
            .numbered("Hand", relationships: [.init("card", to: "Card", key: "card")]))
        try fixture.insert(
            "Hand", #"{"id":1,"card":{"face":{"suit":"s","rank":7},"note":"n"}}"#)
        #expect(
            try json(fixture, "Hand", .identities)
                == #"[{"id":1,"card":{"face":{"rank":7,"suit":"s"}}}]"#)
    }

    @Test func `what nothing identifies is written itself`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Line", attributes: [.required("text")],
                relationships: [
                    RelationshipDescription("page", to: "Page", isOptional: true, key: "page")
                ]),
            .numbered(
                "Page",
                relationships: [
                    RelationshipDescription(
                        "lines", to: "Line", isToMany: true, isOrdered: true, key: "lines")
                ]))
        try fixture.insert(
            "Page", #"{"id":1,"lines":[{"text":"b","page":2},{"text":"a","page":1}]}"#)
        let whole = #"{"id":1,"lines":[{"text":"b","page":{"id":2,"lines":[]}},"#
        #expect(try json(fixture, "Page").hasPrefix("[" + whole))
        #expect(
            try json(fixture, "Page", .identities).hasPrefix(
                #"[{"id":1,"lines":[{"text":"b","page":2},{"text":"a","page":1}]}"#))
    }

    @Test func `what nothing identifies can't stand inside itself`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Knot", attributes: [.required("text")],
                relationships: [
                    RelationshipDescription(
                        "knots", to: "Knot", isToMany: true, isOrdered: true, key: "knots"),
                    RelationshipDescription("one", to: "Knot", isOptional: true, key: "one"),
                ]))
        try fixture.insert("Knot", #"{"text":"a","knots":[{"text":"b"}]}"#)
        try fixture.store.write { context in
            try context.connection.execute(
                #"""
                INSERT INTO "Knot.knots" (source, target, position)
                SELECT b."$id", a."$id", 0 FROM Knot AS a JOIN Knot AS b
                WHERE a.text = 'a' AND b.text = 'b';
                UPDATE Knot SET one = "$id" WHERE text = 'b'
                """#)
        }
        let json = try json(fixture, "Knot")
        #expect(json.contains(#"{"text":"a","one":null,"knots":[{"text":"b","knots":[]}]}"#))
    }
}

/// What a store writes as JSON makes the same objects in another one.
@Suite struct ExportRoundTripTests {
    /// The recorded answers of GitHub's API, nil where they are not on this machine.
    private static let recordings: Data? = {
        let file = ConformanceFiles.root.deletingLastPathComponent()
            .appending(path: "shared/data/github-exchanges.jsonl")
        let data = try? Data(contentsOf: file)
        if data == nil { print("SKIPPED: the recorded GitHub exchanges are not at ../shared/data") }
        return data
    }()

    private static let identities = [
        "Repository": "id", "PullRequest": "id", "Issue": "id", "User": "id", "Release": "id",
        "Commit": "sha", "Gist": "id", "Milestone": "id", "Label": "id", "Asset": "id",
    ]

    private func model(_ name: String) throws -> Model {
        try Model(contentsOf: ConformanceFiles.root.appending(path: "Schema/\(name).json"))
    }

    private func entity(of object: JSONValue) -> String? {
        func has(_ keys: String...) -> Bool { keys.allSatisfy { object[$0] != nil } }
        if has("full_name", "owner", "fork") { return "Repository" }
        if has("head", "base", "number") { return "PullRequest" }
        if has("number", "labels", "comments_url") { return "Issue" }
        if has("login", "gravatar_id", "id") { return "User" }
        if has("tag_name", "assets") { return "Release" }
        if has("commit", "sha", "parents") { return "Commit" }
        return has("files", "public", "id") ? "Gist" : nil
    }

    private func recordedStore(_ recordings: Data) throws -> Store {
        let store = try Store.inMemory(model: model("GitHub"))
        try store.write { context in
            for line in recordings.split(separator: UInt8(ascii: "\n")) {
                guard let body = try JSONDocument(Data(line)).root["body"],
                    let first = body.kind == .array ? body.elements?.first : body,
                    let entity = entity(of: first)
                else { continue }
                try context.import(entity, from: body)
            }
        }
        return store
    }

    @Test(
        .enabled(if: recordings != nil),
        arguments: [ExportedRelationships.nested, .identities])
    func `GitHub's objects come back to the byte`(relationships: ExportedRelationships) throws {
        let store = try recordedStore(try #require(Self.recordings))
        let all = try Store.inMemory(model: store.model)
        for (entity, identity) in Self.identities.sorted(by: { $0.key < $1.key }) {
            let query = DynamicQuery(entity).sorted(identity)
            #expect(try store.count(query) > 0, "\(entity)")
            let json = try store.json(query, relationships: relationships)
            // Nested objects bring all that they need along.
            let copy = relationships == .nested ? try Store.inMemory(model: store.model) : all
            try copy.import(entity, from: json)
            if relationships == .nested {
                let again = try copy.json(query, relationships: relationships)
                #expect(again == json, "\(entity)")
            }
        }
        guard relationships == .identities else { return }
        for (entity, identity) in Self.identities {
            let query = DynamicQuery(entity).sorted(identity)
            let (first, second) = (
                try store.json(query, relationships: relationships),
                try all.json(query, relationships: relationships)
            )
            #expect(first == second, "\(entity)")
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
    func `random webs of heroes come back to the byte`(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let heroes = (1...12).map { id -> String in
            let mentor = Int.random(in: 0...12, using: &random)
            let publisher = Int.random(in: 0...3, using: &random)
            let powers = (0..<Int.random(in: 0...3, using: &random)).map { _ in
                #"{"id":"p\#(Int.random(in: 1...5, using: &random))","name":"\#(id)"}"#
            }
            let strength = Double.random(in: -1e6...1e6, using: &random)
            return #"{"id":\#(id),"name":"h\#(id)","strength":\#(strength),"#
                + #""mentor":\#(mentor == 0 ? "null" : "\(mentor)"),"#
                + #""publisher":\#(publisher == 0 ? "null" : #"{"id":\#(publisher),"name":"p"}"#),"#
                + #""powers":[\#(powers.joined(separator: ","))]}"#
        }
        let store = try Comics.store()
        try store.import(Many<Hero>.self, from: Data("[\(heroes.joined(separator: ","))]".utf8))
        for relationships in [ExportedRelationships.nested, .identities] {
            let query = Hero.all
            let powers = Power.all.sorted { $0.id.ascending }
            let copy = try Comics.store()
            try copy.import(
                Many<Hero>.self, from: store.json(query, relationships: relationships))
            try copy.import(
                Many<Power>.self, from: store.json(powers, relationships: relationships))
            try copy.import(
                Many<Publisher>.self,
                from: store.json(Publisher.all, relationships: relationships))
            let exports = try [store, copy].map { store in
                [
                    try store.json(query, relationships: relationships),
                    try store.json(powers, relationships: relationships),
                    try store.json(Publisher.all, relationships: relationships),
                ].map { String(decoding: $0, as: UTF8.self) }
            }
            #expect(exports[0] == exports[1])
        }
    }
}
