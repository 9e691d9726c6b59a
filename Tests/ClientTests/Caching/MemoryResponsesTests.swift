import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

/// Responses in memory.
@Suite struct MemoryResponsesTests {
    static func key(_ name: String, account: UInt8 = 0, origin: String = "https://a")
        -> ResponseCacheKey
    {
        ResponseCacheKey(origin: origin, resource: Array(name.utf8), account: [account])
    }

    static func response(
        _ count: Int = 0, useless: Date? = nil, variant: [String: [UInt8]?] = [:]
    ) -> CachedResponse {
        CachedResponse(
            head: HTTPResponse(status: .ok), body: Data(count: count), requested: .now,
            received: .now, uselessAfter: useless, variant: variant)
    }

    @Test func `what was not used for longest goes first`() {
        let responses = MemoryResponses(limit: 4_000, responseLimit: 2_000)
        for name in ["a", "b", "c"] {
            responses.keep(Self.response(900), for: Self.key(name), replacing: [])
        }
        _ = responses.responses(for: Self.key("a"))
        responses.keep(Self.response(900), for: Self.key("d"), replacing: [])
        #expect(responses.responses(for: Self.key("b")).isEmpty)
        for name in ["a", "d"] { #expect(!responses.responses(for: Self.key(name)).isEmpty) }
        #expect(responses.size <= 4_000)
        responses.keep(Self.response(2_000), for: Self.key("e"), replacing: [])
        #expect(responses.responses(for: Self.key("e")).isEmpty, "too large by itself")
    }

    @Test func `of one variant there is one, whoever came first`() {
        let responses = MemoryResponses(limit: 1 << 20, responseLimit: 1 << 20)
        for count in 1...3 {
            for variant: [String: [UInt8]?] in [[:], ["foo": nil], ["foo": [1]]] {
                let response = Self.response(count, variant: variant)
                responses.keep(response, for: Self.key("a"), replacing: [])
            }
        }
        #expect(responses.responses(for: Self.key("a")).map(\.bodyCount) == [3, 3, 3])
    }

    @Test func `of variants there is a bounded number, those that came last`() {
        let responses = MemoryResponses(limit: 1 << 20, responseLimit: 1 << 20)
        for number in 0..<40 {
            responses.keep(
                Self.response(number, variant: ["foo": [UInt8(number)]]), for: Self.key("a"),
                replacing: [])
        }
        let counts = responses.responses(for: Self.key("a")).map(\.bodyCount)
        #expect(counts == Array(40 - ResponseCache.mostVariants..<40))
    }

    @Test func `they go one by one, by resource, by origin, by time, and all`() throws {
        let responses = MemoryResponses(limit: 1 << 20, responseLimit: 1 << 20)
        let (here, now) = (Self.key("a"), Date.now)
        responses.keep(Self.response(), for: here, replacing: [])
        responses.keep(
            Self.response(useless: now - 1, variant: ["foo": nil]), for: here, replacing: [])
        responses.keep(Self.response(), for: Self.key("a", account: 1), replacing: [])
        responses.keep(Self.response(), for: Self.key("b", origin: "https://b"), replacing: [])
        responses.removeExpired(at: now)
        let ids = responses.responses(for: here).map(\.id)
        #expect(ids.count == 1)
        responses.keep(Self.response(1), for: here, replacing: ids)
        let kept = responses.responses(for: here)
        #expect(kept.map(\.bodyCount) == [1])
        responses.remove(kept.map(\.id), of: here)
        #expect(responses.responses(for: here).isEmpty)
        responses.removeAll(of: here.resource)
        #expect(responses.responses(for: Self.key("a", account: 1)).isEmpty)
        responses.removeAll(from: "https://a")
        #expect(responses.responses(for: Self.key("b", origin: "https://b")).count == 1)
        responses.removeAll(from: nil)
        #expect(responses.size == 0)
    }
}
