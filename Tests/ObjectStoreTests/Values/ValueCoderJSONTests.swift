import Foundation
import Testing

@testable import LarderObjectStore

/// Values of attributes that become JSON again.
@Suite struct ValueCoderJSONTests {
    private func json(
        _ value: SQLValue, _ type: AttributeType, _ transformer: Transformer? = nil
    ) throws -> String? {
        let coder = try #require(ValueCoder(type, transformer ?? type.defaultTransformer))
        var output = JSONOutput()
        let isWritten = coder.writeJSON(of: value, to: &output)
        return isWritten ? String(decoding: output.bytes, as: UTF8.self) : nil
    }

    /// JSON that comes back as it was, for each type and transformer.
    @Test(
        arguments: [
            (.integer, nil, ["0", "-1", "9223372036854775807", "-9223372036854775808"]),
            (.integer, .number, [#""12""#, #""-9223372036854775808""#]),
            (
                .double, nil,
                ["0", "-0.0", "1", "0.1", "-2.5", "1e-07", "1.7976931348623157e+308", "5e-324"]
            ),
            (.double, .number, [#""0.1""#, #""3""#]),
            (
                .decimal, nil,
                [
                    "0", "-1.5", "0.1", "12345678901234567890123456789012345678",
                    "99999999999999999999.000000000000000001",
                ]
            ),
            (.boolean, nil, ["true", "false"]), (.boolean, .boolean, ["true", "false"]),
            (.string, nil, [#""""#, #""a\"\\/é\n\r\t\u0001🙂""#, #""7""#]),
            (.string, .string, [#""x""#, "7", "-1.50", #""007""#, #""true""#, #""1 ""#, #""-""#]),
            (
                .date, nil,
                [
                    #""2026-11-21T10:30:00Z""#, #""1969-12-31T23:59:59.999Z""#,
                    #""0001-01-01T00:00:00Z""#, #""9999-12-31T23:59:59Z""#,
                    #""2026-11-21T10:30:00.123456Z""#,
                ]
            ),
            (.date, .rfc1123, [#""Sat, 21 Nov 2026 10:30:00 GMT""#]),
            (.date, .unix, ["0", "-1", "1795257000", "1795257000.25"]),
            (.date, .unixMilliseconds, ["0", "1795257000123", "-1.5"]),
            (.url, nil, [#""https://example.com/a?b=c#d""#, #""a/b""#]),
            (.uuid, nil, [#""E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#]),
            (.data, nil, [#""""#, #""AP8=""#]),
            (.json, nil, [#"{"a":[1,2.5,null,"x"],"b":{}}"#, "[]", #""s""#, "1e400", "null"]),
        ] as [(AttributeType, Transformer?, [String])])
    func `comes back as it was`(
        type: AttributeType, transformer: Transformer?, texts: [String]
    ) throws {
        let coder = try #require(ValueCoder(type, transformer ?? type.defaultTransformer))
        for text in texts {
            let document = try JSONDocument(text)
            let value = withExtendedLifetime(document) {
                coder.value(of: 0, in: document.storage.tape)
            }
            guard let value else {
                Issue.record("\(text) is no value of type \(type)")
                continue
            }
            #expect(try json(value, type, transformer) == text)
        }
    }

    @Test func `JSON has no value for some`() throws {
        for number in [Double.infinity, -.infinity] {
            #expect(try json(.real(number), .double) == nil)
            #expect(try json(.real(number), .double, .number) == nil)
        }
        let late = SQLValue.real(300_000_000_000)
        #expect(try json(late, .date) == nil)
        #expect(try json(late, .date, .rfc1123) == nil)
        #expect(try json(late, .date, .unix) == "300978307200")
        #expect(try json(.real(1e300), .date) == nil)
        #expect(try json(.real(-3_200_000_000), .date, .rfc1123) == nil)
        #expect(try json(.blob([1]), .string) == nil)
        #expect(try json(.integer(1), .data) == nil)
    }

    /// Numbers of each size, whole ones apart, which are written in their digits.
    @Test func `fractions are written as Foundation writes them`() throws {
        let encoder = JSONEncoder()
        let single = try #require(ValueCoder(.double, nil, isSingle: true))
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let small = Float(bitPattern: random.next())
            if small.isFinite, small != small.rounded() {
                var output = JSONOutput()
                #expect(single.writeJSON(of: .real(Double(small)), to: &output))
                let text = String(decoding: output.bytes, as: UTF8.self)
                #expect(try text == String(decoding: encoder.encode(small), as: UTF8.self))
            }
            let large = Double(bitPattern: random.next())
            if large.isFinite, large != large.rounded() {
                let text = try json(.real(large), .double)
                #expect(try text == String(decoding: encoder.encode(large), as: UTF8.self))
            }
        }
    }

    @Test func `a number of single precision goes back in its own digits`() throws {
        let inverse = Transformer("inverse", from: { (number: Double) in Float(1 / number) })
        let fixture = try StoreFixture(
            .numbered(
                "Thing", AttributeDescription("a", Float?.self, key: "a"),
                AttributeDescription("b", Float?.self, key: "b", transformer: .number),
                AttributeDescription("c", Float?.self, key: "c", transformer: inverse),
                AttributeDescription("d", Double?.self, key: "d")))
        try fixture.insert("Thing", #"{"id":1,"a":0.1,"b":"3.4e-7","c":10,"d":0.1}"#)
        let json = try fixture.store.read {
            try $0.json(QueryDescription(entity: "Thing"), relationships: .nested)
        }
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"[{"id":1,"a":0.1,"b":"3.4e-07","c":0.1,"d":0.1}]"#)
    }

    @Test func `JSON that was kept is one line`() throws {
        #expect(
            try json(.text("{\n \"a\" :\r\n [1,\n2] }"), .json) == #"{ "a" : [1,2] }"#)
        #expect(try json(.text("not JSON"), .json) == #""not JSON""#)
        let deep = String(repeating: "[", count: 2_000) + String(repeating: "]", count: 2_000)
        #expect(try json(.text(deep), .json) == deep)
    }

    @Test func `a transformer of closures goes its own way back`() throws {
        let hex = Transformer(
            "hex", from: { (text: String) in Int(text, radix: 16) },
            to: { (number: Int) in number < 0 ? nil : String(number, radix: 16) })
        let oneWay = Transformer("oneWay", from: { (text: String) in text.count })
        let pair = Transformer(
            "pair", from: { (list: [Int]) in list.first },
            to: { (number: Int) in [number, number] }
        )
        let fixture = try StoreFixture(
            .numbered(
                "Thing", .optional("a", .integer, hex), .optional("b", .integer, oneWay),
                .optional("c", .integer, pair)))
        try fixture.insert("Thing", #"[{"id":1,"a":"ff","b":"four","c":[3,4]},{"id":2,"a":"-1"}]"#)
        let json = try fixture.store.read {
            try $0.json(QueryDescription(entity: "Thing"), relationships: .nested)
        }
        #expect(
            String(decoding: json, as: UTF8.self)
                == #"[{"id":1,"a":"ff","b":4,"c":[3,3]},{"id":2,"b":null,"c":null}]"#)
    }

    @Test func `what a transformer throws on the way back is thrown`() throws {
        struct Refusal: Error {}
        let refusing = Transformer(
            "refusing", from: { (text: String) in text }, to: { (_: String) in throw Refusal() })
        let fixture = try StoreFixture(.numbered("Thing", .optional("a", .string, refusing)))
        try fixture.insert("Thing", #"{"id":1,"a":"x"}"#)
        #expect(throws: Refusal.self) {
            try fixture.store.read {
                try $0.json(QueryDescription(entity: "Thing"), relationships: .nested)
            }
        }
    }

    @Test func `dates, bytes and enums of types become what they came from`() throws {
        enum State: String, AttributeValue, CaseIterable { case open, closed }
        let state = AttributeDescription("state", State?.self, key: "state")
        let at = AttributeDescription("at", Date?.self, key: "at", transformer: .unix)
        let list = AttributeDescription("list", [String]?.self, key: "list")
        let fixture = try StoreFixture(.numbered("Thing", state, at, list))
        let json = #"[{"id":1,"state":"open","at":12.5,"list":["a","b"]}]"#
        try fixture.insert("Thing", json)
        let written = try fixture.store.read {
            try $0.json(QueryDescription(entity: "Thing"), relationships: .nested)
        }
        #expect(String(decoding: written, as: UTF8.self) == json)
    }
}
