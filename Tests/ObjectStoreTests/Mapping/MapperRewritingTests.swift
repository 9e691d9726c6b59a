import Foundation
import Testing

@testable import LarderObjectStore

/// Objects that their entity's transformer rewrites before they are mapped.
@Suite struct MapperRewritingTests {
    private struct Refusal: Error, CustomStringConvertible { let description = "too old" }

    /// Renames a key; leaves objects without it as they are.
    private static let legacy = ObjectTransformer("legacy") { object in
        guard object["legacy_id"] != nil else { return nil }
        var result = JSONObject(object)
        result.rename("legacy_id", to: "id")
        return result
    }

    private static let refusing = ObjectTransformer("refusing") { _ in throw Refusal() }

    private func entity(
        _ name: String = "Thing", _ transformer: ObjectTransformer? = legacy,
        parent: String? = nil
    ) -> EntityDescription {
        EntityDescription(
            name: name, identity: ["id"],
            attributes: [.required("id", .integer), .optional("name")],
            relationships: [
                RelationshipDescription("next", to: name, isOptional: true, key: "next"),
                RelationshipDescription(
                    "parts", to: name, isToMany: true, isOrdered: true, key: "parts"),
            ], transformer: transformer)
    }

    @Test func `objects are rewritten before all else, also inside others`() throws {
        let fixture = try StoreFixture(entity())
        let report = try fixture.insert(
            "Thing",
            #"""
            [{"legacy_id":1,"name":"a","next":{"legacy_id":2,"name":"b"},
              "parts":[{"legacy_id":3},{"id":4,"name":"d"},2]}]
            """#)
        #expect(
            try fixture.rows("SELECT id, name, next FROM Thing")
                == ["1|a|2", "2|b|NULL", "3|NULL|NULL", "4|d|NULL"])
        #expect(report["Thing"] == .init(4, linked: 3))
        let again = try fixture.insert("Thing", #"{"legacy_id":2,"name":"b"}"#)
        #expect(again["Thing"] == .init(0, 0, 1))
    }

    @Test func `references pass as they are`() throws {
        let fixture = try StoreFixture(entity())
        try fixture.insert("Thing", "[7]")
        #expect(try fixture.rows("SELECT id FROM Thing") == ["7"])
    }

    @Test func `an error names the transformer and the place`() throws {
        let fixture = try StoreFixture(entity("Thing", Self.refusing))
        let error = fixture.mappingError("Thing", #"[1,{"id":2}]"#)
        #expect(error?.path == "$[1]")
        #expect(error?.reason == .transformer("refusing", message: "too old"))
        #expect(try fixture.rows("SELECT count(*) FROM Thing") == ["0"])
    }

    @Test func `what does not fit after it is told as rewritten`() throws {
        let fixture = try StoreFixture(entity())
        let error = fixture.mappingError("Thing", #"[{"legacy_id":1,"parts":[{"id":"x"}]}]"#)
        #expect(error?.path == "$[0].parts[0].id")
        #expect(error?.rewrittenBy == "legacy")
        #expect(error?.description.contains("as rewritten by legacy") == true)
        let missing = fixture.mappingError("Thing", #"{"name":"n"}"#)
        #expect(missing?.reason == .missing)
        #expect(missing?.rewrittenBy == nil)
    }

    @Test func `it belongs to its entity, not to those below`() throws {
        let base = EntityDescription(
            name: "Base", identity: ["id"],
            attributes: [.required("id", .integer), .optional("name")],
            mapper: EntityMapper(key: "kind", values: ["leaf": "Leaf"]), transformer: Self.legacy)
        let fixture = try StoreFixture(base, EntityDescription(name: "Leaf", parent: "Base"))
        // What is given decides; the object turns out to be of the sub-entity.
        try fixture.insert("Base", #"{"legacy_id":1,"kind":"leaf","name":"a"}"#)
        #expect(try fixture.rows(#"SELECT id, "$entity" FROM Base"#) == ["1|Leaf"])
        let error = fixture.mappingError("Leaf", #"{"legacy_id":2,"name":"b"}"#)
        #expect(error?.reason == .missing)
    }
}
