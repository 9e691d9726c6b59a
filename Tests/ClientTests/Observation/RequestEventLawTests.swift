import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// Random programs of requests, answers and cancellations, with observers that act on what they hear.
@Suite struct RequestEventLawTests {
    @Test(.timeLimit(.minutes(60)), arguments: 0..<200)
    func `each request begins once, ends once as its promise does, and all hear the same`(
        _ seed: UInt64
    ) async throws {
        var random = SplitMix(seed: seed)
        let world = try World(&random)
        let events = world.client.requestEvents(limit: 1_000_000)
        for _ in 0..<40 { world.step(&random) }
        world.drain()
        var told: [Int: [RequestEvent]] = [:]
        var ended = 0
        // What observers enqueue is known before the event is told here on which they do so.
        for await event in events {
            told[event.request, default: []].append(event)
            if event.isEnd { ended += 1 }
            if ended == world.promises.count { break }
        }
        let requests = told.keys.sorted()
        #expect(requests.count == world.promises.count, "seed \(seed)")
        for request in requests {
            let events = told[request] ?? []
            let words = events.map(\.word)
            #expect(Self.areInOrder(events), "seed \(seed): \(events)")
            for ears in world.ears {
                let heard = ears.values.filter { $0.request == request }.map(\.word)
                #expect(heard == words, "seed \(seed)")
            }
            // They came later, and are told after the sequence.
            for ears in world.lateEars.values {
                let heard = ears.values.filter { $0.request == request }.map(\.word)
                #expect(heard.isEmpty || heard.elementsEqual(words.prefix(heard.count)))
            }
            let number = try #require((events.first?.endpoint as? Numbered)?.number)
            let outcome = await world.promises.values[number].result
            #expect(words.last == Self.word(of: outcome), "seed \(seed): \(events)")
        }
        #expect(world.client.requestsInFlight.isEmpty, "seed \(seed)")
    }

    private static func word(of outcome: Result<Void, any Error>) -> String {
        switch outcome {
        case .success: "fulfilled"
        case .failure(is CancellationError): "cancelled"
        case .failure: "failed"
        }
    }

    /// Whether a request has come from step to step in an order that makes sense.
    private static func areInOrder(_ events: [RequestEvent]) -> Bool {
        var attempts = 0
        let afterwards: Set = ["received", "validated", "parsed", "stored"]
        for (index, event) in events.enumerated() {
            let isLast = index == events.count - 1
            let before = index == 0 ? nil : events[index - 1]
            switch event.kind {
            case .began: guard index == 0 else { return false }
            case .built: guard before?.word == "began" else { return false }
            case .sent(_, _, let attempt):
                attempts += 1
                guard attempt == attempts, before?.word != "began",
                    !afterwards.contains(before?.word ?? "")
                else {
                    return false
                }
            case .queued:
                guard ["sent", "redirected"].contains(before?.word) else { return false }
            case .redirected:
                guard attempts > 0, !afterwards.contains(before?.word ?? "") else { return false }
            case .received:
                guard attempts > 0, !afterwards.contains(before?.word ?? "") else { return false }
            case .validated: guard before?.word == "received" else { return false }
            case .parsed: guard before?.word == "validated" else { return false }
            case .stored: guard before?.word == "parsed" else { return false }
            case .fulfilled:
                // Data are neither parsed nor stored.
                guard isLast, ["validated", "stored"].contains(before?.word) else { return false }
            case .failed, .cancelled: guard isLast, index > 0 else { return false }
            }
            if let before, before.elapsed > event.elapsed { return false }
        }
        return events.last?.isEnd == true
    }
}

private struct Numbered: Endpoint {
    let number: Int
    let path: String
    let coalescing: Coalescing
}

/// A client, what it is answered, and observers that act at the numbers of events drawn for them.
private final class World: Sendable {
    private enum Action: CaseIterable {
        case cancelOwn, cancelAll, enqueue, observe
    }

    let client: Client
    let transport: HeldTransport
    let promises = Seen<Promise<Void>>()
    let ears = [Seen<RequestEvent>(), Seen(), Seen()]
    let lateEars = Seen<Seen<RequestEvent>>()
    private let flag: Flag
    /// How many requests observers may still enqueue.
    private let left = Guarded(6)

    init(_ random: inout SplitMix) throws {
        let flag = Flag()
        self.flag = flag
        transport = HeldTransport { transport, number in
            if flag.isUp { transport.end(number, .success(.json("[]"))) }
        }
        let isQueued = Bool.random(using: &random)
        let isRetried = Bool.random(using: &random)
        client = try TestClient.client(over: transport) {
            if isQueued {
                $0.queue = RequestQueue(maximumRequests: 3, maximumRequestsPerHost: 2)
            }
            if isRetried {
                $0.interceptors = [
                    RetryInterceptor(
                        attempts: 2, backoff: .constant(.zero), deadline: .seconds(3600))
                ]
            }
        }
        for own in ears {
            var actions: [Int: Action] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                actions[Int.random(in: 0..<80, using: &random)] =
                    Action.allCases.randomElement(using: &random)
            }
            let drawn = actions
            client.observeRequests(for: own) { [weak self] ears, event in
                if let action = drawn[ears.add(event)] { self?.act(action, on: event) }
            }
        }
    }

    /// Whether everything is answered at once.
    private final class Flag: Sendable {
        private let state = Guarded(false)
        var isUp: Bool { state.withLock(\.self) }
        func raise() { state.withLock { $0 = true } }
    }

    private func act(_ action: Action, on event: RequestEvent) {
        switch action {
        case .cancelOwn:
            guard let own = event.endpoint as? Numbered else { return }
            client.cancelAll { ($0 as? Numbered)?.number == own.number }
        case .cancelAll:
            client.cancelAll()
        case .enqueue:
            let mayEnqueue = left.withLock { left in
                left -= 1
                return left >= 0
            }
            if mayEnqueue { enqueue("a", .separate, isStored: false) }
        case .observe:
            let ears = Seen<RequestEvent>()
            lateEars.note(ears)
            client.observeRequests(for: ears) { $0.note($1) }
        }
    }

    func step(_ random: inout SplitMix) {
        let open = transport.open.randomElement(using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            let policy = [Coalescing.separate, .joining, .refusing].randomElement(using: &random)
            enqueue(
                Bool.random(using: &random) ? "a" : "b", policy ?? .separate,
                isStored: Bool.random(using: &random))
        case 4: if let open { transport.end(open, .success(.json("", status: .init(code: 503)))) }
        case 5: if let open { transport.end(open, .failure(.init(.connectionLost, "Lost."))) }
        case 6:
            guard let open else { return }
            let fields: HTTPFields = [.location: "/led"]
            transport.end(
                open, .success(.json("", status: .seeOther, headerFields: fields)))
        case 7: client.requestsInFlight.randomElement(using: &random)?.cancel()
        default: if let open { transport.end(open, .success(.json("[]"))) }
        }
    }

    private func enqueue(_ path: String, _ policy: Coalescing, isStored: Bool) {
        // The number is the promise's, whichever thread enqueues, and observers do so in between.
        let (promise, resolver) = Promise<Void>.pending()
        let number = promises.add(promise)
        let endpoint = Numbered(number: number, path: path, coalescing: policy)
        let enqueued: Promise<Void> =
            isStored
            ? client.enqueue(endpoint, as: Many<User>.self).asVoid()
            : client.enqueue(endpoint, as: Data.self).asVoid()
        resolver.resolve(with: enqueued)
    }

    /// Answers whatever is asked and will be.
    func drain() {
        flag.raise()
        for number in transport.open { transport.end(number, .success(.json("[]"))) }
    }
}
