import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

/// What is kept, changed by what comes later.
@Suite struct CachedResponseTests {
    private static func response(
        _ fields: HTTPFields, _ body: [UInt8] = [], part: CachedResponse.Part? = nil
    ) -> CachedResponse {
        CachedResponse(
            head: HTTPResponse(status: part == nil ? .ok : .partialContent, headerFields: fields),
            body: Data(body), part: part, requested: .now, received: .now)
    }

    @Test func `a confirmation replaces fields by name, but those of the content`() throws {
        let kept = Self.response([
            .eTag: "\"1\"", .contentLength: "3", .contentEncoding: "gzip", .age: "50",
            .cacheControl: "max-age=1", .contentType: "a/b", .named("X-Kept"): "1",
        ])
        var new: HTTPFields = [
            .cacheControl: "max-age=2", .contentLength: "0", .contentEncoding: "br",
            .connection: "X-Hop", .named("X-Hop"): "1", .setCookie: "a=b",
            .named("X-New"): "1",
        ]
        new.append(HTTPField(name: .vary, value: "a"))
        new.append(HTTPField(name: .vary, value: "b"))
        let later = Date(timeIntervalSinceReferenceDate: 5)
        let fresh = kept.freshened(
            by: new, without: { _ in false }, requested: later, received: later)
        let fields = fresh.head.headerFields
        #expect(fields[.cacheControl] == "max-age=2" && fields[.contentLength] == "3")
        #expect(fields[.contentEncoding] == "gzip" && fields[.contentType] == "a/b")
        #expect(fields[.age] == nil && fields[values: .vary] == ["a", "b"])
        #expect(fields[.named("X-Kept")] == "1" && fields[.named("X-New")] == "1")
        #expect(!fields.contains(.named("X-Hop")) && !fields.contains(.setCookie))
        #expect(fresh.received == later && fresh.requested == later)
    }

    @Test func `fields of one connection, cookies and secrets are not kept`() {
        let fields: HTTPFields = [
            .connection: "close, X-Own", .named("X-Own"): "1", .named("Keep-Alive"): "1",
            .transferEncoding: "chunked", .te: "a", .upgrade: "b", .setCookie: "a=b",
            .named("Set-Cookie2"): "a=b", .proxyAuthenticate: "Basic", .named("X-Token"): "s",
            .eTag: "\"1\"", .contentType: "a/b",
        ]
        let kept = StoredFields.kept(of: fields) { $0 == .named("X-Token") }
        #expect(
            kept.map(\.name).sorted { $0.canonicalName < $1.canonicalName } == [
                .contentType, .eTag,
            ])
    }

    /// The law: each byte of the whole comes from the later part where that has it, and there is a whole only
    /// where no byte is missing.
    @Test func `parts are combined as bytes lie`() {
        var random = SplitMix(seed: 7)
        for _ in 0..<2_000 {
            let total = Int.random(in: 1...8, using: &random)
            func part() -> (Range<Int>, [UInt8]) {
                let first = Int.random(in: 0..<total, using: &random)
                let end = Int.random(in: (first + 1)...total, using: &random)
                return (
                    first..<end, (first..<end).map { _ in UInt8.random(in: 0...9, using: &random) }
                )
            }
            let ((range, bytes), (newRange, newBytes)) = (part(), part())
            let isWhole = range == 0..<total && Bool.random(using: &random)
            let tags = Bool.random(using: &random) ? ("\"1\"", "\"1\"") : ("\"1\"", "\"2\"")
            let old = Self.response(
                [.eTag: tags.0], bytes,
                part: isWhole ? nil : .init(first: range.lowerBound, total: total))
            let new = Self.response(
                [.eTag: tags.1], newBytes, part: .init(first: newRange.lowerBound, total: total))
            let combined = old.combined(with: new)
            var slow = [UInt8?](repeating: nil, count: total)
            for (index, byte) in zip(range, bytes) { slow[index] = byte }
            for (index, byte) in zip(newRange, newBytes) { slow[index] = byte }
            let held = slow.indices.filter { slow[$0] != nil }
            let isGapless = held.last.map { $0 - held[0] + 1 == held.count } ?? false
            guard tags.0 == tags.1, isGapless else {
                #expect(combined == nil)
                continue
            }
            #expect(combined.map { Array($0.body) } == slow.compactMap(\.self))
            #expect((combined?.part == nil) == (held.count == total))
            #expect(combined?.part?.first ?? 0 == held[0])
            #expect(combined?.head.status == (held.count == total ? .ok : .partialContent))
        }
    }

    @Test func `nothing is combined that is not known to be one`() {
        let part = CachedResponse.Part(first: 2, total: 4)
        let first = CachedResponse.Part(first: 0, total: 4)
        for fields: HTTPFields in [
            [:], [.eTag: "W/\"1\""], [.eTag: "\"1\"", .contentEncoding: "gzip"],
        ] {
            let old = Self.response(fields, [1, 2], part: first)
            #expect(old.combined(with: Self.response(fields, [3, 4], part: part)) == nil)
        }
        let old = Self.response([.eTag: "\"1\""], [1, 2], part: first)
        let other = CachedResponse.Part(first: 2, total: 5)
        #expect(old.combined(with: Self.response([.eTag: "\"1\""], [3, 4], part: other)) == nil)
    }
}
