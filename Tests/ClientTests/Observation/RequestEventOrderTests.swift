import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// What observers hear that act on what they hear, and what holds of a request that has ended.
@Suite struct RequestEventOrderTests {
    /// An owner that notes what it hears.
    private final class Ears: Sendable {
        private let events = Seen<RequestEvent>()
        var words: [String] { events.values.map(\.word) }

        func hear(_ event: RequestEvent) { events.note(event) }
    }

    @Test func `what an observer brings about is told to all after what it heard`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let (first, second) = (Ears(), Ears())
        client.observeRequests(for: first) { [weak client] ears, event in
            ears.hear(event)
            if event.word == "sent" { client?.cancelAll() }
        }
        client.observeRequests(for: second) { $0.hear($1) }
        let promise = client.enqueue(.get("a"), as: Data.self)
        await #expect(throws: CancellationError.self) { try await promise.value }
        #expect(first.words == ["began", "built", "sent", "cancelled"])
        #expect(second.words == ["began", "built", "sent", "cancelled"])
        #expect(transport.open.isEmpty)
    }

    @Test func `an observer that cancels what begins is told so, and nothing is sent`() async throws
    {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let (first, second) = (Ears(), Ears())
        client.observeRequests(for: first) { [weak client] ears, event in
            ears.hear(event)
            if event.word == "began" { client?.cancelAll() }
        }
        client.observeRequests(for: second) { $0.hear($1) }
        for endpoint in [AdHocEndpoint.get("a"), .post("a", body: .text("b"))] {
            let promise = client.enqueue(endpoint, as: Data.self)
            await #expect(throws: CancellationError.self) { try await promise.value }
        }
        #expect(first.words == ["began", "cancelled", "began", "cancelled"])
        #expect(second.words == first.words)
        #expect(transport.requests.isEmpty)
    }

    @Test func `what an observer enqueues is told by itself`() async throws {
        let client = try TestClient.client(answering: "[]")
        let ears = Ears()
        client.observeRequests(for: ears) { [weak client] ears, event in
            ears.hear(event)
            if event.word == "began", event.endpoint is Resource {
                client?.enqueue(.get("inner"))
            }
        }
        let events = client.requestEvents()
        try await client.enqueue(Resource("outer")).value
        var words: [Int: [String]] = [:]
        var ended = 0
        for await event in events {
            words[event.request, default: []].append(event.word)
            if event.isEnd { ended += 1 }
            if ended == 2 { break }
        }
        let way = ["began", "built", "sent", "received", "validated", "parsed", "fulfilled"]
        #expect(Array(words.values) == [way, way])
    }

    /// Answers to `ok` and `bad`, and none to `held`.
    private static func client() throws -> Client {
        let routes: [StubRoute] = [
            .get("ok", .json("[]")), .get("bad", .status(500)),
            .get("held", .json("[]").after(.seconds(1))),
        ]
        return try TestClient.client(over: StubTransport(routes: routes, clock: ManualClock()))
    }

    @Test(arguments: ["ok", "bad"])
    func `what has been told to have ended ends so, though it is cancelled`(
        _ path: String
    ) async throws {
        let client = try Self.client()
        let requests = Seen<RequestInFlight>()
        let ears = Ears()
        client.observeRequests(for: ears) { [weak client] ears, event in
            ears.hear(event)
            if event.word == "began" { client?.requestsInFlight.forEach(requests.note) }
            if event.isEnd { requests.values.last?.cancel() }
        }
        let decoded = client.enqueue(Resource(path), as: Data.self)
        let outcome = await decoded.result
        let stored: Promise<Many<User>> = client.enqueue(Resource(path))
        let storedOutcome = await stored.result
        #expect(requests.count == 2)
        if path == "ok" {
            #expect(ears.words.filter { $0 == "fulfilled" }.count == 2)
            #expect((try? outcome.get()) == Data("[]".utf8))
            #expect((try? storedOutcome.get()) != nil)
        } else {
            #expect(ears.words.filter { $0 == "failed" }.count == 2)
            #expect(throws: ClientError.self) { try outcome.get() }
            #expect(throws: ClientError.self) { try storedOutcome.get() }
        }
    }

    @Test func `a request whose end is told is in flight no more`() async throws {
        let client = try Self.client()
        let counts = Seen<Int>()
        let ears = Ears()
        client.observeRequests(for: ears) { [weak client] ears, event in
            ears.hear(event)
            if event.isEnd { counts.note(client?.requestsInFlight.count ?? -1) }
        }
        _ = try await client.enqueue(Resource("ok"), as: Data.self).value
        let stored: Promise<Many<User>> = client.enqueue(Resource("ok"))
        _ = try await stored.value
        let bad = client.enqueue(Resource("bad"), as: Data.self)
        await #expect(throws: ClientError.self) { try await bad.value }
        let unfit = client.enqueue(Resource("//other.example/a"), as: Data.self)
        await #expect(throws: ClientError.self) { try await unfit.value }
        let held = client.enqueue(Resource("held"), as: Data.self)
        held.cancel()
        await #expect(throws: CancellationError.self) { try await held.value }
        #expect(ears.words.filter { ["fulfilled", "failed", "cancelled"].contains($0) }.count == 5)
        #expect(counts.values == [0, 0, 0, 0, 0])
    }

    // MARK: - Sequences and owners that go

    @Test(.timeLimit(.minutes(60)))
    func `a sequence ends with its client, and has what was told before`() async throws {
        var client: Client? = try TestClient.client(answering: "[]")
        var copy = client?.configured { $0.timeout = .seconds(5) }
        let events = try #require(client?.requestEvents())
        _ = try await client?.enqueue(.get("a"), as: Data.self).value
        client = nil
        _ = try await copy?.enqueue(.get("a"), as: Data.self).value
        copy = nil
        var words: [String] = []
        for await event in events { words.append(event.word) }
        let way = ["began", "built", "sent", "received", "validated", "fulfilled"]
        #expect(words == way + way)
    }

    @Test func `a sequence that is let go is not kept`() throws {
        final class Mark: Sendable {}
        let client = try TestClient.client(answering: "[]")
        weak var kept: Mark?
        var events: AsyncStream<RequestEvent>?
        do {
            let mark = Mark()
            kept = mark
            events = client.requestEvents { _ in
                withExtendedLifetime(mark) {}
                return true
            }
        }
        #expect(kept != nil)
        withExtendedLifetime(events) {}
        events = nil
        #expect(kept == nil)
    }

    @Test(.timeLimit(.minutes(60)))
    func `very many owners that have gone hold nothing up`() async throws {
        let client = try TestClient.client(answering: "[]")
        for _ in 0..<40_000 { client.observeRequests(for: Ears()) { $0.hear($1) } }
        let ears = Ears()
        client.observeRequests(for: ears) { $0.hear($1) }
        try await client.enqueue(.get("a")).value
        let way = ["began", "built", "sent", "received", "validated", "parsed", "fulfilled"]
        #expect(ears.words == way)
    }
}
