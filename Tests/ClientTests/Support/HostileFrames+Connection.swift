import LarderClient

extension HostileFrames {
    private typealias Frame = HTTP2Frame

    private static func settings(
        _ name: String, _ values: [(UInt16, UInt32)], _ outcome: HostileResponse.Outcome = broken
    ) -> HostileFrames {
        HostileFrames(name, good, outcome: outcome).greeting(Frame.settings(values))
    }

    static let settings: [HostileFrames] = [
        settings("a window of 4 GiB", [(4, 0xFFFF_FFFF)]),
        settings("frames of no size", [(5, 0)]),
        settings("frames of 4 GiB", [(5, 0xFFFF_FFFF)]),
        settings("pushes, neither allowed nor not", [(2, 2)]),
        settings("pushes allowed by a server", [(2, 1)], .either),
        settings("a table of 4 GiB", [(1, 0xFFFF_FFFF)], response),
        settings("no table", [(1, 0)], response),
        settings("fields of no size", [(6, 0)], .either),
        settings("unknown settings", [(0xAAAA, 1), (0, 0)], response),
        settings("a thousand settings", (0..<1000).map { (0x1000 + $0, 1) }, .either),
        HostileFrames("settings of five bytes", good)
            .greeting(Frame.bytes(.settings, [], [0, 1, 0, 0, 0])),
        HostileFrames("settings of a stream", good)
            .greeting(Frame.settings(), Frame.bytes(.settings, [], stream: 1)),
        HostileFrames("an acknowledgement with settings", good)
            .greeting(
                Frame.settings(), Frame.bytes(.settings, .acknowledgement, [0, 1, 0, 0, 0, 0])),
        HostileFrames("no settings", good).greeting(),
        HostileFrames("an answer in HTTP/1.1")
            .greeting(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]".utf8)),
        HostileFrames("bytes at random")
            .greeting((0..<512).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 13) }),
        HostileFrames("nothing at all").greeting(),
        HostileFrames("a preface of its own")
            .greeting(Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)),
        HostileFrames("no streams allowed", good, outcome: response)
            .greeting(Frame.settings([(3, 0)])),
    ]

    static let shapes: [HostileFrames] = [
        .init("a ping of seven bytes", Frame.bytes(.ping, [], Array(repeating: 0, count: 7)), good),
        .init(
            "a ping of a stream",
            Frame.bytes(.ping, [], stream: 1, Array(repeating: 0, count: 8)), good),
        .init("a GOAWAY of seven bytes", Frame.bytes(.goAway, [], [0, 0, 0, 0, 0, 0, 0]), good),
        .init(
            "a GOAWAY of a stream",
            Frame.bytes(.goAway, [], stream: 1, [0, 0, 0, 0, 0, 0, 0, 0]), good),
        .init("a reset of three bytes", Frame.bytes(.reset, [], stream: 1, [0, 0, 0]), good),
        .init(
            "a priority of four bytes", Frame.bytes(.priority, [], stream: 1, [0, 0, 0, 0]), good),
        .init("a window of three bytes", Frame.bytes(.window, [], [0, 0, 1]), good),
        HostileFrames(
            "a frame larger than allowed", ok,
            Frame.bytes(.data, .end, stream: 1, Array(repeating: 0, count: 20_000))
        ).cut,
        HostileFrames(
            "a frame of 16 MB that does not come", ok, [0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 1]
        ).cut,
        HostileFrames("content of no stream", ok, Frame.data(users, stream: 0)).cut,
        .init("fields of no stream", Frame.fields(HPACK.ok, stream: 0)),
        .init("fields of a stream that nobody opened", Frame.fields(HPACK.ok, stream: 3)),
        .init("content of a stream that nobody opened", Frame.data(users, stream: 3)),
        .init("fields of a stream of the server's", Frame.fields(HPACK.ok, stream: 2)),
        .init(
            "the rest of fields that did not begin",
            Frame.bytes(.continuation, .endOfFields, stream: 1, HPACK.ok)),
        .init(
            "content between fields", Frame.bytes(.headers, [], stream: 1, HPACK.ok),
            Frame.data(users)),
        .init(
            "a ping between fields", Frame.bytes(.headers, [], stream: 1, HPACK.ok),
            Frame.bytes(.ping, [], Array(repeating: 0, count: 8)),
            Frame.bytes(.continuation, .endOfFields, stream: 1), Frame.data(users)),
        .init(
            "fields that go on for another stream", Frame.bytes(.headers, [], stream: 1, HPACK.ok),
            Frame.bytes(.continuation, .endOfFields, stream: 3)),
        HostileFrames(
            "more padding than there is", ok,
            Frame.bytes(.data, [.padded, .end], stream: 1, [9, 1, 2])
        ).cut,
        .init("more padding than fields", Frame.fields([9] + HPACK.ok, [.padded, .end])),
        HostileFrames(
            "padding of an empty frame", ok, Frame.bytes(.data, [.padded, .end], stream: 1)
        ).cut,
        .init("fields behind the end", good, ok, outcome: response),
        .init("content behind the end", good, Frame.data(users), outcome: .either),
        .init(
            "a stream that depends on itself", Frame.fields([0, 0, 0, 1, 1] + HPACK.ok, .priority),
            Frame.data(users), outcome: .either),
        .init("a priority cut short", Frame.fields([0, 0], .priority), Frame.data(users)),
    ]

    static let windows: [HostileFrames] = [
        .init("a window update of nothing", Frame.window(0), good),
        .init("a window update of nothing for the stream", Frame.window(0, stream: 1), good),
        .init(
            "a window that overflows", Frame.window(0x7FFF_FFFF), Frame.window(0x7FFF_FFFF), good),
        .init(
            "a stream's window that overflows", Frame.window(0x7FFF_FFFF, stream: 1),
            Frame.window(0x7FFF_FFFF, stream: 1), good),
        .init("a window of a stream that is not there", Frame.window(1, stream: 9), good),
        .init(
            "a window taken away", Frame.settings([(4, 0)]), Frame.settings([(4, 0x7FFF_FFFF)]),
            good,
            outcome: response),
    ]

    static let promises: [HostileFrames] = [
        .init(
            "a promise that nobody asked for",
            Frame.bytes(.promise, .endOfFields, stream: 1, [0, 0, 0, 2] + HPACK.ok), good),
        .init(
            "a promise of no stream",
            Frame.bytes(.promise, .endOfFields, stream: 0, [0, 0, 0, 2] + HPACK.ok), good),
        .init(
            "a promise of stream 0",
            Frame.bytes(.promise, .endOfFields, stream: 1, [0, 0, 0, 0] + HPACK.ok), good),
        .init("a promise cut short", Frame.bytes(.promise, .endOfFields, stream: 1, [0, 0]), good),
    ]
}
