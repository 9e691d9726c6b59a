import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Content that is read as it comes, over sockets.
@Suite(.platformTransport) struct TransportStreamTests {
    /// A server that sends zeros, and counts what it could.
    private final class Source: Sendable {
        let sent = Guarded(0)
        /// Opened when a connection has ended.
        let ended = Gate()

        func serve(_ connection: RawServer.Connection, _ count: Int) throws {
            defer { ended.open() }
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
            let piece = [UInt8](repeating: 0, count: 64 << 10)
            for _ in 0..<(count / piece.count) {
                try connection.send(piece)
                sent.withLock { $0 += piece.count }
            }
            connection.waitForClose()
        }
    }

    /// Sends ordinary requests over the same transport, which come to their end, and in whose time a server could send
    /// what there is room for.
    static func passTime(requests: Int = 500) async throws {
        let server = try RawServer { connection in
            while true {
                _ = try connection.readRequest()
                try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
            }
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        for _ in 0..<requests { _ = try await client.enqueue(.get("x"), as: Data.self).value }
    }

    @Test func `a server has to wait for who does not read, and then sends the rest`() async throws
    {
        let count = 64 << 20
        let source = Source()
        let server = try RawServer { try source.serve($0, count) }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        var parts = client.stream(.get("x")).makeAsyncIterator()
        var received = try #require(try await parts.next()).count
        try await Self.passTime()
        // What is held here, and in the buffers of two sockets.
        #expect(source.sent.withLock(\.self) < 20 << 20)
        var largest = 0
        while let part = try await parts.next() {
            received += part.count
            largest = max(largest, part.count)
        }
        #expect(received == count)
        #expect(largest <= max(ContentBlocks.size, 2 * ContentPipe.capacity + 16 << 10))
    }

    @Test func `cancelling while the server waits ends the connection`() async throws {
        let source = Source()
        let server = try RawServer { try source.serve($0, 64 << 20) }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        var parts: ResponseStream<Data>.AsyncIterator? = client.stream(.get("x"))
            .makeAsyncIterator()
        #expect(try await parts?.next() != nil)
        try await Self.passTime(requests: 100)
        #expect(!source.ended.isOpen)
        parts = nil
        try await source.ended.wait()
    }

    @Test func `cancelling the task that waits ends the connection`() async throws {
        let (begun, ended) = (Gate(), Gate())
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            begun.open()
            connection.waitForClose()
            ended.open()
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        let first = Gate()
        let reading = Task {
            for try await _ in client.stream(.get("x")) { first.open() }
        }
        try await first.wait()
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try await ended.wait()
    }

    @Test(arguments: [
        ("Content-Length: 9\r\n\r\nabc", TransportError.Reason.truncatedBody),
        ("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", .truncatedBody),
        ("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nx\r\n", .malformedResponse),
    ])
    func `content that is cut off ends in an error`(
        _ rest: String, _ reason: TransportError.Reason
    ) async throws {
        let server = try RawServer(sending: "HTTP/1.1 200 OK\r\n\(rest)")
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        var parts = client.stream(.get("x")).makeAsyncIterator()
        #expect(try await parts.next() == Data("abc".utf8))
        let error = await #expect(throws: ClientError.self) { try await parts.next() }
        #expect((error?.underlying as? TransportError)?.reason == reason)
        #expect(error?.status == .ok && error?.url == "\(server.baseURL)x")
        #expect(try await parts.next() == nil)
    }

    @Test func `gzip is decoded as it comes, and its end checked`() async throws {
        let content = [UInt8](repeating: 65, count: 200_000)
        let coded = Gzip.stored(content)
        for isWhole in [true, false] {
            let sent = isWhole ? coded : Array(coded.dropLast(4))
            let server = try RawServer { connection in
                _ = try connection.readRequest()
                try connection.send(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(sent.count)\r\n\r\n"
                )
                try connection.send(sent)
            }
            let client = try TestClient.client(at: server.baseURL)
            var received = Data()
            do {
                for try await part in client.stream(.get("x")) { received += part }
                #expect(isWhole)
            } catch let error as ClientError {
                #expect(!isWhole)
                #expect((error.underlying as? TransportError)?.reason == .truncatedBody)
            }
            #expect(received == Data(content))
            server.stop()
        }
    }

    @Test(arguments: ["Content-Length: 6\r\n", ""])
    func `a limit is one on what comes`(_ field: String) async throws {
        let server = try RawServer(
            sending: "HTTP/1.1 200 OK\r\n\(field)Connection: close\r\n\r\nabcdef")
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL) { $0.limits.maximumBodySize = 1 }
        let error = await #expect(throws: ClientError.self) {
            for try await _ in client.stream(.get("x"), maximumSize: 5) {}
        }
        #expect((error?.underlying as? TransportError)?.reason == .limitExceeded)
        var received = Data()
        for try await part in client.stream(.get("x"), maximumSize: 6) { received += part }
        #expect(received == Data("abcdef".utf8))
    }

    @Test func `silence ends it, but not while the server waits for its reader`() async throws {
        let source = Source()
        let server = try RawServer { try source.serve($0, 64 << 20) }
        let hole = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
            connection.waitForClose()
        }
        defer {
            server.stop()
            hole.stop()
        }
        let client = try TestClient.client(at: server.baseURL) { $0.idleTimeout = .seconds(1) }
        let silent = try TestClient.client(at: hole.baseURL) { $0.idleTimeout = .seconds(3) }
        var parts = client.stream(.get("x")).makeAsyncIterator()
        var received = try #require(try await parts.next()).count
        var others = silent.stream(.get("x")).makeAsyncIterator()
        #expect(try await others.next() == Data("abc".utf8))
        // Three seconds, in which nobody reads the first one.
        let error = await #expect(throws: ClientError.self) { try await others.next() }
        #expect((error?.underlying as? TransportError)?.reason == .timedOut)
        while let part = try await parts.next() { received += part.count }
        #expect(received == 64 << 20)
    }

    @Test func `20 streams hold up no other requests`() async throws {
        let source = Source()
        let server = try RawServer { try source.serve($0, 16 << 20) }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        var streams: [ResponseStream<Data>.AsyncIterator] = []
        for _ in 0..<20 {
            var parts = client.stream(.get("x")).makeAsyncIterator()
            #expect(try await parts.next() != nil)
            streams.append(parts)
        }
        try await Self.passTime(requests: 200)
        for var parts in streams {
            var received = 0
            while let part = try await parts.next() { received += part.count }
            #expect(received > 15 << 20)
        }
    }
}
