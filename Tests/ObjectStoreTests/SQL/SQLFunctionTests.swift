import Foundation
import Testing

@testable import LarderObjectStore

/// Parts of dates, beside Foundation's calendar.
struct SQLFunctionTests {
    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    @Test func `agrees with the Gregorian calendar`() {
        var random = SplitMix64(seed: 5)
        let calendar = Self.calendar
        for _ in 0..<2000 {
            // From 1600 to 2400.
            let seconds = Double.random(in: -12.6e9...12.6e9, using: &random)
            let date = calendar.dateComponents(
                [.year, .month, .day, .hour, .weekday],
                from: Date(timeIntervalSinceReferenceDate: seconds))
            #expect(DatePart.year.value(of: seconds) == date.year)
            #expect(DatePart.month.value(of: seconds) == date.month)
            #expect(DatePart.day.value(of: seconds) == date.day)
            #expect(DatePart.hour.value(of: seconds) == date.hour)
            #expect(DatePart.weekday.value(of: seconds) == date.weekday)
        }
    }

    @Test func `a fraction before midnight belongs to the day before`() {
        #expect(DatePart.year.value(of: -0.0001) == 2000)
        #expect(DatePart.hour.value(of: -0.0001) == 23)
        #expect(DatePart.day.value(of: 0) == 1)
    }

    @Test func `dates beyond all bounds have no parts`() {
        #expect(DatePart.year.value(of: 1e300) == nil)
        #expect(DatePart.year.value(of: .infinity) == nil)
        #expect(DatePart.year.value(of: .nan) == nil)
        #expect(DatePart.year.value(of: 9e15) != nil)
    }
}
