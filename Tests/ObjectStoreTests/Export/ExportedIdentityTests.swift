import Foundation
import Testing

@testable import LarderObjectStore

/// Identities that are no plain values in JSON, where they stand for linked objects.
struct ExportedIdentityTests {
    private struct ObjectID: Codable, Sendable {
        var oid: String

        private enum CodingKeys: String, CodingKey { case oid = "$oid" }
    }

    /// An identity, and the JSON of three.
    struct Kind: CustomTestStringConvertible {
        let identity: AttributeDescription
        let ids: [String]

        var testDescription: String { ids[0] }
    }

    private static let kinds = [
        Kind(
            identity: AttributeDescription("id", .json, key: "_id"),
            // Its members have the keys of what it identifies.
            ids: (1...3).map { #"{"title":"t","zip":\#($0)}"# }),
        Kind(
            identity: AttributeDescription("id", [String].self, key: "_id"),
            ids: (1...3).map { #"["a","\#($0)"]"# }),
        Kind(
            identity: AttributeDescription("id", .string, key: "_id", transformer: oid),
            ids: (1...3).map { #"{"$oid":"\#($0)"}"# }),
        // The rowid itself.
        Kind(
            identity: AttributeDescription(
                "id", .integer, key: "_id",
                transformer: Transformer(
                    "list", from: { (list: [Int]) in list.first }, to: { (id: Int) in [id] })),
            ids: (1...3).map { "[\($0)]" }),
    ]

    private static let oid = Transformer(
        "oid", from: { (id: ObjectID) in id.oid }, to: { (id: String) in ObjectID(oid: id) })

    private static func node(_ identity: AttributeDescription) -> EntityDescription {
        EntityDescription(
            name: "Node", identity: ["id"],
            attributes: [identity, .required("title"), .optional("zip", .integer)],
            relationships: [
                RelationshipDescription("next", to: "Node", isOptional: true, key: "next"),
                RelationshipDescription(
                    "peers", to: "Node", isToMany: true, isOrdered: true, key: "peers"),
            ])
    }

    private func json(
        _ store: Store, _ relationships: ExportedRelationships, _ entity: String = "Node"
    ) throws -> String {
        let query = DynamicQuery(entity).sorted(entity == "Node" ? "title" : "id")
        return String(
            decoding: try store.json(query, relationships: relationships), as: UTF8.self)
    }

    @Test(arguments: kinds)
    func `one that is an object or an array stands at its key`(kind: Kind) throws {
        let (a, b, c) = (kind.ids[0], kind.ids[1], kind.ids[2])
        let first =
            #"{"_id":\#(a),"title":"a","zip":null,"next":{"_id":\#(b)},"#
            + #""peers":[{"_id":\#(b)},{"_id":\#(c)}]}"#
        let second = #"{"_id":\#(b),"title":"b","zip":null,"next":{"_id":\#(a)},"peers":[]}"#
        let store = try StoreFixture(Self.node(kind.identity))
        try store.insert("Node", "[\(first),\(second)]")
        #expect(try store.store.count(DynamicQuery("Node")) == 2)
        #expect(try store.store.count(DynamicQuery("Node").references()) == 1)
        #expect(try json(store.store, .identities) == "[\(first),\(second)]")
        // Both lead to each other.
        let nested = try json(store.store, .nested)
        #expect(nested.contains(#""title":"b","zip":null,"next":{"_id":\#(a)}"#))

        for relationships in [ExportedRelationships.nested, .identities] {
            let json = try json(store.store, relationships)
            #expect(try store.insert("Node", json).total.changes == 0)
            let copy = try StoreFixture(Self.node(kind.identity))
            try copy.insert("Node", json)
            #expect(try self.json(copy.store, .identities) == "[\(first),\(second)]")
            #expect(try copy.store.count(DynamicQuery("Node").references()) == 1)
        }
    }

    @Test func `a truth value that identifies text stands at its key`() throws {
        let truth = Transformer(
            "truth", from: { (isYes: Bool) in isYes ? "yes" : "no" },
            to: { (text: String) in text == "yes" })
        let store = try StoreFixture(
            Self.node(AttributeDescription("id", .string, key: "_id", transformer: truth)))
        try store.insert("Node", #"{"_id":true,"title":"a","next":{"_id":false}}"#)
        let json = try json(store.store, .identities)
        #expect(
            json == #"[{"_id":true,"title":"a","zip":null,"next":{"_id":false},"peers":[]}]"#)
        #expect(try store.insert("Node", json).total.changes == 0)
        #expect(try store.store.count(DynamicQuery("Node").references()) == 1)
    }

    @Test func `attributes of the object stand beside one that has no bare form`() throws {
        let issue = EntityDescription.numbered(
            "Issue", AttributeDescription("avatar", .string, isOptional: true, key: "user.avatar"),
            relationships: [
                RelationshipDescription("user", to: "User", isOptional: true, key: "user")
            ])
        let user = EntityDescription(
            name: "User", identity: ["id"],
            attributes: [
                AttributeDescription("id", .string, key: "_id", transformer: Self.oid),
                .required("login"),
            ])
        let store = try StoreFixture(issue, user)
        try store.insert("User", #"{"_id":{"$oid":"u"},"login":"ann"}"#)
        let issues =
            #"[{"id":1,"user":{"_id":{"$oid":"u"},"avatar":"a"}},"#
            + #"{"id":2,"user":{"_id":{"$oid":"v"},"avatar":"b"}},"#
            + #"{"id":3,"user":{"_id":{"$oid":"v"}}}]"#
        try store.insert("Issue", issues)
        #expect(try json(store.store, .identities, "Issue") == issues)
        #expect(try store.insert("Issue", issues).total.changes == 0)
        #expect(try store.store.count(DynamicQuery("User").references()) == 1)
    }

    @Test func `one that a transformer makes nothing of is left out`() throws {
        let shy = Transformer(
            "shy", from: { (text: String) in text.lowercased() },
            to: { (text: String) -> String? in text.hasPrefix("x") ? nil : text.uppercased() })
        let store = try StoreFixture(
            .numbered(
                "Issue", AttributeDescription("note", .string, isOptional: true, key: "user.note"),
                relationships: [
                    RelationshipDescription("user", to: "User", isOptional: true, key: "user"),
                    RelationshipDescription(
                        "others", to: "User", isToMany: true, isOrdered: true, key: "others"),
                ]),
            EntityDescription(
                name: "User", identity: ["id"],
                attributes: [.required("id", .string, shy), .optional("site")]))
        try store.insert(
            "Issue", #"{"id":1,"user":{"id":"X1","note":"n"},"others":["X1","BOB"]}"#)
        let json = try json(store.store, .identities, "Issue")
        #expect(json == #"[{"id":1,"others":["BOB"]}]"#)
        try store.insert("Issue", json)
        #expect(try store.rows("SELECT user IS NULL, note FROM Issue") == ["0|n"])
    }
}
