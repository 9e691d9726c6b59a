import Foundation
import Testing

@testable import LarderClient

@Suite struct LineSplitterTests {
    /// The lines of a whole text, by looking at it as a whole, up to the one that is too long.
    static func oracle(_ bytes: [UInt8], maximumSize: Int = .max) -> (
        lines: [[UInt8]], isTooLong: Bool
    ) {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        let long = lines.firstIndex { $0.count > maximumSize }
        let end = lines.count - 1
        for place in 0..<end where lines[place].last == 0x0D { lines[place].removeLast() }
        if lines[end] == [] { lines.removeLast() }
        return (Array(lines.prefix(long ?? lines.count)), long != nil)
    }

    static func lines(
        of chunks: [[UInt8]], maximumSize: Int = .max
    ) -> (lines: [[UInt8]], isTooLong: Bool) {
        var splitter = LineSplitter(maximumSize: maximumSize)
        var lines: [Data] = []
        do {
            for chunk in chunks { try splitter.split(Data(chunk), into: &lines) }
            splitter.finish(into: &lines)
            return (lines.map(Array.init), false)
        } catch {
            return (lines.map(Array.init), error.reason == .limitExceeded)
        }
    }

    @Test(arguments: [
        ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\r\nb", ["a", "b"]),
        ("a\n\nb\n", ["a", "", "b"]), ("a\rb\n", ["a\rb"]), ("é\n€", ["é", "€"]),
        ("a\r", ["a\r"]), ("a\n\r", ["a", "\r"]), ("a\r\r\n", ["a\r"]),
    ])
    func `a line ends at LF or CR LF, the last one at the end`(_ text: String, _ lines: [String]) {
        let found = Self.lines(of: [Array(text.utf8)]).lines
        #expect(found == lines.map { Array($0.utf8) })
    }

    @Test func `a line that is too long is an error behind those before it`() {
        let (lines, isTooLong) = Self.lines(of: [Array("ab\nabc\nabcd\na".utf8)], maximumSize: 3)
        #expect(lines == [Array("ab".utf8), Array("abc".utf8)])
        #expect(isTooLong)
    }

    @Test(arguments: 0..<50)
    func `lines are the same, however the bytes are parted`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<200 {
            let bytes = Chunks.bytes(
                of: [[0x0A], [0x0D], [0x0D, 0x0A], [0x61], [0x62, 0x63], [0xFF], []], &random)
            let limit = Bool.random(using: &random) ? .max : Int.random(in: 0...6, using: &random)
            let expected = Self.oracle(bytes, maximumSize: limit)
            let chunks = Chunks.parted(bytes, &random)
            let found = Self.lines(of: chunks, maximumSize: limit)
            #expect(
                found.lines == expected.lines && found.isTooLong == expected.isTooLong,
                "seed \(seed): \(chunks), at most \(limit)")
        }
    }
}

/// Bytes at random, and ways to part them.
enum Chunks {
    static func bytes(of words: [[UInt8]], _ random: inout SplitMix) -> [UInt8] {
        (0..<Int.random(in: 0...24, using: &random))
            .flatMap { _ in words.randomElement(using: &random) ?? [] }
    }

    /// The bytes in pieces, empty ones among them.
    static func parted(_ bytes: [UInt8], _ random: inout SplitMix) -> [[UInt8]] {
        var (chunks, rest): ([[UInt8]], ArraySlice<UInt8>) = ([], bytes[...])
        while !rest.isEmpty {
            let count = Int.random(in: 0...min(rest.count, 5), using: &random)
            chunks.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return chunks
    }
}
