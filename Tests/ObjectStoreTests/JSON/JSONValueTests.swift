import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONValueTests {
    let document = #"""
        {"null":null,"true":true,"false":false,"int":7,"real":1.5,"text":"a\nb","list":[1,[2,[]],{}],
         "object":{"a":{"b":{"c":"deep"}},"":0},"a":1,"a":2,"é":"é"}
        """#

    private var root: JSONValue { get throws { try JSONDocument(document).root } }

    @Test func `knows the kind of each value`() throws {
        let kinds: [(String, JSONValue.Kind)] = [
            ("null", .null), ("true", .boolean), ("false", .boolean), ("int", .number),
            ("real", .number), ("text", .string), ("list", .array), ("object", .object),
        ]
        for (key, kind) in kinds { #expect(try root[key]?.kind == kind) }
        #expect(try root.kind == .object)
    }

    @Test func `reads a value only as what it is`() throws {
        let root = try root
        for key in try #require(root.keys) {
            let value = try #require(root[key])
            #expect(value.isNull == (value.kind == .null))
            #expect((value.bool != nil) == (value.kind == .boolean))
            #expect((value.double != nil) == (value.kind == .number))
            #expect((value.string != nil) == (value.kind == .string))
            #expect((value.elements != nil) == (value.kind == .array))
            #expect((value.keys != nil) == (value.kind == .object))
            #expect((value.count != nil) == (value.kind == .array || value.kind == .object))
            #expect(value.kind == .object || value["a"] == nil)
        }
        #expect(root["true"]?.bool == true)
        #expect(root["false"]?.bool == false)
    }

    @Test func `walks arrays in order`() throws {
        let list = try #require(try root["list"])
        #expect(list.count == 3)
        let elements = try #require(list.elements)
        #expect(elements.map(\.kind) == [.number, .array, .object])
        #expect(elements[1].elements?.last?.elements?.isEmpty == true)
        #expect(elements[1].count == 2)
        #expect(elements[2].keys == [])
    }

    @Test func `of members with one key the last counts`() throws {
        let root = try root
        #expect(root["a"]?.integer == 2)
        #expect(root.keys?.filter { $0 == "a" }.count == 2)
        #expect(root.count == 11)
        let spelled = try JSONDocument(#"{"\u0061":1,"a":2,"b":3,"\u0061":4}"#).root
        #expect(spelled["a"]?.integer == 4)
    }

    @Test func `finds keys by their bytes, escaped or not`() throws {
        let value = try JSONDocument(#"{"e\u0301":"decomposed","\u00e9":"composed","k\"":1,"":2}"#)
            .root
        #expect(value["e\u{301}"]?.string == "decomposed")
        #expect(value["\u{E9}"]?.string == "composed")
        #expect(value["k\""]?.integer == 1)
        #expect(value[""]?.integer == 2)
        #expect(value["k"] == nil)
        #expect(value["k\\\""] == nil)
    }

    @Test func `follows dotted key paths through objects`() throws {
        let root = try root
        #expect(root.value(at: "object.a.b.c")?.string == "deep")
        #expect(root.value(at: "object.")?.integer == 0)
        #expect(root.value(at: "int")?.integer == 7)
        for path in ["object.x", "object.a.b.c.d", "list.0", "null.a", "", ".", "object..a"] {
            #expect(root.value(at: path) == nil, "\(path)")
        }
    }

    @Test func `says where a value stands`() throws {
        let root = try JSONDocument(#"{"a":[0,{"b c":[[],[true]]}],"d":{"e":{}},"a\"\\":1}"#).root
        #expect(root.path == "$")
        #expect(root["a"]?.path == "$.a")
        #expect(root["a"]?.elements?.map(\.path) == ["$.a[0]", "$.a[1]"])
        let inner = try #require(root["a"]?.elements?[1]["b c"])
        #expect(inner.path == "$.a[1][\"b c\"]")
        #expect(inner.elements?[1].elements?[0].path == "$.a[1][\"b c\"][1][0]")
        #expect(root.value(at: "d.e")?.path == "$.d.e")
        #expect(root["a\"\\"]?.path == #"$["a\"\\"]"#)
    }

    @Test func `every value's path leads back to it`() throws {
        func check(_ value: JSONValue, _ path: String) {
            #expect(value.path == path)
            for (index, element) in (value.elements ?? []).enumerated() {
                check(element, "\(path)[\(index)]")
            }
            for key in value.keys ?? [] {
                if let member = value[key] { check(member, "\(path).\(key)") }
            }
        }
        check(
            try JSONDocument(#"{"x":[[{"y":1},[],{"z":[[[{"w":null}]]]}],2],"v":"u","t":{"s":{}}}"#)
                .root, "$")
    }

    @Test func `paths in a long array are right in whichever order they are asked for`() throws {
        let row = "[" + Array(repeating: "[7]", count: 100).joined(separator: ",") + "]"
        let text = "{\"a\":[" + Array(repeating: row, count: 100).joined(separator: ",") + "]}"
        let rows = try #require(JSONDocument(text).root["a"]?.elements)
        let places = (0..<100).flatMap { row in (0..<100).map { (row, $0) } }
        var random = SplitMix64(seed: 7)
        for order in [places, places.reversed(), places.shuffled(using: &random)] {
            for (row, column) in order {
                let value = rows[row].elements?[column].elements?.first
                #expect(value?.path == "$.a[\(row)][\(column)][0]")
            }
        }
    }

    @Test func `the path of an element is searched from where the last one was found`() throws {
        let document = try JSONDocument(
            "[" + Array(repeating: "1", count: 1000).joined(separator: ",") + "]")
        let elements = try #require(document.root.elements)
        var place: JSONTape.Place?
        let tape = document.storage.tape
        #expect(tape.path(to: elements[500].node, goingOnFrom: &place) == "$[500]")
        #expect(place?.index == 500 && place?.element == elements[500].node)
        // Taken at its word: what is before is not looked at again.
        place = JSONTape.Place(array: 0, element: elements[500].node, index: 7)
        #expect(tape.path(to: elements[502].node, goingOnFrom: &place) == "$[9]")
        #expect(tape.path(to: elements[499].node, goingOnFrom: &place) == "$[499]")
    }

    @Test func `gives back its bytes as they stand in the document`() throws {
        let root = try root
        func source(_ key: String) -> String? {
            root[key].map { String(decoding: $0.source, as: UTF8.self) }
        }
        #expect(source("text") == #""a\nb""#)
        #expect(source("list") == "[1,[2,[]],{}]")
        #expect(source("real") == "1.5")
        #expect(source("null") == "null")
        #expect(source("object") == #"{"a":{"b":{"c":"deep"}},"":0}"#)
        #expect(String(decoding: root.source, as: UTF8.self) == document)
        #expect(try JSONDocument(" [ 1 ] ").root.source == Data("[ 1 ]".utf8))
    }

    @Test func `outlives the document it came from`() throws {
        var document: JSONDocument? = try JSONDocument(Data(#"{"a":["kept"]}"#.utf8))
        let value = document?.root["a"]?.elements?.first
        document = nil
        #expect(value?.string == "kept")
    }
}
