import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONKeyedContainerTests {
    /// A key of any name.
    struct Name: CodingKey, ExpressibleByStringLiteral {
        let stringValue: String
        var intValue: Int? { Int(stringValue) }

        init(stringLiteral value: String) { stringValue = value }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { stringValue = String(intValue) }
    }

    enum Known: String, CodingKey { case a, b }

    private func decoder(_ json: String) throws -> JSONValueDecoder {
        JSONValueDecoder(
            value: try JSONDocument(json).root, codingPath: [],
            shared: JSONDecoding(options: DecodingOptions()))
    }

    private func path(_ error: (any Error)?) -> [String]? {
        switch error as? DecodingError {
        case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?,
            .keyNotFound(_, let context)?, .dataCorrupted(let context)?:
            context.codingPath.map(\.stringValue)
        default: nil
        }
    }

    // MARK: Keyed

    @Test func `all keys stand in the order of the document, each once`() throws {
        let container = try decoder(#"{"z":1,"a":2,"m":3,"a":4}"#).container(keyedBy: Name.self)
        #expect(container.allKeys.map(\.stringValue) == ["z", "m", "a"])
        #expect(try container.decode(Int.self, forKey: "a") == 4)
        let known = try decoder(#"{"z":1,"b":2,"a":3}"#).container(keyedBy: Known.self)
        #expect(known.allKeys == [.b, .a])
    }

    @Test func `contains a key whose value is null`() throws {
        let container = try decoder(#"{"a":null,"b":1}"#).container(keyedBy: Name.self)
        #expect(container.contains("a") && container.contains("b") && !container.contains("c"))
        #expect(try container.decodeNil(forKey: "a"))
        #expect(try !container.decodeNil(forKey: "b"))
        #expect(throws: DecodingError.self) { try container.decodeNil(forKey: "c") }
    }

    @Test func `a value that may be missing is nil where it is null or not there`() throws {
        let container = try decoder(#"{"null":null,"wrong":[]}"#).container(keyedBy: Name.self)
        for key in ["null", "missing"] as [Name] {
            #expect(try container.decodeIfPresent(Bool.self, forKey: key) == nil)
            #expect(try container.decodeIfPresent(String.self, forKey: key) == nil)
            #expect(try container.decodeIfPresent(Double.self, forKey: key) == nil)
            #expect(try container.decodeIfPresent(Float.self, forKey: key) == nil)
            #expect(try container.decodeIfPresent(Int.self, forKey: key) == nil)
            #expect(try container.decodeIfPresent(Int8.self, forKey: key) == nil)
            #expect(try container.decodeIfPresent(UInt64.self, forKey: key) == nil)
            #expect(try container.decodeIfPresent(Int128.self, forKey: key) == nil)
            #expect(try container.decodeIfPresent(Date.self, forKey: key) == nil)
            #expect(try container.decodeIfPresent([Int].self, forKey: key) == nil)
        }
        #expect(throws: DecodingError.self) {
            try container.decodeIfPresent(Bool.self, forKey: "wrong")
        }
        #expect(throws: DecodingError.self) {
            try container.decodeIfPresent(String.self, forKey: "wrong")
        }
        #expect(throws: DecodingError.self) {
            try container.decodeIfPresent(Int.self, forKey: "wrong")
        }
        #expect(throws: DecodingError.self) {
            try container.decodeIfPresent(UInt8.self, forKey: "wrong")
        }
        #expect(throws: DecodingError.self) {
            try container.decodeIfPresent(Double.self, forKey: "wrong")
        }
        #expect(throws: DecodingError.self) {
            try container.decodeIfPresent(Float.self, forKey: "wrong")
        }
        #expect(throws: DecodingError.self) {
            try container.decodeIfPresent(Date.self, forKey: "wrong")
        }
    }

    @Test func `a value that may be missing is read where it is there`() throws {
        let container = try decoder(
            #"{"bool":true,"text":"x","number":7,"date":"2001-01-01T00:00:01Z","list":[1]}"#
        ).container(keyedBy: Name.self)
        #expect(try container.decodeIfPresent(Bool.self, forKey: "bool") == true)
        #expect(try container.decodeIfPresent(String.self, forKey: "text") == "x")
        #expect(try container.decodeIfPresent(Double.self, forKey: "number") == 7)
        #expect(try container.decodeIfPresent(Float.self, forKey: "number") == 7)
        #expect(try container.decodeIfPresent(Int.self, forKey: "number") == 7)
        #expect(try container.decodeIfPresent(UInt16.self, forKey: "number") == 7)
        #expect(
            try container.decodeIfPresent(Date.self, forKey: "date")
                == Date(timeIntervalSinceReferenceDate: 1))
        #expect(try container.decodeIfPresent([Int].self, forKey: "list") == [1])
    }

    @Test func `nested containers carry the path`() throws {
        let container = try decoder(#"{"a":{"b":[[1,{"c":"x"}]]}}"#).container(keyedBy: Name.self)
        let inner = try container.nestedContainer(keyedBy: Name.self, forKey: "a")
        #expect(inner.codingPath.map(\.stringValue) == ["a"])
        var list = try inner.nestedUnkeyedContainer(forKey: "b")
        #expect(list.codingPath.map(\.stringValue) == ["a", "b"])
        var row = try list.nestedUnkeyedContainer()
        #expect(row.codingPath.map(\.stringValue) == ["a", "b", "Index 0"])
        #expect(row.codingPath.last?.intValue == 0)
        #expect(try row.decode(Int.self) == 1)
        let object = try row.nestedContainer(keyedBy: Name.self)
        let error = #expect(throws: DecodingError.self) { try object.decode(Int.self, forKey: "c") }
        #expect(path(error) == ["a", "b", "Index 0", "Index 1", "c"])
    }

    @Test func `containers of the wrong kind are refused where they stand`() throws {
        let container = try decoder(#"{"a":[],"b":{},"c":null}"#).container(keyedBy: Name.self)
        for key in ["a", "c", "d"] as [Name] {
            let error = #expect(throws: DecodingError.self) {
                try container.nestedContainer(keyedBy: Name.self, forKey: key)
            }
            #expect(path(error) == (key.stringValue == "d" ? [] : [key.stringValue]))
        }
        let error = #expect(throws: DecodingError.self) {
            try container.nestedUnkeyedContainer(forKey: "b")
        }
        #expect(path(error) == ["b"])
    }

    @Test func `a superclass is read from its key, which must be there`() throws {
        let container = try decoder(#"{"super":{"x":1},"a":{"x":2}}"#).container(
            keyedBy: Known.self)
        let inherited = try container.superDecoder()
        #expect(inherited.codingPath.map(\.stringValue) == ["super"])
        #expect(try inherited.container(keyedBy: Name.self).decode(Int.self, forKey: "x") == 1)
        let other = try container.superDecoder(forKey: .a)
        #expect(try other.container(keyedBy: Name.self).decode(Int.self, forKey: "x") == 2)
        let error = #expect(throws: DecodingError.self) {
            try decoder("{}").container(keyedBy: Known.self).superDecoder()
        }
        guard case .keyNotFound(let key, _)? = error else { throw try #require(error) }
        #expect(key.stringValue == "super")
    }

    // MARK: Single values

    @Test func `a part may be taken as it stands`() throws {
        struct Page: Decodable {
            var total: Int
            var items: JSONValue
        }
        let page = try JSONDocument(#"{"total":2,"items":[1,{"a":"b"}]}"#).root.decode(Page.self)
        #expect(page.items.path == "$.items")
        #expect(page.items.elements?[1]["a"]?.string == "b")
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Page.self, from: Data(#"{"total":2,"items":[]}"#.utf8))
        }
    }

    @Test func `errors say where in the document`() throws {
        let document = try JSONDocument(#"{"items":[{"n":1},{"n":300}]}"#)
        let error = #expect(throws: DecodingError.self) {
            try document.root.decode([String: [[String: UInt8]]].self)
        }
        guard case .dataCorrupted(let context)? = error else { throw try #require(error) }
        #expect(context.debugDescription == "the number 300 does not fit UInt8 at $.items[1].n")
        #expect(path(error) == ["items", "Index 1", "n"])
    }

    @Test func `a document as deep as its limit can be decoded`() throws {
        indirect enum Nest: Decodable {
            case leaf
            case nest(Nest)

            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                self = list.isAtEnd ? .leaf : .nest(try list.decode(Nest.self))
            }

            var depth: Int {
                switch self {
                case .leaf: 1
                case .nest(let inner): 1 + inner.depth
                }
            }
        }
        let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(try JSONDocument(text).root.decode(Nest.self).depth == 512)
    }
}
