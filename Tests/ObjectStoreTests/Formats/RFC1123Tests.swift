import Foundation
import Testing

@testable import LarderObjectStore

struct RFC1123Tests {
    private static let dates: [(String, Double)] = [
        ("Mon, 01 Jan 2001 00:00:00 GMT", 0), ("01 Jan 2001 00:00:01 GMT", 1),
        ("Mon, 1 Jan 2001 00:00:00 UTC", 0), ("Mon, 01 Jan 2001 00:01 Z", 60),
        ("Mon, 01 Jan 2001 01:00:00 +0100", 0), ("Sun, 31 Dec 2000 18:30:00 -0530", 0),
        ("Sat, 31 Dec 2016 23:59:60 GMT", 504_921_600),
        ("Tue, 29 Feb 2000 00:00:00 GMT", -26_524_800),
    ]

    @Test(arguments: dates)
    func `reads dates of HTTP and e-mail`(_ text: String, _ seconds: Double) {
        #expect(RFC1123.date(text) == seconds)
    }

    @Test(arguments: [
        "", "Mon,", "Mon, 01 Jan 2001", "Mon, 01 Jan 2001 00:00:00",
        "Mon, 01 jan 2001 00:00:00 GMT",
        "Mon, 32 Jan 2001 00:00:00 GMT", "Mon, 29 Feb 2001 00:00:00 GMT",
        "Mon, 0 Jan 2001 00:00:00 GMT",
        "Mon, 01 Foo 2001 00:00:00 GMT", "Mon, 01 Jan 01 00:00:00 GMT",
        "Mon, 01 Jan 2001 24:00:00 GMT",
        "Mon, 01 Jan 2001 00:60:00 GMT", "Mon, 01 Jan 2001 00:00:61 GMT", "Mon, 01 Jan 2001 00 GMT",
        "Mon, 01 Jan 2001 00:00:00: GMT", "Mon, 01 Jan 2001 00:00:00 +01:00",
        "Mon, 01 Jan 2001 00:00:00 +0160", "Mon, 01 Jan 2001 00:00:00 +1",
        "Mon, 01 Jan 2001 00:00:00 PDT",
        "Mon, 01 Jan 2001 00:00:00 GMT GMT", "Monday, 01-Jan-01 00:00:00 GMT",
        "Mon Jan  1 00:00:00 2001",
        "Mon, 01 Jan 2001 +1:00:00 GMT", "Mon, +1 Jan 2001 00:00:00 GMT",
        "Mon, 01 Jan 2001 00:00:00 --100",
        "Mon, 01 Jan +2001 00:00:00 GMT",
    ])
    func `refuses everything else`(_ text: String) {
        #expect(RFC1123.date(text) == nil)
    }

    @Test func `agrees with Foundation`() throws {
        var generator = SplitMix64(seed: 1123)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss Z"
        for _ in 0..<1000 {
            let seconds = Double(Int.random(in: -3_000_000_000...3_000_000_000, using: &generator))
            let minutes = Int.random(in: -56...56, using: &generator) * 15
            formatter.timeZone = TimeZone(secondsFromGMT: minutes * 60)
            let text = formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds))
            #expect(RFC1123.date(text) == seconds, "\(text)")
        }
    }
}
