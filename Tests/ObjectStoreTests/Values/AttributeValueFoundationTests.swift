import Foundation
import Testing

@testable import LarderObjectStore

/// Text, dates and Foundation's types in a column.
@Suite struct AttributeValueFoundationTests {
    @Test func `text comes back byte by byte`() throws {
        let texts = ["", "a", "a\0b", "\0", "é", "e\u{301}", "😀", "it's \"quoted\"", "\u{FEFF}x"]
        try ValueColumn.expectKept(texts)
        for text in texts {
            #expect(try ValueColumn.stored(text).0.map { Array($0.utf8) } == Array(text.utf8))
        }
    }

    @Test func `dates come back exactly`() throws {
        var random = SplitMix64(seed: 2001)
        try ValueColumn.expectKept([
            Date.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0), Date(),
        ])
        for _ in 0..<200 {
            let seconds = Double.random(in: -1e9...1e9, using: &random)
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(try ValueColumn.stored(date).0 == date)
        }
    }

    @Test func `URLs, UUIDs and bytes come back`() throws {
        try ValueColumn.expectKept([
            try #require(URL(string: "https://example.com/a%20b?c=d&e#f")),
            try #require(URL(string: "relative/path")), try #require(URL(string: "mailto:a@b.c")),
        ])
        try ValueColumn.expectKept([
            UUID(), try #require(UUID(uuidString: "00000000-0000-0000-0000-000000000000")),
        ])
        try ValueColumn.expectKept([Data(), Data([0]), Data(0...255), Data("xxab".utf8)[2...]])
    }

    @Test func `decimal numbers come back exactly`() throws {
        let spellings = [
            "0", "-1", "0.1", "12345678901234567890.123456789012345678", "1e-28", "-1e100",
            "99999999999999999999999999999999999999",
        ]
        try ValueColumn.expectKept(spellings.compactMap { Decimal(spelling: $0) })
        try ValueColumn.expectKept([Decimal.greatestFiniteMagnitude, -.greatestFiniteMagnitude])
        #expect(Decimal(spelling: "0.10")?.sqlValue == .text("0.1"))
    }

    @Test func `text that does not spell a value is none`() throws {
        #expect(try ValueColumn.read(UUID.self, .text("x")) == nil)
        #expect(try ValueColumn.read(UUID.self, .integer(1)) == nil)
        #expect(try ValueColumn.read(URL.self, .text("")) == nil)
        #expect(try ValueColumn.read(Decimal.self, .text("")) == nil)
        #expect(try ValueColumn.read(Decimal.self, .integer(1)) == nil)
    }

    @Test(arguments: [
        "", "-", "+1", ".5", "5.", "1e", "1e+", "12abc", "1.5.5", " 1", "1 ", "1,5", "0x10", "NaN",
        "1e200", "٣",
    ])
    func `a decimal number is spelled as JSON has it`(text: String) {
        #expect(Decimal(spelling: text) == nil)
    }
}
