import Dispatch
import FaultVFS
import Foundation
import LarderClient
import LarderObjectStore
import LarderPromises

/// Requests of a client alone in its process that are cancelled at random moments, and what they leave behind.
///
/// The server answers `users` at once, `large` with 4 MiB, `endless` for ever, and `silent` never.
struct CancelRun {
    private static let paths: [URLPath] = ["users", "users", "users", "large", "endless", "silent"]
    private static let threadCount = 4
    private static let threadName = "cancelled"
    private let workplace: Workplace
    private let store: Store
    private let url: URL

    init(at text: String) throws {
        guard let url = URL(string: text) else { throw Wrong("no URL: \(text)") }
        self.url = url
        workplace = try Workplace()
        store = try Store(at: workplace.path, entities: User.self)
    }

    /// Enqueues requests, cancels them, and says in a line how many were answered before that, and by how many
    /// kilobytes memory has grown.
    ///
    /// - Throws: `Wrong` where one of them does not settle once, or leaves something behind.
    func run(count: Int, seed: UInt64) throws {
        // Some things come but once.
        _ = try perform(max(count / 5, 400), seed: seed &+ 17)
        let (files, memory) = (ProcessStatus.descriptorCount, Self.memoryInUse)
        let answered = try perform(count, seed: seed)
        let (filesAfter, memoryAfter) = (ProcessStatus.descriptorCount, Self.memoryInUse)
        guard filesAfter == files else { throw Wrong("\(filesAfter) files are open, not \(files)") }
        try store.close()
        if let damage = try Database(path: workplace.path).damage() { throw Wrong(damage) }
        print(count, answered, memoryAfter - memory)
    }

    /// In kilobytes, once those have let go of theirs who were at work when it was cancelled; nothing where nobody tells.
    private static var memoryInUse: Int {
        var least = Int.max
        var calm = 0
        while calm < 50 {
            usleep(10_000)
            larder_release_free_memory()
            let now = ProcessStatus.kilobytes("VmRSS") ?? 0
            calm = now < least ? 0 : calm + 1
            least = min(least, now)
        }
        return least
    }

    /// Returns the number of requests that were answered before they were cancelled.
    private func perform(_ count: Int, seed: UInt64) throws -> Int {
        let tally = CancelTally()
        try fetchAndCancel(count, seed: seed, tally)
        // The transport has been let go; its thread goes with the last connection.
        for _ in 0..<30_000 where ProcessStatus.threadCount(named: Self.threadName) > 0 {
            usleep(1000)
        }
        guard ProcessStatus.threadCount(named: Self.threadName) == 0 else {
            throw Wrong("the transport's thread is still there")
        }
        return try tally.answered(of: count)
    }

    private func fetchAndCancel(_ count: Int, seed: UInt64, _ tally: CancelTally) throws {
        let client = Client(
            baseURL: url, store: store,
            configuration: Client.Configuration(
                transport: ExchangeRun.transport(threadName: Self.threadName),
                timeout: .seconds(600)))
        DispatchQueue.concurrentPerform(iterations: Self.threadCount) { thread in
            var generator = Generator(state: seed &+ UInt64(thread) &* 1_000_003)
            let numbers = (0..<count).filter { $0 % Self.threadCount == thread }
            for first in stride(from: 0, to: numbers.count, by: 8) {
                cancel(numbers[first...].prefix(8), of: client, tally, &generator)
            }
        }
        guard client.requestsInFlight.isEmpty else {
            throw Wrong("\(client.requestsInFlight.count) requests are in flight")
        }
    }

    /// Enqueues a few requests, and cancels each at once, a little later, or once some of its content has come.
    private func cancel(
        _ numbers: ArraySlice<Int>, of client: Client, _ tally: CancelTally,
        _ generator: inout Generator
    ) {
        let requests = numbers.map { number in
            let path = generator.next(below: Self.paths.count)
            let isSilent = path == Self.paths.count - 1
            let moment = generator.next(below: 3)
            let request = CancelledRequest(
                after: moment == 0 && !isSilent ? Int64(generator.next(below: 4 << 20)) : nil)
            request.send(Self.paths[path], by: client, number, tally)
            if moment == 1 { request.cancel() }
            return request
        }
        for request in requests {
            var pause = generator.next(below: 100_000)
            while pause > 0 { pause -= 1 }
            if request.bytes == nil { request.cancel() }
        }
        for request in requests { request.wait() }
    }
}

/// A request that can be cancelled once some bytes of its response have come.
private final class CancelledRequest: Sendable {
    /// That many, or nil.
    let bytes: Int64?
    private let promise = Guarded<Promise<Data>?>(nil)
    private let isSettled = DispatchSemaphore(value: 0)

    init(after bytes: Int64?) { self.bytes = bytes }

    func send(_ path: URLPath, by client: Client, _ number: Int, _ tally: CancelTally) {
        let promise: Promise<Data>
        if let bytes {
            promise =
                client.reportingProgress { [self] in
                    if $0.received >= bytes { cancel() }
                }.enqueue(.get(path))
        } else {
            promise = client.enqueue(.get(path))
        }
        self.promise.withLock { $0 = promise }
        promise.then(on: .immediate) { _ in self.settle(number, nil, tally) }
            .catch(policy: .allErrors, on: .immediate) { self.settle(number, $0, tally) }
    }

    private func settle(_ number: Int, _ error: (any Error)?, _ tally: CancelTally) {
        tally.note(number, error)
        promise.withLock { $0 = nil }
        isSettled.signal()
    }

    func cancel() { promise.withLock(\.self)?.cancel() }

    func wait() { isSettled.wait() }
}

/// The number of times that each of some requests has settled.
private final class CancelTally: Sendable {
    private struct State {
        var counts: [Int: Int] = [:]
        var answered = 0
        var error: (any Error)?
    }

    private let state = Guarded(State())

    func note(_ number: Int, _ error: (any Error)?) {
        state.withLock { state in
            state.counts[number, default: 0] += 1
            if error == nil { state.answered += 1 }
            // What is endless may be too much before it is cancelled.
            let reason = ((error as? ClientError)?.underlying as? TransportError)?.reason
            if let error, !(error is CancellationError), reason != .limitExceeded {
                state.error = error
            }
        }
    }

    /// - Throws: `Wrong` where one has not settled, or twice, or failed but for being cancelled.
    func answered(of count: Int) throws -> Int {
        try state.withLock { state in
            if let error = state.error { throw Wrong("\(error)") }
            let twice = state.counts.filter { $0.value > 1 }.count
            guard twice == 0, state.counts.count == count else {
                throw Wrong("\(state.counts.count) of \(count) settled, \(twice) more than once")
            }
            return state.answered
        }
    }
}
