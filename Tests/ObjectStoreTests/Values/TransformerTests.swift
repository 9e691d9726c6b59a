import Foundation
import Testing

@testable import LarderObjectStore

/// Values that a transformer makes of JSON.
@Suite struct TransformerTests {
    @Test func `makes values, in upserts and where nothing changes`() throws {
        let fixture = try HexColor.fixture(.required("color", .integer, HexColor.transformer))
        #expect(
            try fixture.insert("Thing", ##"[{"id":1,"color":"#ff"},{"id":2,"color":"#0a"}]"##)[
                "Thing"] == .init(2))
        #expect(try fixture.rows("SELECT id, color FROM Thing") == ["1|255", "2|10"])
        #expect(
            try fixture.insert("Thing", ##"[{"id":1,"color":"#ff"},{"id":2,"color":"#0b"}]"##)[
                "Thing"] == .init(0, 1, 1))
        #expect(try fixture.rows("SELECT color FROM Thing") == ["255", "11"])
    }

    @Test func `an identity goes through its transformer before it is compared`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Color", identity: ["code"],
                attributes: [.required("code", .integer, HexColor.transformer), .optional("name")]),
            .numbered(
                "Wall", relationships: [RelationshipDescription("color", to: "Color", key: "color")]
            ))
        try fixture.insert("Color", ##"[{"code":"#ff","name":"blue"},{"code":"#FF","name":"b"}]"##)
        try fixture.insert("Wall", ##"{"id":1,"color":"#0ff"}"##)
        #expect(try fixture.rows("SELECT code, name FROM Color") == ["255|b"])
        #expect(try fixture.rows("SELECT color FROM Wall") == ["255"])
    }

    // MARK: Names

    @Test func `a transformer is what it is called`() throws {
        #expect(Transformer(rawValue: "hexColor") == HexColor.transformer)
        #expect(Set([HexColor.transformer, Transformer(rawValue: "hexColor"), .number]).count == 2)
        let coded = try JSONEncoder().encode([HexColor.transformer, .iso8601])
        #expect(String(decoding: coded, as: UTF8.self) == #"["hexColor","iso8601"]"#)
        #expect(try JSONDecoder().decode([Transformer].self, from: coded).last == .iso8601)
        #expect(ObjectTransformer(named: "a") == ObjectTransformer("a") { _ in nil })
    }
}
