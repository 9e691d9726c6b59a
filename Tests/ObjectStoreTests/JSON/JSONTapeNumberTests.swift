import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct JSONTapeNumberTests {
    private func value(_ text: String) throws -> JSONValue { try JSONDocument(text).root }

    @Test(arguments: [
        ("0", 0 as Int64), ("-0", 0), ("7", 7), ("-7", -7),
        ("999999999999999999", 999_999_999_999_999_999),
        ("1000000000000000000", 1_000_000_000_000_000_000),
        ("9007199254740993", 9_007_199_254_740_993), ("9223372036854775807", .max),
        ("-9223372036854775808", .min), ("1.0", 1), ("-1.000", -1), ("1e3", 1000), ("1E3", 1000),
        ("1e+3", 1000), ("1500e-2", 15), ("1.5e1", 15), ("0.0", 0), ("0e999999999999", 0),
        ("-0.0", 0), ("0.000e-5", 0), ("9007199254740993.0", 9_007_199_254_740_993),
        ("9.223372036854775807e18", .max), ("-9.223372036854775808e18", .min),
        ("9223372036854775807000e-3", .max), ("100000000000000000000000e-23", 1),
        ("0.00000000000000000000001e23", 1), ("10.50e1", 105),
    ])
    func `reads whole numbers exactly however they are spelled`(text: String, number: Int64) throws
    {
        #expect(try value(text).integer == number)
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "18446744073709551615", "1.5", "1e-1",
        "0.1", "1e19", "1e99999999999999999999", "1e-99999999999999999999",
        "9223372036854775807.5", "9.2233720368547758075e18", "1234567890123456789012",
        "true", "\"1\"", "null", "[1]", "{}",
    ])
    func `reads no whole number where there is none of 64 bits`(text: String) throws {
        #expect(try value(text).integer == nil)
    }

    @Test func `a number of a million zeros takes no time`() throws {
        let zeros = String(repeating: "0", count: 1_000_000)
        #expect(try value("1\(zeros)").integer == nil)
        #expect(try value("1\(zeros)e-1000000").integer == 1)
        #expect(try value("0.\(zeros)1e1000001").integer == 1)
        #expect(try value("1\(zeros)1").integer == nil)
    }

    @Test func `reads whole numbers of random size as the standard library does`() throws {
        var random = SplitMix64(seed: 64)
        for _ in 0..<5_000 {
            let number =
                Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
            #expect(try value("\(number)").integer == number)
            #expect(try value("\(number).0").integer == number)
            #expect(try value("\(number).5").integer == nil)
            guard number != 0 else { continue }
            #expect(try value("\(number)000e-3").integer == number)
        }
    }

    @Test func `fits numbers to types of every width`() throws {
        #expect(try value("255").decode(UInt8.self) == 255)
        #expect(try value("18446744073709551615").decode(UInt64.self) == .max)
        #expect(try value("1.8446744073709551615e19").decode(UInt64.self) == .max)
        #expect(try value("-128").decode(Int8.self) == -128)
        for text in ["256", "-1", "1.5", "1e3"] {
            #expect(throws: DecodingError.self) { try value(text).decode(UInt8.self) }
        }
        #expect(throws: DecodingError.self) {
            try value("18446744073709551616").decode(UInt64.self)
        }
        #expect(try value("170141183460469231731687303715884105727").decode(Int128.self) == .max)
    }

    @Test(arguments: [
        "0", "-0", "-0.0", "1", "0.1", "-0.1", "0.5", "1.5", "123456.789", "1e22", "1e23", "1e-22",
        "1e-23", "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740995",
        "0.30000000000000004", "2.2250738585072014e-308", "2.2250738585072011e-308", "5e-324",
        "2.4703282292062327e-324", "2.4703282292062328e-324", "1.7976931348623157e308",
        "1.7976931348623158e308", "123456789012345678901234567890", "1e-400", "0e400",
        "0.000000000000000000000000000000000000000001", "8.5", "9007199254740991.5",
        "72057594037927945", "6929495644600919.5", "3.518437208883201171875e13",
    ])
    func `reads doubles to the last bit`(text: String) throws {
        let expected = try #require(Double(text))
        #expect(try value(text).double?.bitPattern == expected.bitPattern)
    }

    @Test func `reads doubles of random spelling to the last bit`() throws {
        var random = SplitMix64(seed: 754)
        for _ in 0..<20_000 {
            let text = Self.randomSpelling(using: &random)
            let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
            if try value(text).double?.bitPattern != expected?.bitPattern {
                Issue.record("\(text)")
            }
            let single = Float(text).flatMap { $0.isFinite ? $0 : nil }
            if (try? value(text).decode(Float.self))?.bitPattern != single?.bitPattern {
                Issue.record("\(text) as a float")
            }
        }
    }

    @Test func `reads sixteen to nineteen digits to the last bit, also between two doubles`() throws
    {
        var random = SplitMix64(seed: 23)
        var texts = [
            "9007199254740993", "9007199254740995", "9007199254740993.0", "4503599627370496.5",
            "4503599627370497.5", "450359962737049.65625", "0.9999999999999999999",
            "999999999999999999", "9999999999999999999", "0.1000000000000000055",
        ]
        for _ in 0..<20_000 {
            let digits = String(
                UInt64.random(in: 1 << 53..<9_999_999_999_999_999_999, using: &random))
            let point = Int.random(in: 0...digits.count, using: &random)
            let whole = point == 0 ? "0" : String(digits.prefix(point))
            texts.append(whole + (point == digits.count ? "" : "." + digits.dropFirst(point)))
        }
        for text in texts {
            #expect(try value(text).double?.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
    }

    @Test func `reads back every double as the standard library spells it`() throws {
        var random = SplitMix64(seed: 17)
        for _ in 0..<10_000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            #expect(try value("\(number)").double?.bitPattern == number.bitPattern)
        }
    }

    @Test(arguments: ["1e309", "-1e309", "1.8e308", "1e99999", "\"1\"", "true", "null", "[]"])
    func `reads no double where there is none that is finite`(text: String) throws {
        #expect(try value(text).double == nil)
    }

    @Test func `a float is rounded once`() throws {
        // Above the middle between two floats by less than a double can tell.
        let text = "1.00000005960464477540"
        #expect(try value(text).decode(Float.self) == 1.0000001)
        #expect(try Float(value(text).decode(Double.self)) == 1)
    }

    private static func randomSpelling(using random: inout SplitMix64) -> String {
        func digits(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random))
                .map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
        }
        var text = Bool.random(using: &random) ? "-" : ""
        text +=
            Int.random(in: 0..<4, using: &random) == 0
            ? "0" : "\(Int.random(in: 1...9, using: &random))" + digits(0...20)
        if Bool.random(using: &random) { text += "." + digits(1...25) }
        if Int.random(in: 0..<3, using: &random) == 0 {
            text += ["e", "E", "e+", "e-", "E-"].randomElement(using: &random) ?? "e"
            text += String(Int.random(in: 0...330, using: &random))
        }
        return text
    }
}
