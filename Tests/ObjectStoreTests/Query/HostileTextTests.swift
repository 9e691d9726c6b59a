import Foundation
import Testing

@testable import LarderObjectStore

@Entity
private struct Line {
    @Identity var id: Int
    var text: String
    var note: String?
    var size: Double
    var when: Date
    var bytes: Data
    var count: Int?
}

/// Text with a NUL in it, long patterns, and long lists of any values.
struct HostileTextTests {
    private let store: Store
    private let texts = ["a\0b", "a\0c", "ab", "", "\0", "a%b", "xa\0b"]

    init() throws {
        store = try Store.inMemory(entities: Line.self)
        for (id, text) in texts.enumerated() {
            try store.save(
                Line(
                    id: id, text: text, note: id == 0 ? nil : text, size: Double(id) / 3,
                    when: Date(timeIntervalSinceReferenceDate: Double(id) / 7),
                    bytes: Data([UInt8(id), 0, 255]), count: id == 3 ? nil : id))
        }
    }

    private func found(_ condition: (Line.Columns) -> Condition) throws -> [String] {
        try store.fetch(Line.where(condition)).map(\.text)
    }

    @Test func `a NUL ends no text`() throws {
        #expect(try found { $0.text.length == 3 } == ["a\0b", "a\0c", "a%b"])
        #expect(try found { $0.text.hasPrefix("a\0b") } == ["a\0b"])
        #expect(try found { $0.text.hasPrefix("\0") } == ["\0"])
        #expect(try found { $0.text.hasSuffix("b") } == ["a\0b", "ab", "a%b", "xa\0b"])
        #expect(try found { $0.text.hasSuffix("\0b") } == ["a\0b", "xa\0b"])
        #expect(try found { $0.text.hasSuffix("") } == texts)
        #expect(try found { $0.text.like("a%b") } == ["a\0b", "ab", "a%b"])
        #expect(try found { $0.text.like("A_b") } == ["a\0b", "a%b"])
        #expect(try found { $0.text.like("%\0%") } == ["a\0b", "a\0c", "\0", "xa\0b"])
        #expect(try found { !$0.text.hasPrefix("a") } == ["", "\0", "xa\0b"])
        #expect(try found { $0.text.contains("\0") } == ["a\0b", "a\0c", "\0", "xa\0b"])
    }

    @Test func `patterns match as SQLite's do`() throws {
        let patterns = [
            "", "%", "%%", "_", "a_", "_b", "%a%b%", "a\\%b", "a\\%", "\\", "a\\", "A%", "%_%",
            "_%_",
            "%b", "é", "\\a\\b",
        ]
        let texts = ["", "a", "ab", "A%b", "aXb", "é", "éb", "aéb", "\\", "aab", "abab"]
        let connection = try Connection.inMemory()
        for pattern in patterns {
            for text in texts {
                let rows = try connection.allRows(
                    "SELECT like(?1, ?2, '\\'), \(TextFunction.matches)(?2, ?1)",
                    [.text(pattern), .text(text)])
                #expect(rows[0][0] == rows[0][1], "\(text) like \(pattern)")
            }
        }
    }

    @Test func `a pattern may be as long as it likes`() throws {
        let pattern = String(repeating: "x", count: 60_000)
        #expect(try found { $0.text.like(pattern) } == [])
        #expect(try found { $0.text.like("a" + String(repeating: "%", count: 60_000)) }.count == 4)
    }

    @Test func `lists may hold any number of any values`() throws {
        let numbers = (0..<300_000).map { Double($0) / 3 }
        #expect(try found { $0.size.isIn(numbers) } == texts)
        let dates = (0..<40_000).map { Date(timeIntervalSinceReferenceDate: Double($0) / 7) }
        #expect(try found { $0.when.isIn(dates) } == texts)
        #expect(try found { $0.when.isIn(dates.dropFirst(2)) } == Array(texts.dropFirst(2)))
        let bytes = (0..<40_000).map { Data([UInt8($0 % 256), 0, 255, UInt8($0 / 256)].prefix(3)) }
        #expect(try found { $0.bytes.isIn(bytes + [Data()]) } == texts)
        let words = (0..<40_000).map { "w\($0)\"\\" } + ["a\0b", "ab", ""]
        #expect(try found { $0.text.isIn(words) } == ["a\0b", "ab", ""])
        #expect(try found { $0.size.isIn([-.infinity, 0, -0.0]) } == ["a\0b"])
    }

    @Test func `values that are there are looked for in a column that may be empty`() throws {
        let counts = [1, 2]
        let both: [Int?] = [1, nil]
        #expect(try found { $0.count.isIn(counts) } == ["a\0c", "ab"])
        #expect(try found { $0.count.isIn([1, 2]) } == ["a\0c", "ab"])
        #expect(try found { $0.count.isIn(both) } == ["a\0c", ""])
        #expect(try found { $0.note.isIn(["ab"]) } == ["ab"])
    }

    @Test func `a path with a NUL names no store`() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: StoreError.self) {
            try Store(at: folder.file("a\0b"), entities: Line.self)
        }
        #expect(error?.reason == .cannotOpen)
        #expect(!FileManager.default.fileExists(atPath: folder.file("a")))
    }

    @Test func `JSON has no infinite number, and what is written without it says so`() throws {
        try store.save(
            Line(
                id: 99, text: "", note: nil, size: .infinity, when: .now, bytes: Data(), count: nil)
        )
        let error = #expect(throws: StoreError.self) { try store.json(Line.all) }
        #expect(error?.reason == .unexpectedValue)
        #expect(error?.message.contains("Line.size") == true)
    }
}
