#if !canImport(Darwin)
import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Content that is read as it comes, over libcurl.
@Suite struct CurlTransportStreamTests {
    @Test func `a bomb is given up`() async throws {
        let bomb = Gzip.zeros(20_000)
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n"
            )
            try connection.send(bomb)
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL) {
            $0.limits.maximumCompressionRatio = 100
        }
        let error = await #expect(throws: ClientError.self) {
            for try await _ in client.stream(.get("x")) {}
        }
        #expect((error?.underlying as? TransportError)?.reason == .limitExceeded)
    }

    @Test(.enabled(if: ZstdDecoder.isAvailable))
    func `little that decodes to much is decoded as it is read`() async throws {
        let (begun, sent) = (Gate(), Gate())
        let noise = (0..<20).flatMap { _ in Zstd.stored([UInt8](repeating: 7, count: 128 << 10)) }
        let server = try RawServer { connection in
            _ = try connection.readRequest()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nConnection: close\r\n\r\n")
            try connection.send(noise)
            try begun.block()
            try connection.send(Zstd.zeros(200))
            sent.open()
        }
        defer { server.stop() }
        let client = try TestClient.client(at: server.baseURL)
        var parts = client.stream(.get("x")).makeAsyncIterator()
        var received = 0
        while received < 20 * 128 << 10 {
            received += try #require(try await parts.next()).count
        }
        begun.open()
        try await sent.wait()
        try await TransportStreamTests.passTime(requests: 100)
        var largest = 0
        while let part = try await parts.next() {
            received += part.count
            largest = max(largest, part.count)
        }
        #expect(received == 220 * 128 << 10)
        #expect(largest <= ContentPipe.capacity + 256 << 10)
    }

    @Test func `a byte now and then is no silence`() async throws {
        let ticks = (0..<11).map { _ in Gate() }
        let server = try RawServer { connection in
            let request = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n:")
            guard request.hasPrefix("GET /slow") else { return connection.waitForClose() }
            for tick in ticks {
                try tick.block()
                try connection.send("\n")
            }
            try connection.send("abcd")
        }
        defer { server.stop() }
        let silent = try TestClient.client(at: server.baseURL) { $0.idleTimeout = .seconds(1) }
        // More than a busy machine holds up any of them, and less than all of them take.
        let slow = try TestClient.client(at: server.baseURL) { $0.idleTimeout = .seconds(10) }
        let reading = Task {
            var received = Data()
            for try await part in slow.stream(.get("slow")) { received += part }
            return received
        }
        for tick in ticks {
            // A second or two.
            await #expect(throws: ClientError.self) {
                for try await _ in silent.stream(.get("x")) {}
            }
            tick.open()
        }
        let expected = ":" + String(repeating: "\n", count: ticks.count) + "abcd"
        #expect(try await reading.value == Data(expected.utf8))
    }

    @Test func `whatever is cancelled at random leaves no connection and no thread`() async throws {
        let begun = Guarded(0)
        let ended = Guarded(0)
        let server = try RawServer { connection in
            begun.withLock { $0 += 1 }
            defer { ended.withLock { $0 += 1 } }
            _ = try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let piece = "1000\r\n" + String(repeating: "a", count: 4096) + "\r\n"
            for _ in 0..<300 { try connection.send(piece) }
            connection.waitForClose()
        }
        defer { server.stop() }
        let name = "larder-streams"
        try await Self.cancelAtRandom(2000, at: server.baseURL, threadName: name)
        var remaining = 20_000_000
        while begun.withLock(\.self) > ended.withLock(\.self), remaining > 0 {
            remaining -= 1
            await Task.yield()
        }
        #expect(begun.withLock(\.self) == ended.withLock(\.self))
        // The transport has gone, and its thread goes once nothing is under way.
        remaining = 1000
        while CurlLoopTests.threadCount(named: name) > 0, remaining > 0 {
            remaining -= 1
            await Task.yield()
        }
        #expect(CurlLoopTests.threadCount(named: name) == 0)
    }

    private static func cancelAtRandom(
        _ count: Int, at url: URL, threadName: String
    ) async throws {
        let transport = CurlTransport(configuration: .init(threadName: threadName))
        let client = try TestClient.client(at: url) { $0.transport = transport }
        var random = SplitMix(seed: 7)
        for _ in 0..<(count / 20) {
            await withTaskGroup { group in
                for _ in 0..<20 {
                    let parts = Int.random(in: 0...6, using: &random)
                    let yields = Int.random(in: 0...200, using: &random)
                    group.addTask {
                        let reading = Task {
                            var iterator = client.stream(.get("x")).makeAsyncIterator()
                            for _ in 0..<parts { _ = try await iterator.next() }
                        }
                        for _ in 0..<yields { await Task.yield() }
                        reading.cancel()
                        _ = await reading.result
                    }
                }
            }
        }
        #expect(client.requestsInFlight.isEmpty)
    }
}
#endif
