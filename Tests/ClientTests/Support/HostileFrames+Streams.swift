import LarderClient

extension HostileFrames {
    private typealias Frame = HTTP2Frame

    static let wellFormed: [HostileFrames] = [
        .init("a response", good, outcome: response),
        .init(
            "fields in many frames", Frame.bytes(.headers, [], stream: 1, HPACK.ok),
            Frame.bytes(.continuation, [], stream: 1, HPACK.field("a", "b")),
            Frame.bytes(.continuation, .endOfFields, stream: 1), Frame.data(users),
            outcome: response),
        .init(
            "padding", Frame.fields([3] + HPACK.ok + [0, 0, 0], .padded),
            Frame.bytes(.data, [.padded, .end], stream: 1, [2] + Array(users.utf8) + [0, 0]),
            outcome: response),
        .init(
            "an empty frame at the end", ok, Frame.data(users, []), Frame.data(""),
            outcome: response),
        .init("no content", Frame.fields(HPACK.ok, .end), outcome: .response(200, 0)),
        .init(
            "trailers", ok, Frame.data(users, []), Frame.fields(HPACK.field("a", "b"), .end),
            outcome: response),
        .init(
            "frames of unknown kinds", Frame.bytes(0xAA, stream: 1, [1, 2]), Frame.bytes(0x0A),
            Frame.bytes(0x0C, [], [0]), good, outcome: response),
        .init(
            "103 first", Frame.fields(HPACK.status("103")), good, outcome: response),
        .init(
            "a priority", Frame.bytes(.priority, [], stream: 1, [0, 0, 0, 3, 1]),
            Frame.fields([0, 0, 0, 3, 1] + HPACK.ok, .priority), Frame.data(users),
            outcome: response),
    ]

    static let endings: [HostileFrames] = [
        .init("nothing but settings"),
        .init("silence", outcome: .error([.timedOut]), staysOpen: true),
        .init("fields and no more", ok),
        .init("half a frame's head", Array(ok.prefix(5))),
        .init("half a frame", ok, Array(Frame.data(users).prefix(20))),
        .init("content without an end", ok, Frame.data(users, [])),
        .init(
            // Whole by its length.
            "content without an end, of the right length",
            Frame.fields(HPACK.ok + HPACK.field("content-length", "\(users.utf8.count)")),
            Frame.data(users, []), outcome: .either),
        .init(
            "silence in the content", ok, Frame.data(users, []), outcome: .error([.timedOut]),
            staysOpen: true),
        .init(
            "silence in the fields", Frame.bytes(.headers, [], stream: 1, HPACK.ok),
            outcome: .error([.timedOut]), staysOpen: true),
        .init(
            "fields without an end, then a close", Frame.bytes(.headers, [], stream: 1, HPACK.ok)),
        .init("content before any fields", Frame.data(users)),
        .init(
            "trailers that end nothing", ok, Frame.data(users, []), Frame.fields([0x40, 1, 97, 0])),
        .init(
            "trailers with a status", ok, Frame.data(users, []), Frame.fields(HPACK.ok, .end)),
        .init(
            "GOAWAY in the content", ok, Frame.data("[", []), Frame.goAway(0, last: 1)),
        .init("GOAWAY, then the response", Frame.goAway(0, last: 1), good, outcome: response),
        .init(
            "GOAWAY for later, then the response", Frame.goAway(0, last: 0x7FFF_FFFF), good,
            outcome: response),
        .init("GOAWAY below the stream", Frame.goAway(0, last: 0)),
        .init("GOAWAY that asks for calm", Frame.goAway(11, last: 0)),
        .init("GOAWAY with an error", Frame.goAway(2, last: 1)),
        .init("GOAWAY twice, rising", Frame.goAway(0, last: 0), Frame.goAway(0, last: 5)),
        .init("a hundred GOAWAYs", (0..<100).flatMap { _ in Frame.goAway(0, last: 0) }),
    ]

    static let resets: [HostileFrames] = [
        .init("a stream refused", Frame.reset(7)),
        .init("a stream refused with content", ok, Frame.data("[", []), Frame.reset(7)),
        .init("a stream reset without reason", Frame.reset(0)),
        .init("a stream that asks for calm", Frame.reset(11)),
        .init("a stream that asks for HTTP/1.1", Frame.reset(13)),
        .init("a stream cancelled in the content", ok, Frame.data("[", []), Frame.reset(8)),
        .init(
            "a stream reset without reason in the content of a length",
            Frame.fields(HPACK.ok + HPACK.field("content-length", "10")), Frame.data("[", []),
            Frame.reset(0)),
        .init("a stream reset behind its end", good, Frame.reset(0), outcome: response),
        .init("a reset of a stream that is not there", Frame.reset(0, stream: 5)),
        .init("resets one after the other", (0..<10_000).flatMap { _ in Frame.reset(8) }),
        .init("a reset of all", Frame.reset(0, stream: 0)),
        .init("an unknown code", Frame.reset(0xFFFF_FFFF)),
    ]

    static let contents: [HostileFrames] = {
        let bomb = Gzip.zeros(8200)
        func gzip(_ content: [UInt8]) -> [UInt8] {
            Frame.fields(HPACK.ok + HPACK.field("content-encoding", "gzip"))
                + Frame.bytes(.data, .end, stream: 1, content)
        }
        func length(_ text: String) -> [UInt8] {
            Frame.fields(HPACK.ok + HPACK.field("content-length", text)) + Frame.data(users)
        }
        let part = [UInt8](repeating: 0x20, count: 16_000)
        return [
            .init("gzip", gzip(Gzip.stored(users)), outcome: response),
            .init(
                "gzip without its trailer", gzip(Gzip.stored(users).dropLast(8)),
                outcome: .error([.truncatedBody])),
            .init("a gzip bomb", gzip(bomb), outcome: .error([.limitExceeded])),
            .init("a length that is right", length("\(users.utf8.count)"), outcome: response),
            .init("a length that is too long", length("1000")),
            .init("a length that is too short", length("2")),
            .init("a negative length", length("-1")),
            .init("a length with a letter", length("4x")),
            .init("a length of 30 digits", length(String(repeating: "9", count: 30))),
            .init(
                "two lengths",
                Frame.fields(
                    HPACK.ok + HPACK.field("content-length", "2")
                        + HPACK.field("content-length", "\(users.utf8.count)")),
                Frame.data(users)),
            .init(
                "a length over the limit",
                Frame.fields(HPACK.ok + HPACK.field("content-length", "1048577")),
                outcome: .error([.limitExceeded]), staysOpen: true),
            .init(
                "content over the limit, without an end", ok,
                (0..<70).flatMap { _ in Frame.bytes(.data, [], stream: 1, part) },
                outcome: .error([.limitExceeded]), staysOpen: true),
            .init(
                "204 with content", Frame.fields(HPACK.status("204")), Frame.data(users),
                outcome: .either),
            .init(
                "304 with a length",
                Frame.fields(HPACK.status("304") + HPACK.field("content-length", "99"), .end),
                outcome: .response(304, 0)),
        ]
    }()
}
