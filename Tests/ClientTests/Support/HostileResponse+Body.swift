import Foundation
import LarderClient

extension HostileResponse {
    private static let count = users.utf8.count
    private static let ok = "HTTP/1.1 200 OK\r\n"

    private static func length(_ name: String, _ value: String, _ outcome: Outcome)
        -> HostileResponse
    {
        .init(name, "\(ok)Content-Length: \(value)\r\n\r\n\(users)", outcome)
    }

    static let lengths: [HostileResponse] = [
        length("a negative length", "-1", .error([.malformedResponse, .other])),
        length("a signed length", "+\(count)", .error([.malformedResponse, .other])),
        length("a length with a letter", "\(count)x", .error([.malformedResponse, .other])),
        length("a hexadecimal length", "0x2F", .error([.malformedResponse, .other])),
        length("an empty length", "", .error([.malformedResponse, .other])),
        length("the largest length", "9223372036854775807", .error([.limitExceeded])),
        length("a length of 64 bits", "9223372036854775808", .error([.malformedResponse, .other])),
        length(
            "a length of 30 digits", String(repeating: "9", count: 30),
            .error([.malformedResponse, .other])),
        length(
            "a list of equal lengths", "\(count), \(count)", .error([.malformedResponse, .other])),
        length("a list of lengths", "\(count), 2", .error([.malformedResponse, .other])),
        length("a length that is too long", "\(count + 100)", .error([.truncatedBody])),
        length("a length that is too short", "2", .response(200, 2)),
        .init(
            "two equal lengths",
            "\(ok)Content-Length: \(count)\r\nContent-Length: \(count)\r\n\r\n\(users)",
            .response(200, count)),
        .init(
            "two lengths", "\(ok)Content-Length: \(count)\r\nContent-Length: 2\r\n\r\n\(users)",
            .error([.malformedResponse])),
        .init(
            "a length, then chunks",
            "\(ok)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n",
            .error([.malformedResponse])),
        .init(
            "chunks, then a length",
            "\(ok)Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n2\r\n[]\r\n0\r\n\r\n",
            .error([.malformedResponse])),
        .init("content up to the close", "\(ok)\r\n\(users)", .response(200, count)),
        .init(
            "204 with content", "HTTP/1.1 204 No\r\nContent-Length: \(count)\r\n\r\n\(users)",
            .response(204, 0)),
        .init(
            "304 with content", "HTTP/1.1 304 No\r\nContent-Length: \(count)\r\n\r\n\(users)",
            .response(304, 0)),
        .init(
            "304 that names a length over the limit",
            "HTTP/1.1 304 No\r\nContent-Length: 500000000\r\nContent-Encoding: br\r\n\r\n",
            .response(304, 0)),
        .init(
            "204 that names a coding", "HTTP/1.1 204 No\r\nContent-Encoding: br\r\n\r\n",
            .response(204, 0)),
        .init(
            "a second response behind the first",
            "\(ok)Content-Length: 2\r\n\r\n[]HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx",
            .response(200, 2)),
    ]

    private static func chunked(_ name: String, _ body: String, _ outcome: Outcome)
        -> HostileResponse
    {
        .init(name, "\(ok)Transfer-Encoding: chunked\r\n\r\n\(body)", outcome)
    }

    static let chunks: [HostileResponse] = [
        chunked("chunks", "1\r\n[\r\n1\r\n]\r\n0\r\n\r\n", .response(200, 2)),
        chunked("a chunk with an extension", "2;a=b\r\n[]\r\n0\r\n\r\n", .response(200, 2)),
        chunked("trailer fields", "2\r\n[]\r\n0\r\nX-A: b\r\n\r\n", .response(200, 2)),
        chunked(
            "trailers that lie", "2\r\n[]\r\n0\r\nContent-Length: 9\r\n\r\n", .response(200, 2)),
        chunked(
            "a trailer field without a colon", "2\r\n[]\r\n0\r\nX-A b\r\n\r\n",
            .error([.malformedResponse])),
        chunked(
            "a size that is no number", "zz\r\n[]\r\n0\r\n\r\n",
            .error([.malformedResponse])),
        chunked(
            "a negative size", "-2\r\n[]\r\n0\r\n\r\n",
            .error([.malformedResponse])),
        chunked(
            "a size of 20 digits", "FFFFFFFFFFFFFFFFFFFF\r\n[]\r\n",
            .error([.malformedResponse])),
        chunked(
            "a size of 64 bits", "FFFFFFFFFFFFFFFF\r\n[]\r\n",
            .error([.malformedResponse])),
        chunked("no last chunk", "2\r\n[]\r\n", .error([.truncatedBody, .connectionLost])),
        chunked("half a chunk", "64\r\n[]", .error([.truncatedBody, .connectionLost])),
        chunked(
            "no break behind a chunk", "2\r\n[]0\r\n\r\n",
            .error([.malformedResponse, .truncatedBody, .connectionLost, .other])),
        chunked(
            "trailers without end",
            "2\r\n[]\r\n0\r\n\(String(repeating: "A: bcdefgh\r\n", count: 50_000))",
            .error([.limitExceeded])),
        .init(
            "an unknown transfer coding", "\(ok)Transfer-Encoding: foo\r\n\r\n[]",
            .error([.unsupportedContentEncoding, .malformedResponse])),
        .init(
            "a transfer coding that nobody asked for",
            "\(ok)Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n",
            .error([.unsupportedContentEncoding, .malformedResponse])),
        .init(
            "chunks twice", "\(ok)Transfer-Encoding: chunked, chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n",
            .either),
    ]

    private static func coded(
        _ name: String, _ body: [UInt8], _ outcome: Outcome, coding: String = "gzip"
    ) -> HostileResponse {
        let head = "\(ok)Content-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
        return .init(name, Array(head.utf8) + body, outcome)
    }

    static let codings: [HostileResponse] = {
        let gzip = Gzip.stored(users)
        var damaged = gzip
        damaged[gzip.count - 6] ^= 1
        var wrongCount = gzip
        wrongCount[gzip.count - 1] ^= 1
        return [
            coded("gzip", gzip, .response(200, count)),
            coded("gzip by its old name", gzip, .response(200, count), coding: "x-gzip"),
            coded("gzip in capitals", gzip, .response(200, count), coding: "GZIP"),
            coded("gzip in two members", gzip + gzip, .response(200, 2 * count)),
            coded("gzip with zeros behind", gzip + [0, 0, 0, 0], .response(200, count)),
            coded("gzip with a line break behind", gzip + [13, 10], .response(200, count)),
            coded("empty gzip content", [], .response(200, 0)),
            coded("gzip without its trailer", gzip.dropLast(8), .error([.truncatedBody])),
            coded("gzip without its last byte", gzip.dropLast(), .error([.truncatedBody])),
            coded("half a gzip content", Array(gzip.prefix(20)), .error([.truncatedBody])),
            coded("half a gzip header", Array(gzip.prefix(5)), .error([.truncatedBody])),
            coded("gzip with a wrong checksum", damaged, .error([.malformedResponse])),
            coded("gzip with a wrong length", wrongCount, .error([.malformedResponse])),
            coded(
                "gzip with something behind", gzip + [0, 1, 2, 3],
                .error([.malformedResponse, .truncatedBody])),
            coded("text that claims to be gzip", Array(users.utf8), .error([.malformedResponse])),
            coded("a gzip bomb", Gzip.zeros(8200), .error([.limitExceeded])),
            coded(
                "gzip that claims to be in gzip", gzip, .error([.malformedResponse]),
                coding: "gzip, gzip"),
            coded("gzip in gzip", Gzip.stored(gzip), .response(200, count), coding: "gzip, gzip"),
            coded(
                "gzip in six codings", gzip, .error([.limitExceeded, .malformedResponse]),
                coding: "gzip, gzip, gzip, gzip, gzip, gzip"),
            coded(
                "an unknown coding", [1, 2, 3], .error([.unsupportedContentEncoding]), coding: "foo"
            ),
            coded(
                "the identity coding", Array(users.utf8), .response(200, count), coding: "identity"),
        ]
    }()

    static let sizes: [HostileResponse] = {
        let large = String(repeating: "x", count: 1 << 20)
        return [
            .init("content of the limit's size", "\(ok)\r\n\(large)", .response(200, 1 << 20)),
            .init("content over the limit", "\(ok)\r\n\(large)x", .error([.limitExceeded])),
            .init(
                "a length over the limit", "\(ok)Content-Length: 1048577\r\n\r\n",
                .error([.limitExceeded]), staysOpen: true),
            .init(
                "chunks over the limit",
                "\(ok)Transfer-Encoding: chunked\r\n\r\n100000\r\n\(large)\r\n1\r\nx\r\n0\r\n\r\n",
                .error([.limitExceeded])),
        ]
    }()

    static let silences: [HostileResponse] = [
        .init("silence", "", .error([.timedOut]), staysOpen: true),
        .init(
            "silence in the head", "\(ok)Content-Length: 2\r\n", .error([.timedOut]),
            staysOpen: true),
        .init(
            "silence in the content", "\(ok)Content-Length: 2\r\n\r\n[", .error([.timedOut]),
            staysOpen: true),
    ]
}
