import Foundation
import Testing

@testable import LarderObjectStore

/// Objects that lead back to each other, whose JSON has an end all the same.
@Suite struct ExportWebTests {
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
