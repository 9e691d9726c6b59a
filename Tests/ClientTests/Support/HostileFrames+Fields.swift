import LarderClient

extension HostileFrames {
    private typealias Frame = HTTP2Frame

    private static func with(
        _ name: String, _ block: [UInt8], _ outcome: HostileResponse.Outcome = broken
    ) -> HostileFrames {
        .init(name, Frame.fields(block), Frame.data(users), outcome: outcome)
    }

    static let fields: [HostileFrames] = [
        with("no status", HPACK.field("a", "b")),
        with("two statuses", HPACK.ok + HPACK.ok),
        with("a status behind a field", HPACK.field("a", "b") + HPACK.ok),
        with("status 20", HPACK.status("20")),
        with("status 2000", HPACK.status("2000")),
        with("status 2x0", HPACK.status("2x0")),
        with("status 000", HPACK.status("000")),
        with("status 101", HPACK.status("101")),
        with("an empty status", HPACK.status("")),
        with("a request's path", HPACK.ok + HPACK.field(":path", "/")),
        with("an unknown pseudo-field", HPACK.ok + HPACK.field(":x", "y")),
        with("a name in upper case", HPACK.ok + HPACK.field("X-A", "b")),
        with("a field of the connection", HPACK.ok + HPACK.field("connection", "close")),
        with("a transfer coding", HPACK.ok + HPACK.field("transfer-encoding", "chunked")),
        with("an upgrade", HPACK.ok + HPACK.field("upgrade", "x")),
        // What follows may be left out or refused, but not taken for more than one line.
        with("an empty name", HPACK.ok + HPACK.field("", "b"), .either),
        with("a name with a space", HPACK.ok + HPACK.field("a b", "c"), .either),
        with("a name with a colon", HPACK.ok + HPACK.field("a:b", "c"), .either),
        with("a name with a line break", HPACK.ok + HPACK.field("a\r\nb", "c"), .either),
        with("a value with a line break", HPACK.ok + HPACK.field("a", "b\r\nx-split: c"), .either),
        with("a value with a lone LF", HPACK.ok + HPACK.field("a", "b\nx-split: c"), .either),
        with("a value with a NUL", HPACK.ok + HPACK.field("a", "b\0c"), .either),
        with("a value outside ASCII", HPACK.ok + HPACK.field("a", [0xFF, 0xFE]), response),
        .init(
            "interim responses without end",
            (0..<5000).flatMap { _ in
                Frame.fields(HPACK.status("103") + HPACK.field("a", "bcdefgh"))
            },
            outcome: .error([.limitExceeded, .malformedResponse, .connectionLost])),
        .init("an interim response that ends", Frame.fields(HPACK.status("103"), .end)),
        with(
            "5,000 fields",
            HPACK.ok + (0..<5000).flatMap { _ in HPACK.field("a", "b") },
            .error([.limitExceeded, .malformedResponse, .connectionLost])),
        .init(
            "more fields than fit",
            Frame.bytes(.headers, [], stream: 1, HPACK.ok),
            (0..<7).flatMap { _ in
                Frame.bytes(
                    .continuation, [], stream: 1,
                    HPACK.field("a", String(repeating: "b", count: 16_000)))
            }, Frame.bytes(.continuation, .endOfFields, stream: 1), Frame.data(users),
            outcome: .error([.limitExceeded, .malformedResponse, .connectionLost])),
    ]

    static let compression: [HostileFrames] = [
        with("the table's place 0", [0x80]),
        with("a place that the table has not", HPACK.ok + [0xFF, 0x7F]),
        with("a number without end", HPACK.ok + Array(repeating: 0xFF, count: 20)),
        with(
            "a number without end in a length",
            HPACK.ok + [0, 0x7F] + Array(repeating: 0xFF, count: 20)),
        with("a field cut short", HPACK.ok + [0, 5, 97]),
        with("a code of Huffman's end", HPACK.ok + [0, 0x84, 0xFF, 0xFF, 0xFF, 0xFF, 1, 97]),
        with("padding of zeros", HPACK.ok + [0, 0x81, 0x18, 1, 97]),
        with("a table larger than allowed", [0x3F, 0xE1, 0xFF, 0xFF, 0x7F] + HPACK.ok),
        with("a table's size behind a field", HPACK.ok + [0x20]),
        with("a table without room", [0x20] + HPACK.ok, response),
        // 4 KB in the table, 16,000 times.
        with(
            "a bomb of fields",
            HPACK.ok + HPACK.remembered("a", String(repeating: "b", count: 4000))
                + Array(repeating: 0xBE, count: 12_000),
            .error([.limitExceeded, .malformedResponse, .connectionLost])),
    ]

    static let floods: [HostileFrames] = [
        .init(
            "fields in frames without end", Frame.bytes(.headers, [], stream: 1, HPACK.ok),
            (0..<20_000).flatMap { _ in Frame.bytes(.continuation, [], stream: 1) }),
        .init(
            "fields in frames with a little each", Frame.bytes(.headers, [], stream: 1, HPACK.ok),
            (0..<20_000).flatMap { _ in
                Frame.bytes(.continuation, [], stream: 1, HPACK.field("a", "b"))
            }, outcome: .error([.limitExceeded, .malformedResponse, .connectionLost])),
        .init(
            "20,000 settings", (0..<20_000).flatMap { _ in Frame.settings() }, good,
            outcome: .either),
        .init(
            "20,000 pings",
            (0..<20_000).flatMap { _ in Frame.bytes(.ping, [], Array(repeating: 0, count: 8)) },
            good, outcome: .either),
        .init(
            "50,000 frames without content", ok, (0..<50_000).flatMap { _ in Frame.data("", []) }),
        .init(
            "20,000 frames of unknown kinds", (0..<20_000).flatMap { _ in Frame.bytes(0xAA) }, good,
            outcome: .either),
        .init(
            "20,000 priorities",
            (0..<20_000).flatMap {
                Frame.bytes(.priority, [], stream: UInt32($0 * 2 + 3), [0, 0, 0, 1, 1])
            },
            good, outcome: .either),
        .init(
            "20,000 window updates", (0..<20_000).flatMap { _ in Frame.window(1) }, good,
            outcome: .either),
        .init(
            "padding only", ok,
            (0..<5000).flatMap { _ in
                Frame.bytes(.data, .padded, stream: 1, [255] + Array(repeating: 0, count: 255))
            }),
    ]
}
