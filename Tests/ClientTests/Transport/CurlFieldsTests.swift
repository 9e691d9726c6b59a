#if !canImport(Darwin)
import CLarderCurl
import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct CurlFieldsTests {
    private static let asked: HTTPFields = [.accept: "a/b", .userAgent: "x"]

    private static func request(
        _ fields: HTTPFields, method: HTTPRequest.Method = .get
    ) -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(
                method: method, scheme: "http", authority: "a", path: "/", headerFields: fields))
    }

    private static let codings = "Accept-Encoding: \(ContentCoding.offered)"

    /// The lines, but for the codings that are asked for where a request names none.
    private static func lines(_ fields: borrowing CurlFields) -> [String] {
        allLines(fields).filter { $0 != codings }
    }

    private static func allLines(_ fields: borrowing CurlFields) -> [String] {
        var lines: [String] = []
        var rest = fields.list
        while let line = rest {
            lines.append(String(cString: line.pointee.data))
            rest = line.pointee.next
        }
        return lines
    }

    @Test func `are in their order, without those that libcurl sends`() {
        var fields = CurlFields()
        fields.fill(
            from: Self.request([
                .accept: "a/b", .contentLength: "3", .userAgent: "", .expect: "100-continue",
            ]))
        let lines = Self.lines(fields)
        #expect(lines == ["Accept: a/b", "User-Agent;"])
        let namesEncoding = fields.namesEncoding
        #expect(!namesEncoding)
    }

    @Test func `are kept for a request with the same`() {
        var fields = CurlFields()
        fields.fill(from: Self.request(Self.asked))
        let list = fields.list
        fields.fill(from: Self.request(Self.asked))
        let next = fields.list
        #expect(list != nil && next == list)
    }

    @Test(
        arguments: [
            [.accept: "a/c", .userAgent: "x"], [.userAgent: "x", .accept: "a/b"], [.accept: "a/b"],
            [.accept: "a/b", .userAgent: "x", .range: "bytes=0-"], [:],
        ] as [HTTPFields])
    func `are others for a request with others`(_ others: HTTPFields) {
        var fields = CurlFields()
        fields.fill(from: Self.request(Self.asked))
        fields.fill(from: Self.request(others))
        let lines = Self.lines(fields)
        #expect(lines == others.map { "\($0.name.rawName): \($0.value)" })
    }

    @Test func `are others where they only mean the same`() throws {
        let (upper, lower) = (HTTPField.Name("X-A"), HTTPField.Name("x-a"))
        var fields = CurlFields()
        fields.fill(from: Self.request([try #require(upper): "e\u{301}"]))
        var lines = Self.lines(fields)
        #expect(lines == ["X-A: e\u{301}"])
        fields.fill(from: Self.request([try #require(lower): "e\u{301}"]))
        lines = Self.lines(fields)
        #expect(lines == ["x-a: e\u{301}"])
        // Equal as text.
        fields.fill(from: Self.request([try #require(lower): "\u{e9}"]))
        lines = Self.lines(fields)
        #expect(lines.map { Array($0.utf8) } == [Array("x-a: \u{e9}".utf8)])
    }

    @Test func `say of content what libcurl would say otherwise`() {
        var fields = CurlFields()
        fields.fill(from: Self.request(Self.asked))
        fields.fill(from: Self.request(Self.asked, method: .post))
        var lines = Self.lines(fields)
        #expect(lines.suffix(2) == ["Content-Type:", "Expect:"])
        fields.fill(from: Self.request(Self.asked))
        lines = Self.lines(fields)
        #expect(lines == ["Accept: a/b", "User-Agent: x"])
    }

    @Test func `tell whether a coding has been asked for`() {
        var fields = CurlFields()
        fields.fill(from: Self.request([.acceptEncoding: "br"]))
        var namesEncoding = fields.namesEncoding
        #expect(namesEncoding)
        var lines = Self.allLines(fields)
        #expect(lines == ["Accept-Encoding: br"])
        fields.fill(from: Self.request(Self.asked))
        namesEncoding = fields.namesEncoding
        #expect(!namesEncoding)
        lines = Self.allLines(fields)
        #expect(lines.contains(Self.codings))
    }
}
#endif
