import Foundation
import LarderObjectStore
import Testing

@testable import LarderClient

@Suite struct RequestBodyPatchTests {
    private struct Issue: Encodable, Sendable {
        var title = "x"
        var note: String?
        var labels = ["a"]
        var owner: Owner?

        struct Owner: Encodable, Sendable {
            var name: String?
            var age: Int?
        }
    }

    private static func text(_ body: RequestBody) throws -> String {
        String(decoding: try body.encoded().data, as: UTF8.self)
    }

    private static func sorted() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    // MARK: Merge patch

    @Test func `nil in a literal is null, so that it removes`() throws {
        let encoder = Self.sorted()
        let body = RequestBody.mergePatch(
            ["title": "x", "note": nil, "owner": ["name": nil as String?]], encoder: encoder)
        #expect(try Self.text(body) == #"{"note":null,"owner":{"name":null},"title":"x"}"#)
        #expect(try body.encoded().contentType == "application/merge-patch+json")
        #expect(try Self.text(.mergePatch(["note": nil])) == #"{"note":null}"#)
        #expect(
            try Self.text(.mergePatch(["a": 1, "b": 2], encoder: encoder)) == #"{"a":1,"b":2}"#)
    }

    @Test func `a value is sent as it is encoded`() throws {
        let body = RequestBody.mergePatch(Issue(note: "n"), encoder: Self.sorted())
        #expect(try Self.text(body) == #"{"labels":["a"],"note":"n","title":"x"}"#)
    }

    @Test func `what has changed between two values is the patch, null for what has gone`() throws {
        let old = Issue(note: "n", owner: .init(name: "ann", age: 3))
        #expect(try Self.text(.mergePatch(from: old, to: old)) == "{}")
        #expect(try Self.text(.mergePatch(from: ["a"], to: ["a"])) == #"["a"]"#)
        #expect(try Self.text(.mergePatch(from: 7, to: 7)) == "7")
        #expect(
            try Self.text(.mergePatch(from: ["n": "e\u{301}"], to: ["n": "\u{E9}"]))
                == "{\"n\":\"\u{E9}\"}")
        // Two spellings of one character are two keys.
        let keys = try Self.text(.mergePatch(from: ["\u{E9}": 1], to: ["e\u{301}": 2]))
        let expected = "{\"e\u{301}\":2,\"\u{E9}\":null}"
        #expect(keys.unicodeScalars.elementsEqual(expected.unicodeScalars))
        #expect(
            try Self.text(.mergePatch(from: old, to: Issue())) == #"{"note":null,"owner":null}"#)
        let new = Issue(title: "y", note: "n", labels: ["a", "b"], owner: .init(age: 3))
        #expect(
            try Self.text(.mergePatch(from: old, to: new))
                == #"{"labels":["a","b"],"owner":{"name":null},"title":"y"}"#)
        #expect(
            try Self.text(.mergePatch(from: Issue(), to: old))
                == #"{"note":"n","owner":{"age":3,"name":"ann"}}"#)
    }

    /// A law of RFC 7396: the patch, applied to the old value, gives the new one.
    @Test(arguments: UInt64(0)..<500)
    func `a patch makes the new value of the old one`(_ seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let old = JSON.object(.random(depth: 3, &random))
        let new = JSON.object(.random(depth: 3, &random))
        let data = try RequestBody.mergePatch(from: old, to: new).encoded().data
        let patch = try JSONDecoder().decode(JSON.self, from: data)
        #expect(old.merged(patch).withoutNulls == new.withoutNulls, "seed \(seed)")
        #expect(try Self.text(.mergePatch(from: new, to: new)) == "{}", "seed \(seed)")
    }

    /// RFC 7396, appendix A, where the target is an object.
    @Test func `the test's own merging is the RFC's`() throws {
        for (target, patch, expected) in [
            (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":"b"}"#, #"{"a":null}"#, "{}"),
            (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
            (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
            (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
            ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
        ] {
            func json(_ text: String) throws -> JSON {
                try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
            }
            #expect(try json(target).merged(json(patch)) == json(expected))
        }
    }

    // MARK: JSON Patch

    @Test func `operations are members of an array, in their order`() throws {
        let name = "a/b~c"
        let body = RequestBody.jsonPatch(
            [
                .test("/version", 3), .replace("/title", "x"), .replace("/note", nil),
                .add("/labels/-", ["n": 1]), .remove("/labels/\(0)"), .move(from: "/a", to: "/b"),
                .copy(from: "/a", to: "/names/\(name)"), .test("", true),
            ], encoder: Self.sorted())
        #expect(try body.encoded().contentType == "application/json-patch+json")
        #expect(
            try Self.text(body) == "["
                + [
                    #"{"op":"test","path":"/version","value":3}"#,
                    #"{"op":"replace","path":"/title","value":"x"}"#,
                    #"{"op":"replace","path":"/note","value":null}"#,
                    #"{"op":"add","path":"/labels/-","value":{"n":1}}"#,
                    #"{"op":"remove","path":"/labels/0"}"#,
                    #"{"from":"/a","op":"move","path":"/b"}"#,
                    #"{"from":"/a","op":"copy","path":"/names/a~1b~0c"}"#,
                    #"{"op":"test","path":"","value":true}"#,
                ].joined(separator: ",") + "]")
    }

    @Test(arguments: ["title", "/a~b", "/a~2", "/a~", "a/b"])
    func `a pointer that is none is refused`(_ text: String) throws {
        let body = RequestBody.jsonPatch([.remove(JSONPointer(stringLiteral: text))])
        let error = #expect(throws: TransportError.self) { try body.encoded() }
        #expect(error?.reason == .invalidRequest)
    }

    @Test(arguments: ["/", "", "~0", "~1", "a~/b", "é", " ", "\"", "~01"])
    func `a step stays one, whatever it holds`(_ step: String) throws {
        let pointer: JSONPointer = "/x/\(step)/y"
        #expect(pointer == JSONPointer(["x", step, "y"]))
        let steps = pointer.description.dropFirst()
            .split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.replacing("~1", with: "/").replacing("~0", with: "~") }
        #expect(steps.map(String.init) == ["x", step, "y"])
        #expect(throws: Never.self) { try RequestBody.jsonPatch([.remove(pointer)]).encoded() }
        #expect(JSONPointer([]).description == "")
    }
}

/// JSON as RFC 7396 merges it.
private indirect enum JSON: Codable, Equatable, Sendable {
    case null
    case number(Int)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let number = try? container.decode(Int.self) {
            self = .number(number)
        } else if let array = try? container.decode([JSON].self) {
            self = .array(array)
        } else if let text = try? container.decode(String.self) {
            self = .number(text.hashValue)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .number(let number): try container.encode(number)
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    static func random(depth: Int, _ random: inout SplitMix) -> JSON {
        switch Int.random(in: depth == 0 ? 0..<2 : 0..<5, using: &random) {
        case 0: .number(Int.random(in: 0..<3, using: &random))
        case 1: .null
        case 2: .array((0..<2).map { _ in .random(depth: depth - 1, &random) })
        default: .object(.random(depth: depth - 1, &random))
        }
    }

    func merged(_ patch: JSON) -> JSON {
        guard case .object(let changes) = patch else { return patch }
        var members: [String: JSON] = [:]
        if case .object(let old) = self { members = old }
        for (key, value) in changes {
            members[key] = value == .null ? nil : (members[key] ?? .null).merged(value)
        }
        return .object(members)
    }

    /// Without the members that are null, which no patch can make; elements of arrays stay.
    var withoutNulls: JSON {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.value != .null }.mapValues(\.withoutNulls))
    }
}

extension [String: JSON] {
    fileprivate static func random(depth: Int, _ random: inout SplitMix) -> [String: JSON] {
        ["a", "b", "c", "d/é"].reduce(into: [:]) { members, key in
            if Bool.random(using: &random) { members[key] = .random(depth: depth, &random) }
        }
    }
}
