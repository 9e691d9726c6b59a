import Foundation
import Testing

@testable import LarderClient

@Suite struct CookieDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777.0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("08:49:37 1994 November 6th", 784_111_777),
        ("Thu, 01-Jan-1970 00:00:00 GMT", 0),
        ("1 Jan 1601 00:00:00", -11_644_473_600),
        ("29 Feb 2028 12:00:00", 1_835_438_400),
        ("31 Dec 9999 23:59:59", 253_402_300_799),
        ("1-jan-69 0:0:0", 3_124_224_000),
    ])
    func `dates in all the shapes that servers write`(_ text: String, _ seconds: Double) {
        #expect(CookieDate.date(text.utf8)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "", "GMT", "06 Nov 1994", "08:49:37", "32 Jan 2027 00:00:00", "30 Feb 2027 00:00:00",
        "29 Feb 2027 00:00:00", "29 Feb 2100 00:00:00", "1 Jan 1600 00:00:00",
        "1 Jan 2027 24:00:00", "1 Jan 2027 00:60:00", "1 Jan 2027 00:00:60", "1 Xyz 2027 00:00:00",
        "1 Jan 12345 00:00:00", "1 Jan 2027 00:00",
    ])
    func `what names no time is none`(_ text: String) {
        #expect(CookieDate.date(text.utf8) == nil)
    }
}
