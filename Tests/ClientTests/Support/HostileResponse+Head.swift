import Foundation
import LarderClient

extension HostileResponse {
    private static let count = users.utf8.count
    private static let end = "Content-Length: \(count)\r\n\r\n\(users)"

    static let statusLines: [HostileResponse] = [
        .init("nothing at all", "", .error([.connectionLost])),
        .init("a line break only", "\r\n", .error([.malformedResponse, .other, .connectionLost])),
        .init(
            "a status line only", "HTTP/1.1 200 OK\r\n",
            .error([.malformedResponse, .connectionLost])),
        .init("half a status line", "HTTP/1.1 20", .error([.malformedResponse, .connectionLost])),
        .init(
            "a head without an end", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
            .error([.malformedResponse, .truncatedBody, .connectionLost])),
        .init("status 000", "HTTP/1.1 000 OK\r\n\(end)", .error([.malformedResponse, .other])),
        .init("status 099", "HTTP/1.1 099 OK\r\n\(end)", .error([.malformedResponse, .other])),
        .init("status 99", "HTTP/1.1 99 OK\r\n\(end)", .error([.malformedResponse, .other])),
        .init("status 1000", "HTTP/1.1 1000 OK\r\n\(end)", .error([.malformedResponse, .other])),
        .init("status -200", "HTTP/1.1 -200 OK\r\n\(end)", .error([.malformedResponse, .other])),
        .init("status 2x0", "HTTP/1.1 2x0 OK\r\n\(end)", .error([.malformedResponse, .other])),
        .init(
            "status 2000000", "HTTP/1.1 2000000\r\n\(end)", .error([.malformedResponse, .other])),
        .init("no status", "HTTP/1.1 \r\n\(end)", .error([.malformedResponse, .other])),
        .init("two spaces before the status", "HTTP/1.1  200 OK\r\n\(end)", .either),
        .init(
            "an unknown version", "HTTP/9.9 200 OK\r\n\(end)", .error([.malformedResponse, .other])),
        .init("a lower-case protocol", "http/1.1 200 OK\r\n\(end)", .either),
        .init("another protocol", "ICY 200 OK\r\n\(end)", .error([.malformedResponse, .other])),
        .init("HTTP/0.9", users, .error([.malformedResponse, .other])),
        .init("an SSH server", "SSH-2.0-OpenSSH_9.2\r\n", .error([.malformedResponse, .other])),
        .init(
            "bytes at random", (0..<512).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) },
            .error([.malformedResponse, .other])),
        .init(
            "a NUL in the status line", "HTTP/1.1 200 O\0K\r\n\(end)", .error([.malformedResponse])),
        .init(
            "60,000 CRs",
            "HTTP/1.1 200 OK" + String(repeating: "\r", count: 60_000) + "\n\(end)", .either),
        .init("no reason", "HTTP/1.1 200\r\n\(end)", .response(200, count)),
        .init("an empty reason", "HTTP/1.1 200 \r\n\(end)", .response(200, count)),
        .init("an unknown status", "HTTP/1.1 299 Odd\r\n\(end)", .response(299, count)),
        .init("status 999", "HTTP/1.1 999 Odd\r\n\(end)", .response(999, count)),
        .init("lines that end in LF", "HTTP/1.1 200 OK\nContent-Length: 2\n\n[]", .either),
        .init(
            "a redirect to a file", "HTTP/1.1 302 F\r\nLocation: file:///etc/passwd\r\n\(end)",
            .response(302, count)),
        .init(
            "a demand for credentials",
            "HTTP/1.1 401 U\r\nWWW-Authenticate: Basic realm=\"x\"\r\n\(end)",
            .response(401, count)),
    ]

    static let interim: [HostileResponse] = [
        .init(
            "100 first", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\(end)",
            .response(200, count)),
        .init(
            "103 first", "HTTP/1.1 103 Early\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\n\(end)",
            .response(200, count)),
        .init(
            "100 and no more", "HTTP/1.1 100 Continue\r\n\r\n",
            .error([.malformedResponse, .connectionLost])),
        .init(
            "101 unasked", "HTTP/1.1 101 Switch\r\nUpgrade: x\r\n\r\n\(users)",
            .error([.malformedResponse])),
        .init(
            "100 without end", String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 5000),
            .error([.limitExceeded])),
    ]

    static let fields: [HostileResponse] = [
        .init(
            "a field without a colon", "HTTP/1.1 200 OK\r\nBroken\r\n\(end)",
            .error([.malformedResponse, .other])),
        .init(
            "a space before the colon", "HTTP/1.1 200 OK\r\nX-A : b\r\n\(end)",
            .error([.malformedResponse])),
        .init(
            "a field without a name", "HTTP/1.1 200 OK\r\n: b\r\n\(end)",
            .error([.malformedResponse])),
        .init(
            "a name outside ASCII", "HTTP/1.1 200 OK\r\nX-Ä: b\r\n\(end)",
            .error([.malformedResponse])),
        .init(
            "a NUL in a value", "HTTP/1.1 200 OK\r\nX-A: b\0c\r\n\(end)",
            .error([.malformedResponse])),
        .init(
            "a NUL in a name", "HTTP/1.1 200 OK\r\nX\0A: b\r\n\(end)", .error([.malformedResponse])),
        .init(
            "a lone CR in a value", "HTTP/1.1 200 OK\r\nX-A: b\rc\r\n\(end)",
            .error([.malformedResponse])),
        .init(
            "a field of 15,000 lines",
            "HTTP/1.1 200 OK\r\nX-A: b\r\n" + String(repeating: " c\r\n", count: 15_000) + end,
            .response(200, count)),
        .init("a folded field", "HTTP/1.1 200 OK\r\nX-A: b\r\n c\r\n\(end)", .response(200, count)),
        .init(
            "a folded length", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 2\r\n\r\n\(users)",
            .error([.malformedResponse])),
        .init(
            "a fold at the start", "HTTP/1.1 200 OK\r\n X-A: b\r\n\(end)",
            .error([.malformedResponse, .other])),
        .init(
            "a field without a value", "HTTP/1.1 200 OK\r\nX-A:\r\n\(end)", .response(200, count)),
        .init(
            "a value outside ASCII",
            Array("HTTP/1.1 200 OK\r\nX-A: ".utf8) + [0xFF, 0xFE, 13, 10] + Array(end.utf8),
            .response(200, count)),
        .init(
            "a field of 1 MB",
            "HTTP/1.1 200 OK\r\nX-A: \(String(repeating: "a", count: 1 << 20))\r\n\(end)",
            .error([.limitExceeded])),
        .init(
            "5,000 fields",
            "HTTP/1.1 200 OK\r\n\(String(repeating: "A: b\r\n", count: 5000))\(end)",
            .error([.limitExceeded])),
        .init(
            "255 fields", "HTTP/1.1 200 OK\r\n\(String(repeating: "A: b\r\n", count: 255))\(end)",
            .response(200, count)),
        .init(
            "fields without an end",
            "HTTP/1.1 200 OK\r\n\(String(repeating: "A: bcdefgh\r\n", count: 50_000))",
            .error([.limitExceeded]), staysOpen: true),
    ]
}
