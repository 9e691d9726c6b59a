import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Suite struct WalkedSequenceTests {
    /// Makes a new body each time that it is asked for it, of the same stream.
    private struct Recording: Endpoint {
        let parts: AsyncStream<Data>
        var way = Way.asItIs
        let method = HTTPRequest.Method.post
        let path = "recordings"
        var body: RequestBody? {
            switch way {
            case .asItIs: .stream(parts)
            case .mapped: .stream(parts.map(\.self).filter { !$0.isEmpty })
            case .flat:
                .stream(
                    parts.flatMap { part in
                        AsyncStream {
                            $0.yield(part); $0.finish()
                        }
                    })
            case .withoutFirst: .stream(parts.dropFirst(0).drop { $0.isEmpty })
            case .throwing: .stream(parts.map { part throws in try Self.refuse(part) })
            }
        }

        enum Way: CaseIterable { case asItIs, mapped, flat, withoutFirst, throwing }

        private static func refuse(_ part: Data) throws -> Data {
            if part.first == UInt8(ascii: "!") { throw CancellationError() }
            return part
        }
    }

    private static func stream(_ texts: String...) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
    }

    @Test(arguments: Recording.Way.allCases)
    private func `a stream is not sent empty by another body that is made of it`(
        _ way: Recording.Way
    ) async throws {
        let transport = StubTransport { _ in throw TransportError(.connectionLost, "Cut.") }
        let client = try TestClient.client(over: transport)
        let recording = Recording(parts: Self.stream("voice"), way: way)
        let promise = Promise<Void>.retry(attempts: 3, backoff: .none) {
            client.enqueue(recording)
        }
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .invalidRequest)
        #expect("\(error as Any)".contains("can be walked once"))
        #expect(transport.requests.map(\.body) == [Data("voice".utf8)])
    }

    /// What its walk has had by then is in no other one.
    @Test(arguments: 0..<50)
    func `so it is where the first one was cancelled while it was gathered`(_: Int) async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let (parts, continuation) = AsyncStream.makeStream(of: Data.self)
        for text in ["v", "oi", "ce"] { continuation.yield(Data(text.utf8)) }
        let ended = Gate()
        continuation.onTermination = { _ in ended.open() }
        let recording = Recording(parts: parts)
        let first: Promise<Void> = client.enqueue(recording)
        first.cancel()
        try await ended.wait()
        await #expect(throws: CancellationError.self) { try await first.value }
        let second: Promise<Void> = client.enqueue(recording)
        let error = await #expect(throws: ClientError.self) { try await second.value }
        #expect(error?.reason == .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test func `so it is where what maps it has thrown at its first element`() async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let recording = Recording(parts: Self.stream("!", "a", "b"), way: .throwing)
        for _ in 0..<2 {
            let promise: Promise<Void> = client.enqueue(recording)
            await #expect(throws: (any Error).self) { try await promise.value }
        }
        #expect(transport.requests.isEmpty)
    }

    /// Where the last reference to a stream is the one that is taken for a moment.
    @Test func `the end of another stream is told behind the lock`() async throws {
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    for _ in 0..<2_000 {
                        let parts = AsyncStream<Data> { continuation in
                            continuation.onTermination = { _ in
                                _ = RequestBody.stream(AsyncStream<Data> { $0.finish() })
                            }
                        }
                        _ = RequestBody.stream(parts)
                    }
                }
            }
        }
    }

    /// Each would have a part of it, and both would be as good as sent.
    @Test(arguments: [false, true])
    func `a stream is no other request's while one gathers it`(_ isSameBody: Bool) async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let (parts, continuation) = AsyncStream.makeStream(of: Data.self)
        continuation.yield(Data("voi".utf8))
        let body = RequestBody.stream(parts)
        let first: Promise<Void> = client.enqueue(.post("x", body: body))
        let second: Promise<Void> = client.enqueue(
            .post("y", body: isSameBody ? body : .stream(parts)))
        // Whichever of them is the later.
        while first.isPending, second.isPending { await Task.yield() }
        continuation.yield(Data("ce".utf8))
        continuation.finish()
        let errors = await [first.result, second.result].compactMap { result -> ClientError? in
            guard case .failure(let error) = result else { return nil }
            return error as? ClientError
        }
        #expect(errors.map(\.reason) == [.invalidRequest])
        #expect("\(errors)".contains("can be walked once"))
        #expect(transport.requests.map(\.body) == [Data("voice".utf8)])
    }

    /// The next one may lie where one before it lay.
    @Test func `each new stream is sent, and an empty one, too`() async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        for number in 0..<50 {
            try await client.enqueue(Recording(parts: Self.stream("\(number)")), as: Void.self)
                .value
            try await client.enqueue(Recording(parts: Self.stream()), as: Void.self).value
        }
        let expected = (0..<50).flatMap { [Data("\($0)".utf8), Data()] }
        #expect(transport.requests.map { $0.body ?? Data() } == expected)
    }

    /// What takes but some of a stream's elements goes on there next time.
    @Test func `parts of a stream are sent by one request each`() async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        let parts = Self.stream("a", "b", "c")
        for _ in 0..<3 {
            try await client.enqueue(
                .post("x", body: .stream(parts.prefix(1))), as: Void.self
            ).value
        }
        #expect(transport.requests.map(\.body) == ["a", "b", "c"].map { Data($0.utf8) })
    }
}
