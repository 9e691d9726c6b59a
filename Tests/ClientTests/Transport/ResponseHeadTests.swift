import Foundation
import HTTPTypes
import Testing

@testable import LarderClient

@Suite struct ResponseHeadTests {
    @Test func `a field that repeats keeps each value, in order`() throws {
        let head = try Self.head("HTTP/2 200", "Set-Cookie: a", "Set-Cookie: b")
        #expect(head.message.headerFields[values: .setCookie] == ["a", "b"])
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK", 200, "OK"), ("HTTP/1.1 200", 200, ""), ("HTTP/1.1 200 ", 200, ""),
        ("HTTP/2 404", 404, ""), ("HTTP/1.0 999 A b c", 999, "A b c"),
        ("HTTP/1.1  100 x", 100, "x"),
    ])
    func `a status line is read`(_ line: String, _ code: Int, _ reason: String) throws {
        let status = try Self.head(line).message.status
        #expect(status.code == code)
        #expect(status.reasonPhrase == reason)
    }

    @Test(arguments: [
        "", "HTTP/1.1", "HTTP/1.1 ", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/1.1 099 x",
        "HTTP/1.1 -20",
        "HTTP/1.1 2 0", "http/1.1 200 OK", "HTTP 200 OK", "HTTP/1.1 200\0", "HTTP/1.1 200OK",
    ])
    func `what is no status line is refused`(_ line: String) {
        #expect(throws: TransportError.self) { try Self.head(line) }
    }

    @Test(arguments: [
        ("A: b", "b"), ("A:b", "b"), ("A: \t b \t ", "b"), ("A:", ""), ("A:  ", ""),
        ("A: b: c", "b: c"),
        ("A: b c", "b c"), ("A: ü", "ü"),
    ])
    func `a field's value is trimmed`(_ line: String, _ value: String) throws {
        let name = try #require(HTTPField.Name("A"))
        #expect(try Self.head("HTTP/1.1 200 OK", line).message.headerFields[name] == value)
    }

    @Test(arguments: [
        "A", ": b", "A : b", "A\0: b", "A: b\0", "A: b\rc", "Ä: b", "A b: c", " A: b",
    ])
    func `what is no field is refused`(_ line: String) {
        #expect(throws: TransportError.self) { try Self.head("HTTP/1.1 200 OK", line) }
    }

    @Test(arguments: [
        ("0", 0), ("007", 7), ("9223372036854775807", Int64.max), ("9223372036854775808", nil),
        ("-1", nil),
        ("+1", nil), ("1 ", 1), ("1 2", nil), ("1,1", nil), ("", nil), ("0x1", nil), ("١", nil),
    ])
    func `a length is digits`(_ text: String, _ length: Int64?) {
        let head = try? Self.head("HTTP/1.1 200 OK", "Content-Length: \(text)")
        #expect(head?.contentLength == length)
    }

    @Test func `a value may go on in any number of lines`() throws {
        let name = try #require(HTTPField.Name("A"))
        for (lines, value) in [
            (["A: b", " c", "\t d ", " ", " e"], "b c d e"), (["A:", " b"], "b"),
            (["A: b", " "], "b"),
            (["B: x", "A: b", " \u{FC}"], "b \u{FC}"), (["A: b", " c", "B: x"], "b c"),
        ] {
            let text = (["HTTP/1.1 200 OK"] + lines + ["", ""]).joined(separator: "\r\n")
            let head = try ResponseHead(parsing: Array(text.utf8), limits: TransportLimits())
            #expect(head.message.headerFields[name] == value)
        }
        let text = "HTTP/1.1 200 OK\r\nA: b" + String(repeating: "\r\n c", count: 60_000)
        let head = try ResponseHead(
            parsing: Array((text + "\r\n\r\n").utf8), limits: TransportLimits())
        #expect(head.message.headerFields[name]?.utf8.count == 120_001)
    }

    @Test func `a line may end in any number of returns`() throws {
        let returns = String(repeating: "\r", count: 90_000)
        let text = "HTTP/1.1 200 OK\(returns)\nA: b\(returns)\n\(returns)\n"
        let head = try ResponseHead(parsing: Array(text.utf8), limits: TransportLimits())
        #expect(head.message.headerFields.count == 1)
    }

    @Test func `lengths may repeat, and must agree`() throws {
        let head = try Self.head("HTTP/1.1 200 OK", "Content-Length: 1", "content-length: 1")
        #expect(head.contentLength == 1)
        #expect(throws: TransportError.self) {
            try Self.head("HTTP/1.1 200 OK", "Content-Length: 1", "content-length: 2")
        }
        #expect(throws: TransportError.self) {
            try Self.head("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "Content-Length: 1")
        }
    }

    @Test(arguments: [
        ("gzip", [ContentCoding.gzip]), ("X-GZIP", [.gzip]), ("identity", []), ("", []),
        ("br", [.brotli]), ("gzip, br", [.gzip, .brotli]), ("identity, gzip", [.gzip]),
        ("zstd,deflate", [.zstd, nil]), ("g zip", [nil]),
    ])
    func `the content codings are recognised`(_ value: String, _ codings: [ContentCoding?]) throws {
        let head = try Self.head("HTTP/1.1 200 OK", "Content-Encoding: \(value)")
        #expect(head.contentCodings == codings)
    }

    @Test func `codings in two fields are two codings`() throws {
        let line = "Content-Encoding: gzip"
        #expect(try Self.head("HTTP/1.1 200 OK", line, line).contentCodings == [.gzip, .gzip])
    }

    @discardableResult
    private static func head(_ lines: String...) throws -> ResponseHead {
        let text = lines.map { $0 + "\r\n" }.joined() + "\r\n"
        return try ResponseHead(parsing: Array(text.utf8), limits: TransportLimits())
    }
}
