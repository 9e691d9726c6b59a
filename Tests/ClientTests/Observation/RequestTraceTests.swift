import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// The steps of a request's way, in their order, with what is known of their times.
@Suite struct RequestTraceTests {
    /// An owner that notes what it hears.
    private final class Ears: Sendable {
        private let events = Seen<RequestEvent>()
        var all: [RequestEvent] { events.values }
        var words: [String] { all.map(\.word) }

        func hear(_ event: RequestEvent) { events.note(event) }

        /// The words of the requests for a path.
        func words(of path: String) -> [String] {
            all.filter { ($0.endpoint as? Resource)?.path == path }.map(\.word)
        }
    }

    private struct Titled: Decodable { var login: String }

    private static let begun = ["began", "built", "sent", "received"]

    private static func hearing(_ client: Client) -> Ears {
        let ears = Ears()
        client.observeRequests(for: ears) { $0.hear($1) }
        return ears
    }

    private static func client(answering text: String) throws -> (Client, Ears) {
        let client = try TestClient.client(answering: text)
        return (client, hearing(client))
    }

    // MARK: - The queue

    /// Whatever other threads, or the observer's own, are just sending.
    @Test func `just those are queued there is no room for, however many come at once`()
        async throws
    {
        let (limit, threads, each) = (40, 8, 20)
        let transport = HeldTransport()
        let queue = RequestQueue(maximumRequests: limit, maximumRequestsPerHost: limit)
        let client = try TestClient.client(over: transport) { $0.queue = queue }
        let ears = Self.hearing(client)
        let promises = Seen<Promise<Data>>()
        let gates = (0..<threads).map { _ in Gate() }
        for gate in gates {
            Thread.detachNewThread {
                for _ in 0..<each { promises.note(client.enqueue(Resource("a"), as: Data.self)) }
                gate.open()
            }
        }
        for gate in gates { try await gate.wait() }
        let all = threads * each
        #expect(queue.underWayCount == limit && queue.waitingCount == all - limit)
        #expect(ears.words.count { $0 == "queued" } == all - limit)
        for number in 0..<all { transport.end(number, .success(.json("[]"))) }
        for promise in promises.values { _ = try await promise.value }
        #expect(queue.underWayCount == 0 && queue.waitingCount == 0)
        let ends = ears.all.filter(\.isEnd)
        #expect(ends.count == all && ends.count { $0.timings.queue != nil } == all - limit)
    }

    @Test func `what an observer enqueues where there is room is not queued`() async throws {
        let transport = HeldTransport { $0.end($1, .success(.json("[]"))) }
        let client = try TestClient.client(over: transport) { $0.queue = RequestQueue() }
        let ears = Self.hearing(client)
        let inner = Seen<Promise<Data>>()
        client.observeRequests(for: ears) { _, event in
            guard case .received = event.kind, inner.count == 0 else { return }
            inner.note(client.enqueue(Resource("b"), as: Data.self))
        }
        _ = try await client.enqueue(Resource("a"), as: Data.self).value
        _ = try await #require(inner.values.first).value
        #expect(ears.words(of: "b") == Self.begun + ["validated", "fulfilled"])
    }

    // MARK: - Steps

    @Test func `what is stored is validated, parsed and committed first`() async throws {
        let (client, ears) = try Self.client(answering: #"[{"id": 1, "login": "ann"}]"#)
        _ = try await client.enqueue(Resource("a"), as: Many<User>.self).value
        #expect(ears.words == Self.begun + ["validated", "parsed", "stored", "fulfilled"])
        guard case .stored(let report) = ears.all[5].kind else { return }
        #expect(report["User"].inserted == 1)
        #expect(ears.all[5].timings.store != nil && ears.all[4].timings.store == nil)
    }

    @Test func `what is decoded is not stored, and what is taken as it is not parsed`()
        async throws
    {
        let (client, ears) = try Self.client(answering: #"[{"login": "ann"}]"#)
        _ = try await client.enqueue(Resource("a"), as: [Titled].self).value
        _ = try await client.enqueue(Resource("b"), as: Data.self).value
        let storing = ResponseSerializer<[Titled]>.decoded().storing { context, titles in
            try context.save(Tag(name: titles.map(\.login).joined()))
        }
        _ = try await client.enqueue(Resource("c"), serializer: storing).value
        #expect(ears.words(of: "a") == Self.begun + ["validated", "parsed", "fulfilled"])
        #expect(ears.words(of: "b") == Self.begun + ["validated", "fulfilled"])
        #expect(ears.words(of: "c") == Self.begun + ["validated", "parsed", "stored", "fulfilled"])
        #expect(ears.all.filter { $0.timings.store != nil }.count == 2)
    }

    @Test func `a request that fails has come as far as it is told`() async throws {
        func words(
            _ text: String, _ configure: (inout Client.Configuration) -> Void = { _ in }
        ) async throws -> [String] {
            let client = try TestClient.client(over: StubTransport(.json(text)), configure)
            let ears = Self.hearing(client)
            let promise: Promise<Many<User>> = client.enqueue(Resource("a"))
            await #expect(throws: ClientError.self) { try await promise.value }
            return ears.words
        }
        let refused = try await words("[]") {
            $0.validators = [Validator { _, _ in throw TokenRefused() }]
        }
        #expect(refused == Self.begun + ["failed"])
        let unprocessed = try await words("[]") {
            $0.processors = [ResponseProcessor { _, _ in throw TokenRefused() }]
        }
        #expect(unprocessed == Self.begun + ["failed"])
        #expect(try await words("[") == Self.begun + ["validated", "failed"])
        let unfit = try await words(#"[{"id": 1, "login": 7}]"#)
        #expect(unfit == Self.begun + ["validated", "parsed", "failed"])
    }

    @Test func `without content nothing is parsed or stored`() async throws {
        let (client, ears) = try Self.client(answering: "")
        let user: User? = try await client.enqueue(Resource("a")).value
        #expect(user == nil)
        #expect(ears.words == Self.begun + ["validated", "fulfilled"])
    }

    @Test func `an observer may write to the store at every step`() async throws {
        let client = try TestClient.client(answering: #"[{"id": 1, "login": "ann"}]"#)
        let ears = Ears()
        let store = client.store
        client.observeRequests(for: ears) { ears, event in
            ears.hear(event)
            do { try store.save(Tag(name: event.word)) } catch { Issue.record(error) }
        }
        _ = try await client.enqueue(Resource("a"), as: Many<User>.self).value
        #expect(try store.count(Tag.all) == ears.words.count)
    }

    @Test func `responses that share a transaction each tell of their own way`() async throws {
        let client = try TestClient.client(
            over: StubTransport { request in
                .json(#"[{"id": \#(request.head.path?.dropFirst() ?? ""), "login": "a"}]"#)
            })
        let (isHeld, goOn) = (Gate(), Gate())
        let holding = client.enqueue(Resource("99"), as: Many<User>.self) { _, _ in
            isHeld.open()
            try goOn.block()
        }
        try await isHeld.wait()
        let ears = Ears()
        let areRead = Gate()
        client.observeRequests(for: ears) { ears, event in
            ears.hear(event)
            if ears.words.count(where: { $0 == "parsed" }) == 10 { areRead.open() }
        }
        let promises = (0..<10).map { client.enqueue(Resource("\($0)"), as: Many<User>.self) }
        try await areRead.wait()
        goOn.open()
        _ = try await holding.value
        for promise in promises { _ = try await promise.value }
        for number in 0..<10 {
            let words = ears.words(of: "\(number)")
            #expect(words == Self.begun + ["validated", "parsed", "stored", "fulfilled"])
        }
        let ends = ears.all.filter(\.isEnd)
        #expect(ends.count == 10)
        for end in ends {
            let store = try #require(end.timings.store)
            #expect(store > .zero && store <= end.elapsed)
        }
    }

    @Test func `a line says what has happened`() async throws {
        let (client, ears) = try Self.client(answering: #"[{"id": 1, "login": "ann"}]"#)
        _ = try await client.enqueue(Resource("a"), as: Many<User>.self).value
        let lines = ears.all.map { "\($0)".split(separator: ": ").last ?? "" }
        #expect(lines.suffix(4) == ["validated", "parsed", "stored, 1 written", "fulfilled"])
    }

    @Test func `what is told is of the last attempt`() async throws {
        var timings = RequestTimings()
        timings.firstByte = .milliseconds(5)
        var failure = TransportResponse.json("", status: .serviceUnavailable)
        failure.timings = timings
        let client = try TestClient.client(
            over: StubTransport(routes: [.get("a", .response(failure), .json("[]"))])
        ) {
            $0.interceptors = [
                RetryInterceptor(attempts: 2, backoff: .constant(.zero), deadline: .seconds(3600))
            ]
        }
        let ears = Self.hearing(client)
        _ = try await client.enqueue(Resource("a"), as: Data.self).value
        #expect(
            ears.words == ["began", "built", "sent", "sent", "received", "validated", "fulfilled"])
        #expect(ears.all.allSatisfy { $0.timings == RequestTimings() })
    }

    // MARK: - The queue

    private static func queued(
        over transport: HeldTransport, _ configure: (inout Client.Configuration) -> Void = { _ in }
    ) throws -> (Client, Ears) {
        let client = try TestClient.client(over: transport) {
            $0.queue = RequestQueue(maximumRequests: 1)
            configure(&$0)
        }
        return (client, hearing(client))
    }

    @Test func `one that waits in the queue is told to, and for how long`() async throws {
        let transport = HeldTransport()
        let (client, ears) = try Self.queued(over: transport)
        let first = client.enqueue(Resource("a"), as: Data.self)
        let second = client.enqueue(Resource("b"), as: Data.self)
        #expect(ears.words == ["began", "built", "sent", "began", "built", "sent", "queued"])
        transport.end(0, .success(.json("[]")))
        transport.end(1, .success(.json("[]")))
        _ = try await (first.value, second.value)
        #expect(ears.words(of: "a") == Self.begun + ["validated", "fulfilled"])
        let way = ["began", "built", "sent", "queued", "received", "validated", "fulfilled"]
        #expect(ears.words(of: "b") == way)
        for event in ears.all {
            let isSecond = (event.endpoint as? Resource)?.path == "b"
            let hasWaited = isSecond && !["began", "built", "sent"].contains(event.word)
            #expect((event.timings.queue != nil) == hasWaited, "\(event)")
        }
    }

    @Test func `one that is cancelled in the queue has waited until then`() async throws {
        let transport = HeldTransport()
        let (client, ears) = try Self.queued(over: transport)
        let first = client.enqueue(Resource("a"), as: Data.self)
        let second = client.enqueue(Resource("b"), as: Data.self)
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        #expect(ears.words(of: "b") == ["began", "built", "sent", "queued", "cancelled"])
        #expect(ears.all.last?.timings.queue != nil)
        transport.end(0, .success(.json("[]")))
        _ = try await first.value
    }

    @Test func `those who share an exchange wait with it`() async throws {
        let transport = HeldTransport()
        let (client, ears) = try Self.queued(over: transport) { $0.coalescing = .joining }
        let first = client.enqueue(Resource("a"), as: Data.self)
        let others = (0..<2).map { _ in client.enqueue(Resource("b"), as: Data.self) }
        transport.end(0, .success(.json("[]")))
        let late = client.enqueue(Resource("b"), as: Data.self)
        transport.end(1, .success(.json("[]")))
        for promise in [first, late] + others { _ = try await promise.value }
        let requests = Set(
            ears.all.filter { ($0.endpoint as? Resource)?.path == "b" }.map(\.request))
        let waits = requests.sorted().map { request in
            ears.all.contains { $0.request == request && $0.word == "queued" }
        }
        #expect(waits == [true, true, false])
        let queues = requests.sorted().map { request in
            ears.all.last { $0.request == request }?.timings.queue != nil
        }
        #expect(queues == waits)
    }
}
