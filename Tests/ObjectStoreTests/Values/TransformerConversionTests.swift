import Foundation
import Testing

@testable import LarderObjectStore

/// The closures of a transformer at work.
@Suite struct TransformerConversionTests {
    private static let anything = Transformer("anything") { (value: JSONValue) in
        value.kind.rawValue
    }

    @Test func `is not asked about null, and nil is an empty value`() throws {
        let fixture = try HexColor.fixture(.optional("color", .integer, HexColor.transformer))
        try fixture.insert(
            "Thing", ##"[{"id":1,"color":null},{"id":2,"color":"#zz"},{"id":3}]"##)
        #expect(try fixture.rows("SELECT color FROM Thing") == ["NULL", "NULL", "NULL"])
    }

    @Test func `a required value can't come out empty`() throws {
        let fixture = try HexColor.fixture(.required("color", .integer, HexColor.transformer))
        let error = fixture.mappingError("Thing", ##"{"id":1,"color":"#zz"}"##)
        #expect(error?.attribute == "color")
        #expect(error?.reason == .null)
        #expect(try fixture.rows("SELECT count(*) FROM Thing") == ["0"])
    }

    @Test func `what the closure throws is told with its place`() throws {
        let fixture = try HexColor.fixture(.required("color", .integer, HexColor.transformer))
        let error = fixture.mappingError("Thing", #"[{"id":1,"color":"red"}]"#)
        #expect(error?.path == "$[0].color")
        #expect(error?.reason == .transformer("hexColor", message: "no such color"))
        #expect(
            error?.description
                == "Thing.color at $[0].color: the transformer hexColor failed: no such color")
    }

    @Test func `JSON of another kind is an error`() throws {
        let fixture = try HexColor.fixture(.required("color", .integer, HexColor.transformer))
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
        let fixture = try HexColor.fixture(
            .optional("a", .integer, Transformer("a", from: { (value: Int) in value * 2 })),
            .optional("b", .double, Transformer("b", from: { (value: Double) in value / 2 })),
            .optional("c", .string, Transformer("c", from: { (value: Bool) in "\(value)" })),
            .optional("d", .integer, Transformer("d", from: { (value: Size) in value.width })),
            .optional("e", .string, Self.anything))
        try fixture.insert(
            "Thing", #"{"id":1,"a":3,"b":3,"c":true,"d":{"width":9},"e":[1]}"#)
        #expect(try fixture.rows("SELECT a, b, c, d, e FROM Thing") == ["6|1.5|true|9|array"])
    }
}
