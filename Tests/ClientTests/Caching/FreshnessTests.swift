import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

/// Ages and times by RFC 9111, section 4.2.
@Suite struct FreshnessTests {
    private static let start = Date(timeIntervalSince1970: 784_111_777)

    private static func date(_ offset: Double) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return formatter.string(from: start + offset)
    }

    private static func freshness(
        _ fields: HTTPFields, _ status: HTTPResponse.Status = .ok, took delay: Double = 0,
        later: Double = 0, for time: Double? = nil
    ) -> Freshness {
        let response = CachedResponse(
            head: HTTPResponse(status: status, headerFields: fields), body: Data(),
            requested: start - delay, received: start)
        return Freshness(of: response, at: start + later, for: time)
    }

    @Test func `the age is that of the date or of the fields, and what has passed`() {
        #expect(Self.freshness([:], later: 7).age == 7)
        #expect(Self.freshness([.date: Self.date(-5)], later: 7).age == 12)
        #expect(Self.freshness([.date: Self.date(5)], later: 7).age == 7)
        #expect(Self.freshness([.age: "20"], took: 3, later: 7).age == 30)
        #expect(Self.freshness([.age: "20", .date: Self.date(-40)], took: 3, later: 7).age == 47)
        #expect(Self.freshness([.age: "20, 99"], later: 1).age == 21)
        for text in ["x", "-20", "2.5", "20;a=b"] {
            #expect(Self.freshness([.age: text], later: 1).age == 1)
        }
    }

    @Test func `max-age counts before Expires, and that before a guess`() {
        let all: HTTPFields = [
            .cacheControl: "max-age=10", .expires: Self.date(20), .date: Self.date(0),
            .lastModified: Self.date(-300),
        ]
        var fields = all
        #expect(Self.freshness(fields).lifetime == 10)
        fields[.cacheControl] = "s-maxage=5"
        #expect(Self.freshness(fields).lifetime == 20)
        fields[.expires] = "soon"
        #expect(Self.freshness(fields).lifetime == 0)
        fields[.expires] = nil
        #expect(Self.freshness(fields).lifetime == 30)
        #expect(Self.freshness(fields, .badRequest).lifetime == 0)
        fields[.cacheControl] = "public"
        #expect(Self.freshness(fields, .badRequest).lifetime == 30)
        fields[.lastModified] = Self.date(-100_000_000)
        #expect(Self.freshness(fields).lifetime == 86_400)
        #expect(Self.freshness([:]).lifetime == 0)
    }

    @Test func `a policy's time counts from when it came`() {
        let fields: HTTPFields = [.age: "500", .cacheControl: "max-age=1"]
        #expect(Self.freshness(fields, later: 9, for: 10).isFresh)
        #expect(!Self.freshness(fields, later: 10, for: 10).isFresh)
    }

    @Test func `what comes from the future is not fresh`() {
        #expect(!Self.freshness([.cacheControl: "max-age=999999"], later: -3600).isFresh)
        #expect(Self.freshness([.cacheControl: "max-age=10"], later: -1).isFresh)
    }
}
