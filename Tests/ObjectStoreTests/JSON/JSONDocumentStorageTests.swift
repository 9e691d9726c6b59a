import Foundation
import Testing

@testable import LarderObjectStore

/// Arrays that a document walks instead of keeping them.
struct JSONDocumentStorageTests {
    private static let text = #"""
        {"a": 1, "items": [{"id": 1, "tags": ["x", "y"]}, null, {"id": 2, "tags": []},
          {"id": 3, "tags": [[1, 2], [3]]}], "b": {"c": [true, "\u00e9", -1.5e3]}, "d": []}
        """#

    @Test(arguments: [0, 8, 1000])
    func `values know their path`(_ longArray: Int) throws {
        let document = try JSONDocument(mapped: Self.text.utf8, longArray: longArray)
        let items = try #require(document.root["items"]?.elements)
        #expect(items.map(\.path) == (0..<4).map { "$.items[\($0)]" })
        #expect(items[2]["id"]?.path == "$.items[2].id")
        #expect(items[3]["tags"]?.path == "$.items[3].tags")
        let inner = try #require(items[3]["tags"]?.elements?.first?.elements)
        #expect(inner.map(\.path) == ["$.items[3].tags[0][0]", "$.items[3].tags[0][1]"])
    }

    @Test func `elements outlive the walk and its document`() throws {
        var elements: [JSONValue] = []
        do {
            let document = try JSONDocument(mapped: "[[1],[2],[3]]".utf8, longArray: 0)
            try document.root.forEachElement { elements.append($0) }
        }
        #expect(elements.map { $0.elements?.first?.integer } == [1, 2, 3])
    }

    @Test func `a walk can be taken by many at once`() async throws {
        let text = "[" + (0..<5000).map(String.init).joined(separator: ",") + "]"
        let document = try JSONDocument(mapped: text.utf8, longArray: 64)
        let sums = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var sum: Int64 = 0
                    try document.root.forEachElement { sum += $0.integer ?? 0 }
                    return sum
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == [Int64](repeating: 12_497_500, count: 4))
    }

    @Test func `what is no array has no elements`() throws {
        var count = 0
        try JSONDocument("{\"a\": 1}").root.forEachElement { _ in count += 1 }
        try JSONDocument("1").root.forEachElement { _ in count += 1 }
        #expect(count == 0)
    }

    @Test func `a body's error ends the walk`() throws {
        struct Enough: Error {}
        let document = try JSONDocument(mapped: "[1, 2, 3]".utf8, longArray: 0)
        var seen: [Int64?] = []
        #expect(throws: Enough.self) {
            try document.root.forEachElement {
                seen.append($0.integer)
                if seen.count == 2 { throw Enough() }
            }
        }
        #expect(seen == [1, 2])
    }

    // MARK: Decoding

    private struct Item: Decodable, Equatable {
        var id: Int
        var tags: [String]
    }

    @Test(arguments: [0, 30, 1000])
    func `a decoder reads the elements one after the other`(_ longArray: Int) throws {
        let text = (0..<50).map { "{\"id\": \($0), \"tags\": [\"a\", \"b\($0)\"]}" }
        let document = try JSONDocument(
            mapped: "{\"items\": [\(text.joined(separator: ", "))]}".utf8, longArray: longArray)
        let items = try document.root.decode([String: [Item]].self)
        #expect(items["items"] == (0..<50).map { Item(id: $0, tags: ["a", "b\($0)"]) })
        let numbers = try JSONDocument(mapped: "[1, null, 3]".utf8, longArray: longArray)
            .root.decode([Int?].self)
        #expect(numbers == [1, nil, 3])
    }

    @Test(arguments: [0, 1000])
    func `a decoder's error names the place`(_ longArray: Int) throws {
        let document = try JSONDocument(
            mapped: #"[{"id": 1, "tags": []}, {"id": 2, "tags": ["a", 7]}]"#.utf8,
            longArray: longArray)
        let error = #expect(throws: DecodingError.self) {
            try document.root.decode([Item].self)
        }
        guard case .typeMismatch(_, let context)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(context.debugDescription.contains("$[1].tags[1]"))
        #expect(context.codingPath.map(\.stringValue) == ["Index 1", "tags", "Index 1"])
    }
}
