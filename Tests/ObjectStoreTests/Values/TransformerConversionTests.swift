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

/// Transformers that take what does not fit for something else.
@Suite struct LenientTransformerTests {
    private enum State: String, AttributeValue {
        case open, closed, other
    }

    @Test func `an unknown value is the stated one, and a known one is itself`() throws {
        let fixture = try HexColor.fixture(
            .required("state", .string, .lenient(State.self, otherwise: .other)))
        try fixture.insert(
            "Thing", #"[{"id":1,"state":"open"},{"id":2,"state":"merged"},{"id":3,"state":7}]"#)
        #expect(try fixture.rows("SELECT state FROM Thing") == ["open", "other", "other"])
        let error = fixture.mappingError("Thing", #"{"id":4,"state":null}"#)
        #expect(error?.reason == .null)
    }

    @Test func `what does not fit is empty where nothing is stated`() throws {
        let fixture = try HexColor.fixture(
            .optional("a", .integer, .lenient(Int8.self)),
            .optional("b", .date, .lenient(Date.self)),
            .optional("c", .date, .lenient(Date.self, by: .unix)),
            .optional("d", .integer, .lenient(Int.self, by: HexColor.transformer)),
            .optional("e", .json, .lenient([Int].self)))
        try fixture.insert(
            "Thing",
            ##"""
            [{"id":1,"a":300,"b":"soon","c":"x","d":"red","e":["a"]},
             {"id":2,"a":3,"b":"2001-01-01T00:00:01Z","c":978307202,"d":"#0000ff","e":[1]}]
            """##)
        #expect(
            try fixture.rows("SELECT a, b, c, d, e FROM Thing")
                == ["NULL|NULL|NULL|NULL|NULL", "3|1.0|2.0|255|[1]"])
    }

    @Test func `a required value that is empty is an error`() throws {
        let fixture = try HexColor.fixture(.required("a", .integer, .lenient(Int.self)))
        #expect(fixture.mappingError("Thing", #"{"id":1,"a":"x"}"#)?.reason == .null)
    }

    @Test func `values go back as they came`() throws {
        let fixture = try HexColor.fixture(
            .optional("b", .date, .lenient(Date.self)),
            .optional("c", .date, .lenient(Date.self, by: .unix)),
            .optional("f", .double, .lenient(Float.self)))
        let json = #"[{"id":1,"b":"2001-01-01T00:00:01Z","c":978307202,"f":0.1}]"#
        try fixture.insert("Thing", json)
        let back = try fixture.store.json(DynamicQuery("Thing"))
        #expect(String(decoding: back, as: UTF8.self).filter { $0 != " " } == json)
    }

    @Test func `two of other types, ways or fallbacks are two`() {
        let all: Set<Transformer> = [
            .lenient(Int.self), .lenient(Int8.self), .lenient(Int.self, otherwise: 1),
            .lenient(Int.self, otherwise: 2), .lenient(Int.self, by: .number),
        ]
        #expect(all.count == 5)
    }

    @Test func `a transformer that gives no such value is said`() throws {
        #expect(throws: ModelError.self) {
            try HexColor.fixture(.required("a", .string, .lenient(Int.self)))
        }
        let words = Transformer("words", from: { (number: Int) in "word \(number)" })
        #expect(throws: ModelError.self) {
            try HexColor.fixture(.optional("a", .integer, .lenient(Int.self, by: words)))
        }
        let fixture = try HexColor.fixture(
            .required("a", .integer, .lenient(Int.self, by: .base64)))
        let error = fixture.mappingError("Thing", #"{"id":1,"a":1}"#)
        #expect(
            "\(String(describing: error))".contains("a transformer that gives values of type Int"))
    }
}
