import Foundation
import Testing

@testable import LarderObjectStore

struct ValueConversionTests {
    private func convert(
        _ value: SQLValue, _ from: AttributeType, _ to: AttributeType
    ) -> SQLValue? {
        ValueConversion(from: from, to: to).convert(value)
    }

    @Test func `whole numbers`() {
        #expect(convert(.integer(5), .integer, .double) == .real(5))
        #expect(convert(.integer(1 << 53 + 1), .integer, .double) == nil)
        #expect(convert(.integer(.min), .integer, .double) == nil)
        #expect(convert(.integer(-5), .integer, .string) == .text("-5"))
        #expect(convert(.integer(.max), .integer, .decimal) == .text("9223372036854775807"))
        #expect(convert(.integer(1), .integer, .boolean) == .integer(1))
        #expect(convert(.integer(2), .integer, .boolean) == nil)
        #expect(convert(.integer(2), .integer, .date) == nil)
    }

    @Test func `truth values`() {
        #expect(convert(.integer(1), .boolean, .integer) == .integer(1))
        #expect(convert(.integer(0), .boolean, .string) == .text("false"))
        #expect(convert(.integer(1), .boolean, .json) == .text("true"))
        #expect(convert(.integer(1), .boolean, .uuid) == nil)
    }

    @Test func `floating-point numbers`() {
        #expect(convert(.real(2), .double, .integer) == .integer(2))
        #expect(convert(.real(2.5), .double, .integer) == nil)
        #expect(convert(.real(1e300), .double, .integer) == nil)
        #expect(convert(.real(0.1), .double, .decimal) == .text("0.1"))
        #expect(convert(.real(.infinity), .double, .decimal) == nil)
        #expect(convert(.real(0.1), .double, .string) == .text("0.1"))
        #expect(convert(.real(.infinity), .double, .json) == nil)
    }

    @Test func `decimal numbers`() {
        #expect(convert(.text("12"), .decimal, .integer) == .integer(12))
        #expect(convert(.text("1.5"), .decimal, .integer) == nil)
        #expect(convert(.text("1.5"), .decimal, .double) == .real(1.5))
        #expect(convert(.text("0.12345678901234567890"), .decimal, .double) == nil)
        #expect(convert(.text("1.5"), .decimal, .string) == .text("1.5"))
    }

    @Test func `text`() {
        #expect(convert(.text("42"), .string, .integer) == .integer(42))
        #expect(convert(.text("042"), .string, .integer) == nil)
        #expect(convert(.text("+1"), .string, .integer) == nil)
        #expect(convert(.text("1.50"), .string, .decimal) == .text("1.5"))
        #expect(convert(.text("1.5e3"), .string, .double) == .real(1500))
        for code in ["007", "-007", "00.5", "00"] {
            #expect(convert(.text(code), .string, .double) == nil)
            #expect(convert(.text(code), .string, .decimal) == nil)
        }
        #expect(convert(.text("0"), .string, .double) == .real(0))
        #expect(convert(.text("-0.50"), .string, .decimal) == .text("-0.5"))
        #expect(convert(.text("one"), .string, .double) == nil)
        #expect(convert(.text("true"), .string, .boolean) == .integer(1))
        #expect(convert(.text("yes"), .string, .boolean) == nil)
        #expect(convert(.text("2001-01-01T00:00:01Z"), .string, .date) == .real(1))
        #expect(convert(.text("http://a.b/c"), .string, .url) == .text("http://a.b/c"))
        #expect(convert(.text("x"), .string, .uuid) == nil)
        let id = UUID().uuidString
        #expect(convert(.text(id.lowercased()), .string, .uuid) == .text(id))
        #expect(convert(.text("a\"b"), .string, .json) == .text(#""a\"b""#))
        #expect(convert(.text("x"), .string, .data) == nil)
    }

    @Test func `JSON`() {
        #expect(convert(.text(#""a""#), .json, .string) == .text("a"))
        #expect(convert(.text("12"), .json, .integer) == .integer(12))
        #expect(convert(.text("0.5"), .json, .decimal) == .text("0.5"))
        #expect(convert(.text("false"), .json, .boolean) == .integer(0))
        #expect(convert(.text("[1]"), .json, .string) == nil)
        #expect(convert(.text("{"), .json, .string) == nil)
    }

    @Test func `nothing stays nothing, bytes can't be anything else`() {
        for from in AttributeType.allCases {
            for to in AttributeType.allCases {
                #expect(convert(.null, from, to) == .null)
                if from != to { #expect(convert(.blob([1]), from, to) == nil) }
            }
        }
    }

    @Test func `what always works always works`() {
        let samples: [AttributeType: [SQLValue]] = [
            .integer: [.integer(.min), .integer(0), .integer(.max)],
            .boolean: [.integer(0), .integer(1)], .double: [.real(0.1), .real(-1e300)],
            .decimal: [.text("0"), .text("-1.5")], .string: [.text(""), .text("\u{0}\u{1F600}")],
            .url: [.text("a")], .uuid: [.text(UUID().uuidString)],
        ]
        for (from, values) in samples {
            for to in AttributeType.allCases where ValueConversion(from: from, to: to).isTotal {
                for value in values { #expect(convert(value, from, to) != nil) }
            }
        }
    }

    @Test func `SQL converts as Swift does`() throws {
        let connection = try Connection.inMemory()
        try ValueConversion.register(on: connection)
        let values: [SQLValue] = [
            .null, .integer(1), .integer(7), .real(2), .real(0.5), .text(""), .text("12"),
            .text("tru\u{0}e"), .text("true"), .blob([1]),
        ]
        for from in AttributeType.allCases {
            for to in AttributeType.allCases {
                let sql = "SELECT \(ValueConversion(from: from, to: to).sql("?1"))"
                for value in values {
                    #expect(
                        try connection.allRows(sql, [value])[0][0] == convert(value, from, to)
                            ?? .null)
                }
            }
        }
    }
}
