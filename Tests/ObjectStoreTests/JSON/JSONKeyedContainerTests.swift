import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONKeyedContainerTests {
    enum Known: String, CodingKey { case a, b }

    // MARK: Keyed

    @Test func `all keys stand in the order of the document, each once`() throws {
        let container = try JSONValueDecoder(json: #"{"z":1,"a":2,"m":3,"a":4}"#).container(
            keyedBy: KeyName.self)
        #expect(container.allKeys.map(\.stringValue) == ["z", "m", "a"])
        #expect(try container.decode(Int.self, forKey: "a") == 4)
        let known = try JSONValueDecoder(json: #"{"z":1,"b":2,"a":3}"#).container(
            keyedBy: Known.self)
        #expect(known.allKeys == [.b, .a])
    }

    @Test func `contains a key whose value is null`() throws {
        let container = try JSONValueDecoder(json: #"{"a":null,"b":1}"#).container(
            keyedBy: KeyName.self)
        #expect(container.contains("a") && container.contains("b") && !container.contains("c"))
        #expect(try container.decodeNil(forKey: "a"))
        #expect(try !container.decodeNil(forKey: "b"))
        #expect(throws: DecodingError.self) { try container.decodeNil(forKey: "c") }
    }

    @Test func `a value that may be missing is nil where it is null or not there`() throws {
        let container = try JSONValueDecoder(json: #"{"null":null,"wrong":[]}"#).container(
            keyedBy: KeyName.self)
        for key in ["null", "missing"] as [KeyName] {
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
        let container = try JSONValueDecoder(
            json: #"{"bool":true,"text":"x","number":7,"date":"2001-01-01T00:00:01Z","list":[1]}"#
        ).container(keyedBy: KeyName.self)
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
        let container = try JSONValueDecoder(json: #"{"a":{"b":[[1,{"c":"x"}]]}}"#).container(
            keyedBy: KeyName.self)
        let inner = try container.nestedContainer(keyedBy: KeyName.self, forKey: "a")
        #expect(inner.codingPath.map(\.stringValue) == ["a"])
        var list = try inner.nestedUnkeyedContainer(forKey: "b")
        #expect(list.codingPath.map(\.stringValue) == ["a", "b"])
        var row = try list.nestedUnkeyedContainer()
        #expect(row.codingPath.map(\.stringValue) == ["a", "b", "Index 0"])
        #expect(row.codingPath.last?.intValue == 0)
        #expect(try row.decode(Int.self) == 1)
        let object = try row.nestedContainer(keyedBy: KeyName.self)
        let error = #expect(throws: DecodingError.self) { try object.decode(Int.self, forKey: "c") }
        #expect(DecodingError.path(of: error) == ["a", "b", "Index 0", "Index 1", "c"])
    }

    @Test func `containers of the wrong kind are refused where they stand`() throws {
        let container = try JSONValueDecoder(json: #"{"a":[],"b":{},"c":null}"#).container(
            keyedBy: KeyName.self)
        for key in ["a", "c", "d"] as [KeyName] {
            let error = #expect(throws: DecodingError.self) {
                try container.nestedContainer(keyedBy: KeyName.self, forKey: key)
            }
            #expect(
                DecodingError.path(of: error) == (key.stringValue == "d" ? [] : [key.stringValue]))
        }
        let error = #expect(throws: DecodingError.self) {
            try container.nestedUnkeyedContainer(forKey: "b")
        }
        #expect(DecodingError.path(of: error) == ["b"])
    }

    @Test func `a superclass is read from its key, which must be there`() throws {
        let container = try JSONValueDecoder(json: #"{"super":{"x":1},"a":{"x":2}}"#).container(
            keyedBy: Known.self)
        let inherited = try container.superDecoder()
        #expect(inherited.codingPath.map(\.stringValue) == ["super"])
        #expect(try inherited.container(keyedBy: KeyName.self).decode(Int.self, forKey: "x") == 1)
        let other = try container.superDecoder(forKey: .a)
        #expect(try other.container(keyedBy: KeyName.self).decode(Int.self, forKey: "x") == 2)
        let error = #expect(throws: DecodingError.self) {
            try JSONValueDecoder(json: "{}").container(keyedBy: Known.self).superDecoder()
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
        #expect(DecodingError.path(of: error) == ["items", "Index 1", "n"])
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
