import Foundation
import Testing

@testable import LarderObjectStore

/// The closures of a transformer at work.
@Suite struct TransformerConversionTests {
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
}
