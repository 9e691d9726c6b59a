import LarderTesting

/// The server's side of a connection of HTTP/2 by prior knowledge, as far as tests need it.
final class HTTP2Peer {
    struct Frame {
        let kind: UInt8
        let flags: HTTP2Frame.Flags
        let stream: UInt32
        let content: [UInt8]
    }

    private let connection: RawServer.Connection
    private var bytes: [UInt8] = []
    /// The content of requests that are not whole yet, by their streams.
    private var contents: [UInt32: [UInt8]] = [:]

    /// Reads the client's preface, and sends settings.
    init(
        _ connection: RawServer.Connection, greeting: [UInt8] = HTTP2Frame.settings()
    ) throws {
        self.connection = connection
        _ = try take(24)
        try connection.send(greeting)
    }

    func frame() throws -> Frame {
        let head = try take(9)
        let count = head[0..<3].reduce(0) { $0 << 8 | Int($1) }
        return Frame(
            kind: head[3], flags: .init(rawValue: head[4]),
            stream: head[5..<9].reduce(0) { $0 << 8 | UInt32($1) }, content: try take(count))
    }

    /// Reads up to the fields of the next request, which have to be in one frame, and returns its stream; settings and pings
    /// are acknowledged meanwhile.
    func request() throws -> UInt32 {
        while true {
            let frame = try frame()
            switch frame.kind {
            case HTTP2Frame.Kind.headers.rawValue: return frame.stream
            case HTTP2Frame.Kind.settings.rawValue where !frame.flags.contains(.acknowledgement):
                try send(HTTP2Frame.bytes(.settings, .acknowledgement))
            case HTTP2Frame.Kind.ping.rawValue where !frame.flags.contains(.acknowledgement):
                try send(HTTP2Frame.bytes(.ping, .acknowledgement, frame.content))
            default: break
            }
        }
    }

    /// Reads a request's content to its end.
    func readContent(of stream: UInt32) throws -> Int {
        var count = 0
        while true {
            let frame = try frame()
            guard frame.kind == HTTP2Frame.Kind.data.rawValue, frame.stream == stream else {
                continue
            }
            count += frame.content.count
            if frame.flags.contains(.end) { return count }
        }
    }

    /// Reads up to the end of the next request that is whole; others may be under way meanwhile.
    func wholeRequest() throws -> (stream: UInt32, content: String) {
        while true {
            let frame = try frame()
            switch frame.kind {
            case HTTP2Frame.Kind.headers.rawValue: contents[frame.stream] = []
            case HTTP2Frame.Kind.data.rawValue: contents[frame.stream]? += frame.content
            case HTTP2Frame.Kind.settings.rawValue where !frame.flags.contains(.acknowledgement):
                try send(HTTP2Frame.bytes(.settings, .acknowledgement))
            default: break
            }
            if frame.flags.contains(.end), let content = contents.removeValue(forKey: frame.stream)
            {
                return (frame.stream, String(decoding: content, as: UTF8.self))
            }
        }
    }

    func send(_ bytes: [UInt8]) throws { try connection.send(bytes) }

    func answer(_ stream: UInt32, _ text: String = "[]") throws {
        try send(
            HTTP2Frame.fields(HPACK.ok, stream: stream) + HTTP2Frame.data(text, stream: stream))
    }

    func waitForClose() { connection.waitForClose() }

    private func take(_ count: Int) throws -> [UInt8] {
        while bytes.count < count { bytes += try connection.read(atMost: 64 << 10) }
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }
}
