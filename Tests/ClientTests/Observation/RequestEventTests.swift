import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@Suite struct RequestEventTests {
    /// An owner that notes what it hears.
    private final class Ears: Sendable {
        private let lines = Guarded<[String]>([])
        var heard: [String] { lines.withLock(\.self) }

        func hear(_ event: RequestEvent) {
            let text =
                switch event.kind {
                case .began: "began"
                case .built(let method, let url): "built \(method) \(url)"
                case .sent(let method, let url, let attempt): "sent \(attempt) \(method) \(url)"
                case .redirected(let method, let url): "redirected \(method) \(url)"
                case .received(let status, let count): "received \(status.code) \(count)"
                case .queued, .validated, .parsed: event.word
                case .stored(let report): "stored \(report["User"].inserted)"
                case .fulfilled(_, let report): "fulfilled \(report["User"].inserted)"
                case .failed(let error as ClientError): "failed \(error.status?.code ?? 0)"
                case .failed: "failed"
                case .cancelled: "cancelled"
                }
            lines.withLock { $0.append(text) }
        }
    }

    private struct Elsewhere: Endpoint { let path = "//other.example/a" }
    private struct Search: Endpoint { let path = "search?token=secret" }

    @Test func `a request that is stored tells of its way`() async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "ann"}]"#)
        let ears = Ears()
        client.observeRequests(for: ears) { $0.hear($1) }
        let users: Many<User> = try await client.enqueue(Search()).value
        #expect(try users.count == 1)
        #expect(
            ears.heard == [
                "began", "built GET http://test.invalid/search?token=…",
                "sent 1 GET http://test.invalid/search?token=…", "received 200 27",
                "validated", "parsed", "stored 1", "fulfilled 1",
            ])
    }

    @Test func `retries, redirects and failures are told`() async throws {
        let server = try await LoopbackServer()
        server.route(.get, "/a", .init(status: .found, headerFields: [.location: "/b"]))
        server.route(.get, "/b", .init(status: .serviceUnavailable))
        let client = try TestClient.client(at: server.baseURL) {
            $0.interceptors = [
                RetryInterceptor(attempts: 2, backoff: .constant(.zero), deadline: .seconds(3600))
            ]
        }
        let ears = Ears()
        client.observeRequests(for: ears) { $0.hear($1) }
        await #expect(throws: ClientError.self) {
            try await client.enqueue(.get("a"), as: Data.self).value
        }
        let base = "\(server.baseURL)"
        #expect(
            ears.heard.map { $0.replacing(base, with: "/") } == [
                "began", "built GET /a", "sent 1 GET /a", "redirected GET /b", "sent 2 GET /a",
                "redirected GET /b", "received 503 0", "failed 503",
            ])
        await server.stop()
    }

    @Test func `values of a type are told, whoever has asked for them`() async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "ann"}]"#)
        let (users, texts, all) = (Seen<Int>(), Seen<String>(), Seen<String>())
        final class Owner: Sendable {}
        var owner: Owner? = Owner()
        client.observeValues(for: try #require(owner)) { _, value in all.note(value) }
        client.observeValues(for: users, as: Many<User>.self) { seen, list in
            // It is in the store by now.
            if let count = try? list.count { seen.note(count) }
        }
        client.observeValues(for: texts) { seen, text in seen.note(text) }
        let list: Many<User> = try await client.enqueue(Search()).value
        let response: Response<Many<User>> = try await client.enqueue(Search()).value
        let text: String = try await client.configured { $0.timeout = .seconds(9) }
            .enqueue(Search()).value
        owner = nil
        let other: Response<String> = try await client.enqueue(Search()).value
        try await client.enqueue(Search(), as: Void.self).value
        #expect(try list.count == 1 && response.value.count == 1)
        #expect(users.values == [1, 1])
        #expect(texts.values == [text, other.value])
        #expect(all.values == [text])
    }

    @Test func `a cancelled request ends there, and nothing follows`() async throws {
        let transport = HeldTransport(cancelsAtOnce: false)
        let client = try TestClient.client(over: transport)
        let ears = Ears()
        client.observeRequests(for: ears) { $0.hear($1) }
        let promise: Promise<Many<User>> = client.enqueue(Search())
        promise.cancel()
        for number in transport.open { transport.end(number, .success(.json("[]"))) }
        await #expect(throws: CancellationError.self) { try await promise.value }
        #expect(ears.heard.last == "cancelled")
        #expect(ears.heard.filter { $0 == "cancelled" }.count == 1)
        #expect(!ears.heard.contains { $0.hasPrefix("received") || $0.hasPrefix("fulfilled") })
    }

    @Test func `a request that can't be built fails`() async throws {
        let client = try TestClient.client(answering: "[]")
        let ears = Ears()
        client.observeRequests(for: ears) { $0.hear($1) }
        await #expect(throws: ClientError.self) {
            try await client.enqueue(Elsewhere(), as: Data.self).value
        }
        #expect(ears.heard == ["began", "failed 0"])
    }

    @Test func `only endpoints of the type are told of, also of configured clients`() async throws {
        let client = try TestClient.client(answering: "[]")
        let ears = Ears()
        client.observeRequests(for: ears, of: Search.self) { $0.hear($1) }
        _ = try await client.enqueue(.get("a"), as: Data.self).value
        #expect(ears.heard == [])
        _ = try await client.configured { $0.timeout = .seconds(5) }
            .enqueue(Search(), as: Data.self).value
        #expect(ears.heard.count == 6)
    }

    @Test func `an owner is not kept, and hears nothing once it has gone`() async throws {
        let client = try TestClient.client(answering: "[]")
        let calls = Guarded(0)
        weak var weakOwner: Ears?
        do {
            let owner = Ears()
            weakOwner = owner
            client.observeRequests(for: owner) { _, _ in calls.withLock { $0 += 1 } }
        }
        #expect(weakOwner == nil)
        _ = try await client.enqueue(Search(), as: Data.self).value
        #expect(calls.withLock(\.self) == 0)
    }

    @Test func `events can be awaited, and two requests told apart`() async throws {
        let client = try TestClient.client(answering: "[]")
        let events = client.requestEvents { $0 is Search }
        async let first = client.enqueue(Search(), as: Data.self).value
        async let second = client.enqueue(Search(), as: Data.self).value
        _ = try await (first, second)
        var seen: [Int: [RequestEvent]] = [:]
        var ended = 0
        for await event in events {
            seen[event.request, default: []].append(event)
            if event.isEnd { ended += 1 }
            if ended == 2 { break }
        }
        #expect(seen.count == 2)
        for events in seen.values {
            #expect(events.count == 6)
            #expect(zip(events, events.dropFirst()).allSatisfy { $0.elapsed <= $1.elapsed })
            #expect(events.last?.isEnd == true)
            #expect(events.first?.isEnd == false)
        }
    }
}
