import Foundation
import Testing

@testable import LarderObjectStore

/// Points in time as text.
@Suite struct DateTextTests {
    private func read(_ text: String?) -> Double? {
        guard var text else { return nil }
        return text.withUTF8 { ISO8601.date($0) }
    }

    @Test(
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59.5Z"),
            (0.001, "2001-01-01T00:00:00.001Z"), (86_399.999, "2001-01-01T23:59:59.999Z"),
            (-978_307_200, "1970-01-01T00:00:00Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
            (252_423_993_599, "9999-12-31T23:59:59Z"), (-63_145_526_400, "0000-01-01T00:00:00Z"),
            (5_097_600, "2001-03-01T00:00:00Z"), (225_849_600, "2008-02-28T00:00:00Z"),
            (225_936_000, "2008-02-29T00:00:00Z"),
        ] as [(Double, String)])
    func `ISO 8601 has few digits`(seconds: Double, text: String) {
        #expect(ISO8601.text(of: seconds) == text)
        #expect(read(text) == seconds)
    }

    @Test(arguments: [
        ("9999-12-31T23:59:60Z", "9999-12-31T00:01:00-23:59"),
        ("9999-12-31T23:59:59.5-05:00", "9999-12-31T05:00:59.5-23:59"),
        ("0000-01-01T00:00:00+05:00", "0000-01-01T18:59:00+23:59"),
    ])
    func `ISO 8601 has an offset where the year has four digits nowhere else`(
        arrived: String, text: String
    ) throws {
        let seconds = try #require(read(arrived))
        #expect(ISO8601.text(of: seconds) == text)
        #expect(read(text) == seconds)
    }

    @Test func `ISO 8601 leads back to the same moment`() {
        var random = SplitMix64(seed: 7)
        for magnitude in [1.0, 1e3, 1e6, 8e8, 5e10] {
            for _ in 0..<400 {
                let seconds = Double.random(in: -magnitude...magnitude, using: &random)
                guard abs(seconds) > magnitude / 100 else { continue }
                let back = read(ISO8601.text(of: seconds)) ?? .nan
                // Close to 2001 numbers have more digits than text.
                #expect(magnitude < 1e3 ? abs(back - seconds) < 1e-14 : back == seconds)
            }
        }
    }

    @Test func `what four digits of a year don't hold has no text`() {
        for seconds in [252_424_079_940, -63_145_612_741, 1e15, -1e300, .infinity, .nan] {
            #expect(ISO8601.text(of: seconds) == nil)
        }
        #expect(RFC1123.text(of: .infinity) == nil)
        #expect(RFC1123.text(of: -3_187_296_001) == nil)
        #expect(RFC1123.text(of: 252_423_993_600) == nil)
    }

    @Test(
        arguments: [
            (0, "Mon, 01 Jan 2001 00:00:00 GMT"), (-1, "Sun, 31 Dec 2000 23:59:59 GMT"),
            (816_949_800.75, "Sat, 21 Nov 2026 10:30:00 GMT"),
            (-3_187_296_000, "Mon, 01 Jan 1900 00:00:00 GMT"),
            (225_936_000, "Fri, 29 Feb 2008 00:00:00 GMT"),
        ] as [(Double, String)])
    func `RFC 1123 has whole seconds`(seconds: Double, text: String) {
        #expect(RFC1123.text(of: seconds) == text)
        #expect(RFC1123.date(text) == seconds.rounded(.down))
    }

    @Test func `agrees with Foundation's dates`() {
        let style = Date.ISO8601FormatStyle()
        var random = SplitMix64(seed: 11)
        for _ in 0..<200 {
            let seconds = Double(Int.random(in: -30_000_000_000...100_000_000_000, using: &random))
            // Foundation's calendar is another one before 1582.
            guard seconds > -13_000_000_000 else { continue }
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            #expect(ISO8601.text(of: seconds) == date.formatted(style))
        }
    }
}
