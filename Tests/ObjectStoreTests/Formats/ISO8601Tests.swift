import Foundation
import Testing

@testable import LarderObjectStore

struct ISO8601Tests {
    private static func date(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { ISO8601.date($0) }
    }

    private static let dates: [(String, Double)] = [
        ("2001-01-01", 0), ("2001-01-01T00:00:00Z", 0), ("2001-01-01t00:00:01z", 1),
        ("2001-01-01 00:00:01Z", 1), ("2001-01-01T00:01", 60), ("2001-01-01T00:00:59", 59),
        ("2001-01-01T00:00:00.25Z", 0.25), ("2001-01-01T00:00:00,5Z", 0.5),
        ("2001-01-01T01:00:00+01:00", 0), ("2001-01-01T01:30:00+0130", 0),
        ("2000-12-31T19:00:00-05", 0), ("2000-12-31T24:00:00Z", 0),
        ("2001-01-01T00:00:00-00:00", 0),
        ("2016-12-31T23:59:60Z", 504_921_600), ("2000-02-29", -26_524_800),
        ("1970-01-01T00:00:00Z", -978_307_200), ("0001-01-01", -63_113_904_000),
        ("0000-02-29", -63_140_428_800), ("9999-12-31T23:59:59Z", 252_423_993_599),
        ("2001-01-01T00:00:00.000000000000000001Z", 0),
        ("2001-01-01T00:00:00.123456789012345678901234567890Z", 0.123456789012345),
    ]

    @Test(arguments: dates)
    func `reads dates and times`(_ text: String, _ seconds: Double) throws {
        let date = try #require(Self.date(text))
        #expect(abs(date - seconds) < 1e-12 * max(1, abs(seconds)), "\(date)")
    }

    @Test(arguments: [
        "", "2001", "2001-01", "2001-1-01", "2001-01-1", "20010101", "2001/01/01", "2001-13-01",
        "2001-00-10", "2001-02-29", "1900-02-29", "2001-04-31", "2001-01-32", "2001-01-00",
        "2001-01-01T", "2001-01-01T0", "2001-01-01T00", "2001-01-01T00:0", "2001-01-01T24:00:01",
        "2001-01-01T25:00:00", "2001-01-01T00:60:00", "2001-01-01T00:00:61", "2001-01-01T00:00:00.",
        "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00+", "2001-01-01T00:00:00+1",
        "2001-01-01T00:00:00+24:00", "2001-01-01T00:00:00+01:60", "2001-01-01T00:00:00+01:0",
        "2001-01-01T00:00:00ZZ", "2001-01-01T00:00:00 Z", " 2001-01-01", "2001-01-01 ",
        "2001-01-01X00:00:00", "+2001-01-01", "-001-01-01", "２００１-01-01", "2001-01-01T00:00:0é",
    ])
    func `refuses everything else`(_ text: String) {
        #expect(Self.date(text) == nil)
    }

    @Test func `agrees with Foundation since the Gregorian calendar began`() throws {
        var generator = SplitMix64(seed: 8601)
        let formatter = ISO8601DateFormatter()
        for _ in 0..<3000 {
            let seconds = Double(
                Int.random(in: -12_600_000_000...20_000_000_000, using: &generator))
            let date = Date(timeIntervalSinceReferenceDate: seconds)
            let hours = Int.random(in: -14...14, using: &generator)
            formatter.timeZone = TimeZone(secondsFromGMT: hours * 3600)
            #expect(Self.date(formatter.string(from: date)) == seconds)
        }
    }

    @Test func `agrees with Foundation on fractions`() throws {
        var generator = SplitMix64(seed: 3339)
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        for _ in 0..<1000 {
            let milliseconds = Int.random(in: -900_000_000_000...900_000_000_000, using: &generator)
            let date = Date(timeIntervalSinceReferenceDate: Double(milliseconds) / 1000)
            let text = formatter.string(from: date)
            let read = try #require(Self.date(text))
            let foundation = try #require(formatter.date(from: text))
            #expect(abs(read - foundation.timeIntervalSinceReferenceDate) < 1e-6, "\(text)")
        }
    }

    @Test func `counts days as the Gregorian calendar has them`() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        let start = Date(timeIntervalSinceReferenceDate: 0)
        // Every day of 400 years, by stepping from one to the next.
        var expected = ISO8601.daysSince2001(year: 1801, month: 1, day: 1)
        #expect(expected == -73_049)
        for year in 1801...2200 {
            for month in 1...12 {
                for day in 1...ISO8601.daysInMonth(month, of: year) {
                    #expect(ISO8601.daysSince2001(year: year, month: month, day: day) == expected)
                    expected += 1
                }
            }
        }
        for year in [1850, 1900, 2000, 2024, 2100, 2400] {
            let components = DateComponents(year: year, month: 3, day: 1)
            let date = try #require(calendar.date(from: components))
            #expect(
                Double(ISO8601.daysSince2001(year: year, month: 3, day: 1)) * 86_400
                    == date.timeIntervalSince(start))
        }
    }
}
