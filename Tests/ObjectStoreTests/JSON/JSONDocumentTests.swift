import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONDocumentTests {
    /// Larger than what a document copies.
    private func large(_ marker: Character) -> Data {
        Data(("[\"" + String(repeating: marker, count: 10_000) + "\"]").utf8)
    }

    @Test func `keeps its bytes when the caller changes theirs`() throws {
        for original in [Data("[\"aaaa\"]".utf8), large("a")] {
            var data = original
            let document = try JSONDocument(data)
            data.resetBytes(in: 0..<data.count)
            data.removeAll()
            #expect(document.root.source == original)
            #expect(document.root.elements?.first?.string?.allSatisfy { $0 == "a" } == true)
        }
    }

    @Test func `outlives the data that it was made of`() throws {
        func make() throws -> JSONDocument { try JSONDocument(large("b")) }
        let document = try make()
        // Memory that was given back would be taken for these.
        let others = (0..<16).map { _ in large("c") }
        #expect(document.root.elements?.first?.string == String(repeating: "b", count: 10_000))
        #expect(others.count == 16)
    }

    @Test func `reads slices of data by their own start`() throws {
        for content in [Data("[1,2]".utf8), large("d")] {
            let padded = Data("xxxx".utf8) + content + Data("yyyy".utf8)
            let slice = padded[4..<(padded.count - 4)]
            #expect(slice.startIndex == 4)
            #expect(try JSONDocument(slice).root.source == content)
        }
    }

    @Test func `takes over memory that is not Foundation's`() throws {
        let source = large("e")
        let memory = UnsafeMutableRawPointer.allocate(byteCount: source.count, alignment: 1)
        source.copyBytes(to: memory.assumingMemoryBound(to: UInt8.self), count: source.count)
        let data = Data(
            bytesNoCopy: memory, count: source.count,
            deallocator: .custom { pointer, _ in pointer.deallocate() })
        #expect(try JSONDocument(data).root.source == source)
    }

    @Test func `does not copy what is large`() throws {
        let data = large("f")
        let document = try JSONDocument(data)
        let isShared = data.withUnsafeBytes { bytes in
            bytes.baseAddress == UnsafeRawPointer(document.storage.tape.bytes)
        }
        #expect(isShared)
    }

    @Test func `empty data is a document that ends too early`() {
        #expect(JSONDocument.refusal(of: Data())?.reason == .unexpectedEnd)
        #expect(JSONDocument.refusal(of: Data(count: 0)[0..<0])?.reason == .unexpectedEnd)
        #expect(JSONDocument.refusal(of: "")?.reason == .unexpectedEnd)
    }

    @Test func `a byte order mark is ignored at the start and nowhere else`() throws {
        #expect(try JSONDocument("\u{FEFF}[1]").root.count == 1)
        #expect(JSONDocument.refusal(of: "\u{FEFF}\u{FEFF}[1]")?.reason == .unexpectedCharacter)
        #expect(JSONDocument.refusal(of: "[\u{FEFF}1]")?.reason == .unexpectedCharacter)
        #expect(JSONDocument.refusal(of: "[1]\u{FEFF}")?.reason == .trailingContent)
        #expect(JSONDocument.refusal(of: [0xEF, 0xBB])?.reason == .unexpectedCharacter)
    }

    @Test func `knows how deeply it is nested`() throws {
        for (text, depth) in [
            ("1", 0), ("[]", 1), ("[{}]", 2), ("[[],[[]],[]]", 3), ("{\"a\":[1]}", 2),
        ] {
            #expect(try JSONDocument(text).storage.depth == depth)
        }
    }

    @Test func `may be read from many threads at once`() async throws {
        let root = try JSONDocument(
            "[" + (0..<1000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
        ).root
        let sums = await withTaskGroup(of: Int64.self) { group in
            for _ in 0..<8 {
                group.addTask { (root.elements ?? []).reduce(0) { $0 + ($1["id"]?.integer ?? 0) } }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(sums == Array(repeating: 499_500, count: 8))
    }
}
