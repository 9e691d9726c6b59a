import Foundation
import Testing

@testable import LarderObjectStore

/// Arrays that a document leaves for later instead of keeping them.
struct JSONDeferralTests {
    private static let text = #"""
        {"a": 1, "items": [{"id": 1, "tags": ["x", "y"]}, null, {"id": 2, "tags": []},
          {"id": 3, "tags": [[1, 2], [3]]}], "b": {"c": [true, "\u00e9", -1.5e3]}, "d": []}
        """#

    @Test(arguments: [0, 1, 8, 20, 60, 1000])
    func `a document reads the same whichever arrays are walked`(_ longArray: Int) throws {
        let document = try JSONDocument(mapped: Self.text.utf8, longArray: longArray)
        let expected = try JSONDocument(Self.text)
        #expect(document.root.spelled == expected.root.spelled)
        #expect(document.root["items"]?.count == 4)
        #expect(document.root.value(at: "b.c")?.count == 3)
        #expect(document.root["d"]?.count == 0)
        #expect(document.root["d"]?.elements?.isEmpty == true)
        #expect(document.root["items"]?.source == expected.root["items"]?.source)
    }

    @Test func `only long arrays are left for later`() throws {
        let text =
            "[" + (0..<1000).map { "{\"id\": \($0), \"l\": [1]}" }.joined(separator: ",") + "]"
        let document = try JSONDocument(mapped: text.utf8, longArray: 500)
        let tape = document.storage.tape
        #expect(tape.next(0) == 2)
        #expect(tape.length(0) == 1000)
        var walk = try #require(document.storage.walk(through: 0))
        var count = 0
        while let batch = try walk.batch() {
            #expect(batch.document === document.storage)
            #expect(batch.tape.containerText(0).count < 600)
            #expect(batch.tape.length(0) > 1)
            count += batch.tape.length(0)
        }
        #expect(count == 1000)
        #expect(document.storage.walk(through: 1) == nil)
    }

    @Test(
        arguments: [
            #"{"items": [1, 2, x], "b": 1}"#, "[1, 2", "[[1], [2], [\"\u{1}\"]]", "[1] 2",
            "[{\"a\": [1, 2, {\"b\": 01}]}]", "\n\n[1,\n2,\n}", "[1,2,]", "[", "",
            "[[[[[[[[[]]]]]]]]]",
            "[1, [2, [3, \"\\x\"]]]",
        ])
    func `the first mistake is the same in line, column and path`(_ text: String) throws {
        let expected = try #require(JSONDocument.refusal(of: text.utf8, depthLimit: 8))
        for longArray in [0, 4, 1000] {
            #expect(throws: expected) {
                try JSONDocument(mapped: text.utf8, longArray: longArray, depthLimit: 8)
            }
        }
    }

    @Test func `random documents read the same, and mistakes are the same`() throws {
        var generator = SplitMix64(seed: 4)
        for _ in 0..<400 {
            var bytes = Array(Self.value(depth: 0, &generator).utf8)
            if Bool.random(using: &generator), !bytes.isEmpty {
                let alphabet = Array("[]{},:\"1e- x\\".utf8)
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                    alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
            let longArray = Int.random(in: 0..<40, using: &generator)
            do {
                let expected = try JSONDocument(bytes: bytes).root
                let root = try JSONDocument(mapped: bytes, longArray: longArray).root
                #expect(root.spelled == expected.spelled)
                #expect(root.readAll() == expected.readAll())
            } catch let error as JSONError {
                #expect(throws: error) {
                    try JSONDocument(mapped: bytes, longArray: longArray)
                }
            }
        }
    }

    private static func value(depth: Int, _ generator: inout SplitMix64) -> String {
        let count = Int.random(in: 0..<6, using: &generator)
        switch Int.random(in: depth < 4 ? 0..<6 : 2..<6, using: &generator) {
        case 0:
            let values = (0..<count).map { _ in value(depth: depth + 1, &generator) }
            return "[\(values.joined(separator: Bool.random(using: &generator) ? ", " : ","))]"
        case 1:
            let values = (0..<count).map {
                "\"k\($0 % 4)\": \(value(depth: depth + 1, &generator))"
            }
            return "{\(values.joined(separator: ",\n"))}"
        case 2: return "null"
        case 3: return "\"\\u00e9\\n text\""
        case 4: return "\(Int.random(in: -9...9999, using: &generator))"
        default: return "1.5e2"
        }
    }
}
