import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONValueDecoderTests {
    /// A JSON text read as a type, by Foundation's decoder and by the document's.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let outcomes: @Sendable () -> (ours: String, foundation: String)

        init<Value: Decodable & Equatable & Sendable>(_ type: Value.Type, _ json: String) {
            testDescription = "\(type) from \(json)"
            outcomes = {
                (
                    Self.outcome { try JSONDocument(json).root.decode(type) },
                    Self.outcome { try JSONDecoder().decode(type, from: Data(json.utf8)) }
                )
            }
        }

        /// The value, or the kind of error and where it says it happened.
        private static func outcome(_ decode: () throws -> some Any) -> String {
            do {
                return "\(try decode())"
            } catch DecodingError.typeMismatch(_, let context) {
                return "type mismatch at \(path(context))"
            } catch DecodingError.valueNotFound(_, let context) {
                return "no value at \(path(context))"
            } catch DecodingError.keyNotFound(let key, let context) {
                return "no key \(key.stringValue) at \(path(context))"
            } catch DecodingError.dataCorrupted(let context) {
                return "corrupted at \(path(context))"
            } catch {
                return "\(error)"
            }
        }

        private static func path(_ context: DecodingError.Context) -> String {
            context.codingPath.map { "\($0.stringValue)/\($0.intValue ?? -1)" }
                .joined(separator: " ")
        }
    }

    static let scalars: [Case] = [
        Case(Bool.self, "true"), Case(Bool.self, "false"), Case(Bool.self, "1"),
        Case(Bool.self, "\"true\""),
        Case(String.self, "\"\""), Case(String.self, #""a\n\u00e9\uD83D\uDE00""#),
        Case(String.self, "1"), Case(String.self, "null"), Case(String.self, "[]"),
        Case(Int.self, "0"), Case(Int.self, "-0"), Case(Int.self, "1.0"), Case(Int.self, "1e3"),
        Case(Int.self, "1.5"), Case(Int.self, "1e-1"), Case(Int.self, "\"1\""),
        Case(Int.self, "9223372036854775807"), Case(Int.self, "-9223372036854775808"),
        Case(Int.self, "9223372036854775808"), Case(Int.self, "1e400"), Case(Int.self, "true"),
        Case(Int8.self, "-128"), Case(Int8.self, "128"), Case(Int16.self, "32767"),
        Case(Int16.self, "32768"), Case(Int32.self, "-2147483648"), Case(Int32.self, "2147483648"),
        Case(Int64.self, "9223372036854775807"), Case(UInt.self, "18446744073709551615"),
        Case(UInt8.self, "255"), Case(UInt8.self, "256"), Case(UInt8.self, "-1"),
        Case(UInt16.self, "65535"), Case(UInt32.self, "4294967295"), Case(UInt32.self, "-1"),
        Case(UInt64.self, "18446744073709551615"), Case(UInt64.self, "18446744073709551616"),
        Case(Double.self, "0.1"), Case(Double.self, "1"), Case(Double.self, "-0.0"),
        Case(Double.self, "5e-324"), Case(Double.self, "1e309"), Case(Double.self, "\"1\""),
        Case(Float.self, "0.1"), Case(Float.self, "16777217"), Case(Float.self, "1e39"),
        Case(Float.self, "1e309"), Case(Float.self, "1.00000005960464477540"),
        Case(Decimal.self, "0.1"), Case(Decimal.self, "-12345678901234567890.123456789"),
        Case(Decimal.self, "1e5"), Case(Decimal.self, "\"1\""),
        Case(URL.self, #""https://example.com/a?b=c#d""#), Case(URL.self, "1"),
        Case(UUID.self, #""6ba7b810-9dad-11d1-80b4-00c04fd430c8""#), Case(UUID.self, "\"x\""),
        Case(Data.self, #""AQID""#), Case(Data.self, #""""#), Case(Data.self, "\"?\""),
    ]

    @Test(arguments: scalars)
    func `reads single values as Foundation does`(example: Case) {
        let (ours, foundation) = example.outcomes()
        #expect(ours == foundation)
    }

    enum State: String, Codable { case open, closed }

    enum Level: Int, Codable { case low = 1, high }

    enum Shape: Codable, Equatable {
        case point
        case circle(radius: Double)
        case named(String, Int?)
    }

    struct User: Codable, Equatable {
        var id: Int64
        var login: String
        var email: String?
        var state = State.open
        var tags: [String]?
        var score: Float?
        var small: UInt8?
        var active: Bool?
    }

    struct Tree: Codable, Equatable {
        var value: Int
        var children: [Tree]
    }

    struct Renamed: Codable, Equatable {
        var createdAt: String
        enum CodingKeys: String, CodingKey { case createdAt = "created_at" }
    }

    struct Everything: Codable, Equatable {
        var a: Int
        var b: Int8
        var c: Int16
        var d: Int32
        var e: Int64
        var f: UInt
        var g: UInt8
        var h: UInt16
        var i: UInt32
        var j: UInt64
        var k: Int?
        var l: Int8?
        var m: UInt64?
        var n: Double?
        var o: String?
    }

    static let types: [Case] = [
        Case(User.self, #"{"id":1,"login":"ann","state":"closed"}"#),
        Case(User.self, #"{"id":1,"login":"ann","email":null,"state":"open","tags":["a"]}"#),
        Case(
            User.self, #"{"id":1,"login":"ann","state":"open","score":1.5,"small":7,"active":true}"#
        ),
        Case(User.self, #"{"id":1,"login":"ann","state":"open","email":5}"#),
        Case(User.self, #"{"id":1,"login":"ann","state":"odd"}"#),
        Case(User.self, #"{"id":1,"login":"ann","state":"open","tags":["a",1]}"#),
        Case(User.self, #"{"id":"1","login":"ann","state":"open"}"#),
        Case(User.self, #"{"id":null,"login":"ann","state":"open"}"#),
        Case(User.self, #"{"login":"ann","state":"open"}"#), Case(User.self, "[]"),
        Case(User.self, "null"), Case(User.self, "7"), Case(User?.self, "null"),
        Case([User?].self, #"[null,{"id":1,"login":"ann","state":"open"}]"#),
        Case([User].self, #"[{"id":1,"login":"ann","state":"open"},{"id":2}]"#),
        Case(Level.self, "2"), Case(Level.self, "3"), Case([State].self, #"["open","closed"]"#),
        Case(Shape.self, #"{"point":{}}"#), Case(Shape.self, #"{"circle":{"radius":1.5}}"#),
        Case(Shape.self, #"{"named":{"_0":"x","_1":null}}"#), Case(Shape.self, "{}"),
        Case(Shape.self, #"{"point":{},"circle":{"radius":1}}"#), Case(Shape.self, #"{"x":{}}"#),
        Case(
            Tree.self,
            #"{"value":1,"children":[{"value":2,"children":[]},{"value":3,"children":[{"value":4,"children":[]}]}]}"#
        ),
        Case(Tree.self, #"{"value":1,"children":[{"value":2,"children":[{"value":"x"}]}]}"#),
        Case(Renamed.self, #"{"created_at":"x"}"#), Case(Renamed.self, #"{"createdAt":"x"}"#),
        Case(
            Everything.self,
            #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":18446744073709551615}"#),
        Case(
            Everything.self,
            #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":11,"l":-12,"m":13,"n":14,"o":"15"}"#
        ),
        Case(
            Everything.self,
            #"{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7,"h":8,"i":9,"j":10,"k":null,"l":null,"m":null,"n":null,"o":null}"#
        ),
        Case(Everything.self, #"{"a":1,"b":2,"c":true}"#),
        Case([Int].self, "[]"), Case([Int].self, "[1,null]"), Case([Int?].self, "[1,null,3]"),
        Case([[Int]].self, "[[1],[],[2,3]]"), Case([Int].self, "{}"), Case([Int].self, "[1,\"2\"]"),
        Case([UInt8].self, "[0,255]"), Case(Set<Int>.self, "[3,3,3]"),
        Case([String: Int].self, #"{"a":1}"#), Case([String: Int].self, #"{"b":"x"}"#),
        Case([String: Int?].self, #"{"a":null}"#),
        Case([String: [String: Int]].self, #"{"a":{"b":1}}"#),
        Case([Int: String].self, #"{"1":"a"}"#), Case([Int: String].self, #"{"x":"a"}"#),
        Case([State: Int].self, #"["open",1]"#), Case([State: Int].self, #"{"open":1}"#),
        Case([Place: Int].self, #"{"here":1}"#), Case([Place: Int].self, #"{"odd":1}"#),
        Case([Level: Int].self, #"["2",1]"#), Case(Range<Int>.self, "[1,5]"),
        Case(ClosedRange<Int>.self, "[1]"), Case(CGFloat.self, "1.5"), Case(Int?.self, "1"),
        Case(Child.self, #"{"super":{"id":1},"name":"x"}"#),
        Case(Child.self, #"{"super":{"id":"1"},"name":"x"}"#),
        Case(Child.self, #"{"super":null,"name":"x"}"#),
        Case(KeyedSuper.self, #"{"base":{"id":5}}"#),
    ]

    @Test func `says more than Foundation about what does not fit`() throws {
        let place = #expect(throws: DecodingError.self) {
            try JSONDocument(#"{"a":1,"b":128}"#).root.decode(Everything.self)
        }
        guard case .dataCorrupted(let context)? = place else { throw try #require(place) }
        #expect(context.codingPath.map(\.stringValue) == ["b"])
        // To Foundation null is no value for an integer, but of the wrong type for a boolean.
        let null = #expect(throws: DecodingError.self) {
            try JSONDocument("null").root.decode(Bool.self)
        }
        guard case .valueNotFound? = null else { throw try #require(null) }
    }

    @Test func `optionals of all depths are read where they are the whole`() throws {
        let root = try JSONDocument(#"[1,"2001-01-01",null]"#).root
        let elements = try #require(root.elements)
        #expect(try elements[0].decode(Int?.self) == 1)
        #expect(try elements[1].decode(Date?.self) == Date(timeIntervalSinceReferenceDate: 0))
        #expect(try elements[2].decode(Date?.self) == nil)
        #expect(try elements[0].decode(Int??.self) == 1)
    }

    enum Place: String, Codable, CodingKeyRepresentable { case here, there }

    class Base: Codable {
        var id: Int
        init(id: Int) { self.id = id }
    }

    final class Child: Base, Equatable, CustomStringConvertible, @unchecked Sendable {
        let name: String
        enum CodingKeys: String, CodingKey { case name }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            name = try container.decode(String.self, forKey: .name)
            try super.init(from: container.superDecoder())
        }

        var description: String { "\(id) \(name)" }
        static func == (left: Child, right: Child) -> Bool {
            left.description == right.description
        }
    }

    struct KeyedSuper: Decodable, Equatable {
        let id: Int
        enum CodingKeys: String, CodingKey { case base, id }

        init(from decoder: any Decoder) throws {
            let base = try decoder.container(keyedBy: CodingKeys.self).superDecoder(forKey: .base)
            id = try base.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .id)
        }
    }

    @Test(arguments: types)
    func `reads synthesized types as Foundation does`(example: Case) {
        let (ours, foundation) = example.outcomes()
        #expect(ours == foundation)
    }

    @Test func `integers of 128 bits are read wherever they stand`() throws {
        struct Wide: Decodable {
            var signed: Int128
            var unsigned: UInt128
            var list: [Int128]
            var missing: Int128?
        }
        let text = "{\"signed\":\(Int128.min),\"unsigned\":\(UInt128.max),\"list\":[\(Int128.max)]}"
        let wide = try JSONDocument(text).root.decode(Wide.self)
        #expect(wide.signed == .min && wide.unsigned == .max && wide.list == [.max])
        #expect(wide.missing == nil)
    }
}
