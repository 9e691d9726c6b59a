import Foundation
import LarderClient

extension HostileResponse {
    private static let count = users.utf8.count
    private static let end = "Content-Length: \(count)\r\n\r\n\(users)"
    private static let chunk = "2\r\n[]\r\n0\r\n\r\n"

    private static func head(
        _ name: String, _ lines: String, _ outcome: Outcome = .error([.malformedResponse])
    ) -> HostileResponse {
        .init(name, "HTTP/1.1 200 OK\r\n\(lines)", outcome)
    }

    private static func chunked(
        _ name: String, _ body: String, _ outcome: Outcome = .error([.malformedResponse])
    ) -> HostileResponse {
        head(name, "Transfer-Encoding: chunked\r\n\r\n\(body)", outcome)
    }

    /// Heads that somebody between may read otherwise.
    static let disguises: [HostileResponse] = [
        head(
            "a response in the fields", "X-A: b\r\nHTTP/1.1 404 No\r\nX-B: c\r\n\(end)"),
        head("a line break of its own kind", "X-A: b\rX-B: c\r\n\(end)"),
        head("an empty line of CRs", "X-A: b\r\r\n\(end)", .either),
        head("a field that ends in LF", "X-A: b\n\(end)", .response(200, count)),
        head(
            "a vertical tab before a coding", "Transfer-Encoding: \u{0B}chunked\r\n\r\n\(chunk)",
            .error([.unsupportedContentEncoding, .malformedResponse])),
        head(
            "a coding with a parameter", "Transfer-Encoding: chunked;q=1\r\n\r\n\(chunk)",
            .error([.unsupportedContentEncoding, .malformedResponse])),
        head(
            "a coding that only begins so", "Transfer-Encoding: chunkedx\r\n\r\n\(chunk)",
            .error([.unsupportedContentEncoding, .malformedResponse])),
        head(
            "a coding that only ends so", "Transfer-Encoding: xchunked\r\n\r\n\(chunk)",
            .error([.unsupportedContentEncoding, .malformedResponse])),
        head("a space behind a coding's name", "Transfer-Encoding : chunked\r\n\r\n\(chunk)"),
        head("a length beside the identity", "Transfer-Encoding: identity\r\n\(end)"),
        head("a folded transfer coding", "Transfer-Encoding:\r\n chunked\r\n\r\n\(chunk)"),
        head("a folded content coding", "Content-Encoding:\r\n gzip\r\n\(end)"),
        head(
            "a length with a space in it", "Content-Length: 4 7\r\n\r\n\(users)",
            .error([.malformedResponse, .other])),
        head(
            "a length in other digits", "Content-Length: ４７\r\n\r\n\(users)",
            .error([.malformedResponse, .other])),
        head(
            "a length with an exponent", "Content-Length: 1e1\r\n\r\n\(users)",
            .error([.malformedResponse, .other])),
        head(
            "a length of minus nothing", "Content-Length: -0\r\n\r\n",
            .error([.malformedResponse, .other])),
        head(
            "spaces around a length", "Content-Length:  \(count)  \r\n\r\n\(users)",
            .response(200, count)),
        head(
            "zeros before a length", "Content-Length: 000\(count)\r\n\r\n\(users)",
            .response(200, count)),
        head(
            "three lengths, the last another",
            "Content-Length: 2\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n[]"),
        head(
            "a name of 70 KB", "\(String(repeating: "a", count: 70_000)): b\r\n\(end)",
            .error([.limitExceeded])),
        head(
            "60 cookies of 4 KB",
            String(repeating: "Set-Cookie: \(String(repeating: "a", count: 4000))\r\n", count: 60)
                + end,
            .error([.limitExceeded])),
        head(
            "a connection kept for ever", "Keep-Alive: timeout=99999999999999999999\r\n\(end)",
            .response(200, count)),
        head(
            "another service", "Alt-Svc: h3=\"evil.test:443\"; ma=99999999\r\n\(end)",
            .response(200, count)),
        .init(
            "a version without its space", "HTTP/1.1200 OK\r\n\(end)",
            .error([.malformedResponse, .other])),
        .init(
            "a version of two digits", "HTTP/1.10 200 OK\r\n\(end)",
            .error([.malformedResponse, .other])),
        .init("a version of HTTP-2", "HTTP/2 200 OK\r\n\(end)", .either),
        .init("a version of HTTP-3", "HTTP/3 200 OK\r\n\(end)", .either),
        .init("HTTP/1.0", "HTTP/1.0 200 OK\r\n\(end)", .response(200, count)),
        .init(
            "HTTP/1.0 in chunks", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)",
            .either),
        .init(
            "status 199", "HTTP/1.1 199 Odd\r\n\r\nHTTP/1.1 200 OK\r\n\(end)", .response(200, count)
        ),
        .init("status 426", "HTTP/1.1 426 U\r\nUpgrade: h2c\r\n\(end)", .response(426, count)),
        .init(
            "status 407", "HTTP/1.1 407 P\r\nProxy-Authenticate: Basic\r\n\(end)",
            .response(407, count)),
        .init(
            "a part of something else", "HTTP/1.1 206 P\r\nContent-Range: bytes 5-1/2\r\n\(end)",
            .response(206, count)),
        .init(
            "304 in chunks", "HTTP/1.1 304 No\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)",
            .response(304, 0)),
        .init(
            "interim fields without end",
            String(
                repeating: "HTTP/1.1 103 E\r\nA: \(String(repeating: "b", count: 900))\r\n\r\n",
                count: 100),
            .error([.limitExceeded])),
        .init(
            "an interim response cut short", "HTTP/1.1 103 E\r\nA: b\r\n",
            .error([.malformedResponse, .connectionLost])),
    ]

    /// Chunks that somebody between may read otherwise.
    static let framing: [HostileResponse] = [
        chunked("zeros before a size", "0000000002\r\n[]\r\n0\r\n\r\n", .response(200, 2)),
        chunked("a size with a space behind it", "2 \r\n[]\r\n0\r\n\r\n", .either),
        chunked("a size with a space before it", " 2\r\n[]\r\n0\r\n\r\n", .either),
        chunked("a size with a sign", "+2\r\n[]\r\n0\r\n\r\n"),
        chunked("a size of hexadecimal notation", "0x2\r\n[]\r\n0\r\n\r\n"),
        chunked(
            "a size of 30 zeros", "\(String(repeating: "0", count: 30))2\r\n[]\r\n0\r\n\r\n",
            .either),
        chunked("no size", "\r\n[]\r\n0\r\n\r\n"),
        chunked("sizes that end in LF", "2\n[]\n0\n\n", .either),
        chunked(
            "an extension of 1 MB",
            "2;\(String(repeating: "a", count: 1 << 20))\r\n[]\r\n0\r\n\r\n", .either),
        chunked("an extension with a NUL", "2;a\0b\r\n[]\r\n0\r\n\r\n", .either),
        chunked(
            "100,000 chunks of a byte",
            String(repeating: "1\r\n \r\n", count: 100_000) + "0\r\n\r\n", .response(200, 100_000)),
        chunked(
            "a size of 4 GiB", "100000000\r\n[]",
            .error([.truncatedBody, .connectionLost, .limitExceeded])),
        // libcurl takes it for a size, and one of 64 bits for none.
        chunked(
            "a size of 63 bits", "7FFFFFFFFFFFFFFF\r\n[]",
            .error([.truncatedBody, .connectionLost, .limitExceeded])),
        chunked("half a last chunk", "2\r\n[]\r\n0", .error([.truncatedBody, .connectionLost])),
        chunked(
            "a last chunk without its end", "2\r\n[]\r\n0\r\n",
            .error([.truncatedBody, .connectionLost])),
        chunked(
            "half a trailer", "2\r\n[]\r\n0\r\nX-A", .error([.truncatedBody, .connectionLost])),
        chunked("a trailer with a NUL", "2\r\n[]\r\n0\r\nX-A: b\0c\r\n\r\n", .either),
        chunked(
            "a trailer of 100 KB",
            "2\r\n[]\r\n0\r\nX-A: \(String(repeating: "b", count: 100_000))\r\n\r\n",
            .error([.limitExceeded, .malformedResponse])),
        chunked("a second response in the trailers", "2\r\n[]\r\n0\r\nHTTP/1.1 200 OK\r\n\r\n"),
        chunked(
            "three bytes in a chunk of two", "2\r\n[1]\r\n0\r\n\r\n",
            .error([.malformedResponse, .truncatedBody, .connectionLost])),
        // The CR is taken for content, and the LF for the chunk's end.
        chunked("one byte in a chunk of two", "2\r\n[\r\n0\r\n\r\n", .either),
    ]

    private static func coded(
        _ name: String, _ coding: String, _ body: [UInt8], _ outcome: Outcome
    ) -> HostileResponse {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
        return .init(name, Array(head.utf8) + body, outcome)
    }

    /// What holds where the libraries are there, and where they are missing too.
    static let otherCodings: [HostileResponse] = [
        ("br", Brotli.stored(users), Brotli.bomb), ("zstd", Zstd.stored(users), Zstd.zeros(17)),
    ]
    .flatMap { coding, good, bomb in
        [
            coded(
                "\(coding) without its end", coding, good.dropLast(),
                .error([.truncatedBody, .unsupportedContentEncoding])),
            coded(
                "half of \(coding)", coding, Array(good.prefix(12)),
                .error([.truncatedBody, .unsupportedContentEncoding])),
            coded(
                "\(coding) with something behind", coding, good + [1, 2, 3, 4],
                .error([.malformedResponse, .unsupportedContentEncoding])),
            coded(
                "text that claims to be \(coding)", coding, Array(users.utf8),
                .error([.malformedResponse, .truncatedBody, .unsupportedContentEncoding])),
            coded(
                "a bomb of \(coding)", coding, bomb,
                .error([.limitExceeded, .unsupportedContentEncoding])),
            coded(
                "\(coding) in gzip that is none", "\(coding), gzip", good,
                .error([.malformedResponse, .unsupportedContentEncoding])),
            coded(
                "\(coding) in something unknown", "\(coding), foo", good,
                .error([.unsupportedContentEncoding])),
        ]
    }
}
