import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONTapeStringTests {
    private func string(_ source: String) throws -> String? {
        try JSONDocument("\"\(source)\"").root.string
    }

    @Test(arguments: [
        ("", ""), ("a", "a"), (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\b"#, "\u{8}"),
        (#"\f"#, "\u{C}"), (#"\n"#, "\n"), (#"\r"#, "\r"), (#"\t"#, "\t"), (#"\u0000"#, "\0"),
        (#"\u0041"#, "A"), (#"\u00e9"#, "é"), (#"\u00E9"#, "é"), (#"\u20AC"#, "€"),
        (#"\uD83D\uDE00"#, "😀"), (#"\ud83d\ude00"#, "😀"), (#"\uDBFF\uDFFF"#, "\u{10FFFF}"),
        (#"\uD800\uDC00"#, "\u{10000}"), (#"\uFFFF"#, "\u{FFFF}"), (#"\uFEFF"#, "\u{FEFF}"),
        (#"\u007F"#, "\u{7F}"), (#"\u0080"#, "\u{80}"), (#"\u07FF"#, "\u{7FF}"),
        (#"\u0800"#, "\u{800}"), (#"a\u0062c"#, "abc"), (#"\\u0041"#, "\\u0041"),
        (#"é\n€\t😀\""#, "é\n€\t😀\""), ("é€😀", "é€😀"), ("\u{FEFF}", "\u{FEFF}"),
    ])
    func `resolves escapes`(source: String, expected: String) throws {
        let value = try #require(try string(source))
        #expect(Array(value.utf8) == Array(expected.utf8))
    }

    @Test func `resolves every code unit that is a scalar`() throws {
        for unit in UInt32(0)...0xFFFF {
            guard let scalar = Unicode.Scalar(unit) else { continue }
            let digits = String(unit, radix: 16)
            let escape = "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            if try string(escape)?.unicodeScalars.elementsEqual([scalar]) != true {
                Issue.record("\(escape)")
            }
        }
    }

    @Test func `resolves pairs of surrogates in every plane`() throws {
        for value in stride(from: UInt32(0x10000), through: 0x10FFFF, by: 257) {
            let character = String(try #require(Unicode.Scalar(value)))
            let escape = character.utf16.map { "\\u" + String($0, radix: 16) }.joined()
            if try string(escape) != character { Issue.record("\(escape)") }
        }
    }

    @Test func `reads what Foundation writes`() throws {
        var random = SplitMix64(seed: 8)
        let alphabet =
            (0..<0x80).compactMap(Unicode.Scalar.init) + "éßЖ日本€😀𝄞\u{2028}\u{FFFD}".unicodeScalars
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<Int.random(in: 0...60, using: &random) {
                text.unicodeScalars.append(alphabet.randomElement(using: &random) ?? "x")
            }
            let json = try JSONEncoder().encode([text: text])
            let object = try JSONDocument(json).root
            #expect(object.keys == [text])
            #expect(object[text]?.string.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func `only strings are strings`() throws {
        for text in ["1", "true", "null", "[\"a\"]", "{\"a\":\"b\"}"] {
            #expect(try JSONDocument(text).root.string == nil)
        }
    }
}
