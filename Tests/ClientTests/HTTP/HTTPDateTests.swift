import Foundation
import Testing

@testable import LarderClient

/// The dates of HTTP, and what is none.
@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
        ("SUN, 06 nov 1994 08:49:37 gmt", 784_111_777),
        ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Sun Nov  6 08:49:37 1994", 784_111_777),
        ("Wed Nov 16 08:49:37 1994", 784_975_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Friday, 01-Jan-38 00:00:00 GMT", 2_145_916_800),
    ])
    func `each of the three forms is read`(_ text: String, _ seconds: Double) {
        #expect(HTTPDate.date(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "", "0", "-1", "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 08:49:37 +0000", "Sun 06 Nov 1994 08:49:37 GMT",
        "Sun,  06 Nov 1994 08:49:37 GMT", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08.49.37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994",
    ])
    func `anything else is no date`(_ text: String) {
        #expect(HTTPDate.date(text) == nil)
    }
}
