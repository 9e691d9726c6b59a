import Foundation
import Testing

@testable import LarderObjectStore

/// What each type and transformer makes of each kind of JSON.
struct ValueCoderTests {
    /// Each kind of JSON value, and the spellings at the edges of what a coder takes.
    static let samples = [
        "true", "false", "0", "1", "-7", "42.0", "1e3", "1.5", "9223372036854775807",
        "9223372036854775808", "1e400", #""""#, #""1""#, #""-1.5""#, #""+7""#, #""1e3""#,
        #""true""#, #""abc""#, #""a\u0062c""#, #""\u0031""#, #"" 1""#, #""1 ""#, #""0x10""#,
        #""nan""#, #""1_000""#, #""1.""#, #""2001-01-01""#, #""2001-01-01T00:00:01\u005a""#,
        #""Mon, 01 Jan 2001 00:00:02 GMT""#, #""https://a.example/?b#c""#,
        #""6f9619ff-8b86-d011-b42d-00c04fc964ff""#, #""AQI=""#, #""A""#, "[1]", #"{"a": 1}"#,
    ]

    /// The samples that a type takes through a transformer, and what they become; all others are
    /// refused.
    static let table: [(AttributeType, Transformer?, [String: SQLValue])] = [
        (
            .integer, nil,
            [
                "0": .integer(0), "1": .integer(1), "-7": .integer(-7), "42.0": .integer(42),
                "1e3": .integer(1000), "9223372036854775807": .integer(.max),
            ]
        ),
        (
            .integer, .number,
            [
                "0": .integer(0), "1": .integer(1), "-7": .integer(-7), "42.0": .integer(42),
                "1e3": .integer(1000), "9223372036854775807": .integer(.max),
                #""1""#: .integer(1), #""+7""#: .integer(7), #""\u0031""#: .integer(1),
            ]
        ),
        (
            .double, nil,
            [
                "0": .real(0), "1": .real(1), "-7": .real(-7), "42.0": .real(42),
                "1e3": .real(1000), "1.5": .real(1.5),
                "9223372036854775807": .real(9_223_372_036_854_775_808),
                "9223372036854775808": .real(9_223_372_036_854_775_808),
            ]
        ),
        (
            .double, .number,
            [
                "0": .real(0), "1": .real(1), "-7": .real(-7), "42.0": .real(42),
                "1e3": .real(1000), "1.5": .real(1.5),
                "9223372036854775807": .real(9_223_372_036_854_775_808),
                "9223372036854775808": .real(9_223_372_036_854_775_808),
                #""1""#: .real(1), #""-1.5""#: .real(-1.5), #""+7""#: .real(7),
                #""1e3""#: .real(1000), #""\u0031""#: .real(1),
            ]
        ),
        (
            .decimal, nil,
            [
                "0": .text("0"), "1": .text("1"), "-7": .text("-7"), "42.0": .text("42"),
                "1e3": .text("1000"), "1.5": .text("1.5"),
                "9223372036854775807": .text("9223372036854775807"),
                "9223372036854775808": .text("9223372036854775808"),
                #""1""#: .text("1"), #""-1.5""#: .text("-1.5"), #""+7""#: .text("7"),
                #""1e3""#: .text("1000"), #""\u0031""#: .text("1"),
            ]
        ),
        (.boolean, nil, ["true": .integer(1), "false": .integer(0)]),
        (
            .boolean, .boolean,
            [
                "true": .integer(1), "false": .integer(0), "1": .integer(1), "0": .integer(0),
                #""1""#: .integer(1), #""true""#: .integer(1), #""\u0031""#: .integer(1),
            ]
        ),
        (.date, .unix, dates(perSecond: 1)),
        (.date, .unixMilliseconds, dates(perSecond: 1000)),
        (
            .date, .iso8601,
            [#""2001-01-01""#: .real(0), #""2001-01-01T00:00:01\u005a""#: .real(1)]
        ),
        (.date, .rfc1123, [#""Mon, 01 Jan 2001 00:00:02 GMT""#: .real(2)]),
        (
            .uuid, nil,
            [
                #""6f9619ff-8b86-d011-b42d-00c04fc964ff""#:
                    .text("6F9619FF-8B86-D011-B42D-00C04FC964FF")
            ]
        ),
        (.data, .base64, [#""""#: .blob([]), #""AQI=""#: .blob([1, 2])].merging(base64) { $1 }),
    ]

    private static let base64: [String: SQLValue] = [
        #""true""#: .blob([0xB6, 0xBB, 0x9E]), #""0x10""#: .blob([0xD3, 0x1D, 0x74]),
    ]

    private static func dates(perSecond: Double) -> [String: SQLValue] {
        let numbers: [String: Double] = [
            "0": 0, "1": 1, "-7": -7, "42.0": 42, "1e3": 1000, "1.5": 1.5,
            "9223372036854775807": 9_223_372_036_854_775_808,
            "9223372036854775808": 9_223_372_036_854_775_808,
            #""1""#: 1, #""-1.5""#: -1.5, #""+7""#: 7, #""1e3""#: 1000, #""\u0031""#: 1,
        ]
        return numbers.mapValues {
            .real(
                Date(timeIntervalSince1970: $0 / perSecond).timeIntervalSinceReferenceDate)
        }
    }

    @Test(arguments: table.indices)
    func `takes what is of its type and nothing else`(_ row: Int) throws {
        let (type, transformer, expected) = Self.table[row]
        let coder = try #require(ValueCoder(type, transformer))
        for sample in Self.samples {
            let value = try JSONDocument("[\(sample)]").root
            #expect(
                coder.value(of: value.node + 2, in: value.tape) == expected[sample],
                "\(sample) as \(type) by \(transformer?.rawValue ?? "nothing")")
        }
    }

    @Test(arguments: [
        ("true", "true"), ("null", "null"), ("-7", "-7"), ("42.0", "42"), ("1e400", "1e400"),
        (#""a\u0062c""#, #""abc""#), ("[1, [ ]]", "[1,[]]"),
        (#"{"b": 1, "a": 2}"#, #"{"a":2,"b":1}"#),
    ])
    func `JSON is kept in the one spelling of its value`(_ text: String, _ kept: String) throws {
        let coder = try #require(ValueCoder(.json, nil))
        let value = try JSONDocument("[\(text)]").root
        #expect(coder.value(of: 2, in: value.tape) == .text(kept))
    }

    @Test func `knows which transformers fit which types`() {
        let transformers: [Transformer?] =
            [
                nil, .iso8601, .rfc1123, .unix, .unixMilliseconds, .number, .string, .base64,
                .boolean, Transformer(rawValue: "own"),
            ]
        let fitting: [AttributeType: Set<Transformer?>] = [
            .integer: [nil, .number], .double: [nil, .number], .decimal: [nil, .number],
            .boolean: [nil, .boolean], .string: [nil, .string],
            .date: [.iso8601, .rfc1123, .unix, .unixMilliseconds], .url: [nil], .uuid: [nil],
            .data: [.base64], .json: [nil],
        ]
        for type in AttributeType.allCases {
            for transformer in transformers {
                let fits = fitting[type]?.contains(transformer) ?? false
                #expect((ValueCoder(type, transformer) != nil) == fits)
            }
        }
    }

    @Test func `errors name entity, attribute, path and what was expected`() throws {
        for (type, transformer, expected) in Self.table {
            let coder = try #require(ValueCoder(type, transformer))
            let fixture = try StoreFixture(
                .numbered(
                    "Thing", AttributeDescription("value", type, key: "v", transformer: transformer)
                ))
            for sample in ["[1]", #"{"a": 1}"#, #""abc""#] where expected[sample] == nil {
                let found =
                    switch sample.first {
                    case "[": "an array"
                    case "{": "an object"
                    default: sample
                    }
                #expect(
                    fixture.mappingError("Thing", #"[{"id": 0, "v": \#(sample)}]"#)
                        == MappingError(
                            entity: "Thing", attribute: "value", path: "$[0].v",
                            reason: .unexpectedValue(expected: coder.expectation, found: found)))
            }
        }
    }
}
