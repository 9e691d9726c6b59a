import Foundation
import Testing

@testable import LarderObjectStore

/// Values that a transformer makes of JSON.
@Suite struct TransformerTests {
    private struct Refusal: Error, CustomStringConvertible {
        let description = "no such color"
    }

    private static let hexColor = Transformer(
        "hexColor",
        from: { (text: String) -> Int? in
            guard text.hasPrefix("#") else { throw Refusal() }
            return Int(text.dropFirst(), radix: 16)
        }, to: { (color: Int) in "#" + String(color, radix: 16) })

    private static let anything = Transformer("anything") { (value: JSONValue) in
        value.kind.rawValue
    }

    private func fixture(_ attributes: AttributeDescription...) throws -> StoreFixture {
        var thing = EntityDescription.numbered("Thing")
        thing.attributes += attributes
        return try StoreFixture(thing)
    }

    @Test func `makes values, in upserts and where nothing changes`() throws {
        let fixture = try fixture(.required("color", .integer, Self.hexColor))
        #expect(
            try fixture.insert("Thing", ##"[{"id":1,"color":"#ff"},{"id":2,"color":"#0a"}]"##)[
                "Thing"] == .init(2))
        #expect(try fixture.rows("SELECT id, color FROM Thing") == ["1|255", "2|10"])
        #expect(
            try fixture.insert("Thing", ##"[{"id":1,"color":"#ff"},{"id":2,"color":"#0b"}]"##)[
                "Thing"] == .init(0, 1, 1))
        #expect(try fixture.rows("SELECT color FROM Thing") == ["255", "11"])
    }

    @Test func `is not asked about null, and nil is an empty value`() throws {
        let fixture = try fixture(.optional("color", .integer, Self.hexColor))
        try fixture.insert(
            "Thing", ##"[{"id":1,"color":null},{"id":2,"color":"#zz"},{"id":3}]"##)
        #expect(try fixture.rows("SELECT color FROM Thing") == ["NULL", "NULL", "NULL"])
    }

    @Test func `a required value can't come out empty`() throws {
        let fixture = try fixture(.required("color", .integer, Self.hexColor))
        let error = fixture.mappingError("Thing", ##"{"id":1,"color":"#zz"}"##)
        #expect(error?.attribute == "color")
        #expect(error?.reason == .null)
        #expect(try fixture.rows("SELECT count(*) FROM Thing") == ["0"])
    }

    @Test func `what the closure throws is told with its place`() throws {
        let fixture = try fixture(.required("color", .integer, Self.hexColor))
        let error = fixture.mappingError("Thing", #"[{"id":1,"color":"red"}]"#)
        #expect(error?.path == "$[0].color")
        #expect(error?.reason == .transformer("hexColor", message: "no such color"))
        #expect(
            error?.description
                == "Thing.color at $[0].color: the transformer hexColor failed: no such color")
    }

    @Test func `JSON of another kind is an error`() throws {
        let fixture = try fixture(.required("color", .integer, Self.hexColor))
        for json in ["7", "{}", "[]", "true"] {
            let error = fixture.mappingError("Thing", #"{"id":1,"color":\#(json)}"#)
            guard case .unexpectedValue(let expected, _)? = error?.reason else {
                Issue.record("\(json): \(String(describing: error))")
                continue
            }
            #expect(expected.contains("for the transformer hexColor"))
        }
    }

    @Test func `takes numbers, booleans and what can be decoded`() throws {
        struct Size: Codable, Sendable { var width: Int }
        let fixture = try fixture(
            .optional("a", .integer, Transformer("a", from: { (value: Int) in value * 2 })),
            .optional("b", .double, Transformer("b", from: { (value: Double) in value / 2 })),
            .optional("c", .string, Transformer("c", from: { (value: Bool) in "\(value)" })),
            .optional("d", .integer, Transformer("d", from: { (value: Size) in value.width })),
            .optional("e", .string, Self.anything))
        try fixture.insert(
            "Thing", #"{"id":1,"a":3,"b":3,"c":true,"d":{"width":9},"e":[1]}"#)
        #expect(try fixture.rows("SELECT a, b, c, d, e FROM Thing") == ["6|1.5|true|9|array"])
    }

    @Test func `an identity goes through its transformer before it is compared`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Color", identity: ["code"],
                attributes: [.required("code", .integer, Self.hexColor), .optional("name")]),
            .numbered(
                "Wall", relationships: [RelationshipDescription("color", to: "Color", key: "color")]
            ))
        try fixture.insert("Color", ##"[{"code":"#ff","name":"blue"},{"code":"#FF","name":"b"}]"##)
        try fixture.insert("Wall", ##"{"id":1,"color":"#0ff"}"##)
        #expect(try fixture.rows("SELECT code, name FROM Color") == ["255|b"])
        #expect(try fixture.rows("SELECT color FROM Wall") == ["255"])
    }

    // MARK: Names

    @Test func `a name in a model is looked up where the store is opened`() throws {
        let model = try Model(
            json: Data(
                #"{"entities":{"Thing":{"attributes":{"color":{"type":"integer","transformer":"hexColor"}}}}}"#
                    .utf8))
        var configuration = Store.Configuration()
        configuration.transformers = [Self.hexColor]
        let store = try Store.inMemory(model: model, configuration: configuration)
        let imported = try store.import("Thing", from: Data(##"{"color":"#10"}"##.utf8))
        #expect(try imported.fetch()[0].value("color") == 16)
        #expect(try imported.json() == Data(##"[{"color":"#10"}]"##.utf8))
    }

    @Test func `names that nobody knows are told at once`() throws {
        let model = try Model(
            json: Data(
                #"""
                {"entities": {"A": {"transformer": "flat",
                   "attributes": {"x": {"type": "integer", "transformer": "nobody"},
                                  "y": {"type": "string", "transformer": "hexColor"}}}}}
                """#.utf8))
        var configuration = Store.Configuration()
        configuration.transformers = [Self.hexColor]
        let error = #expect(throws: ModelError.self) {
            try Store.inMemory(model: model, configuration: configuration)
        }
        #expect(
            error?.problems.map(\.description) == [
                "entities.A.transformer: unknown transformer flat; register it in"
                    + " Store.Configuration.objectTransformers",
                "entities.A.attributes.x.transformer: unknown transformer nobody; expected one of"
                    + " base64, boolean, iso8601, number, rfc1123, string, unix, unixMilliseconds, or"
                    + " one registered in Store.Configuration.transformers",
                "entities.A.attributes.y.transformer: hexColor does not give values of type string",
            ])
    }

    @Test func `a transformer is what it is called`() throws {
        #expect(Transformer(rawValue: "hexColor") == Self.hexColor)
        #expect(Set([Self.hexColor, Transformer(rawValue: "hexColor"), .number]).count == 2)
        let coded = try JSONEncoder().encode([Self.hexColor, .iso8601])
        #expect(String(decoding: coded, as: UTF8.self) == #"["hexColor","iso8601"]"#)
        #expect(try JSONDecoder().decode([Transformer].self, from: coded).last == .iso8601)
        #expect(ObjectTransformer(named: "a") == ObjectTransformer("a") { _ in nil })
    }
}
