import Dispatch
import Testing

@testable import LarderPromises

@Suite(.timeLimit(.minutes(60)))
struct PromiseWaitTests {
    /// Runs blocking code outside of Swift's own threads.
    private func blocking<Value: Sendable>(
        on queue: DispatchQueue = .global(), _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await Promise { resolver in
            queue.async { resolver.resolve(with: Result { try body() }) }
        }.value
    }

    @Test func `blocks until there is an outcome`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let end = promise.then { $0 + 1 }
        async let value = blocking { try end.wait() }
        resolver.fulfill(1)
        #expect(try await value == 2)
        await #expect(throws: Sample.first) {
            try await blocking { try Promise<Int>.rejected(Sample.first).wait() }
        }
    }

    @Test func `gives up when the time is over, and leaves the promise alone`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        await #expect(throws: PromiseError.timedOut(after: .milliseconds(1))) {
            try await blocking { try promise.wait(timeout: .milliseconds(1)) }
        }
        #expect(promise.isPending)
        resolver.fulfill(3)
        #expect(try await blocking { try promise.wait(timeout: .seconds(1)) } == 3)
    }

    @Test func `a very long time does not overflow`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        async let value = blocking { try promise.wait(timeout: .seconds(Int64.max)) }
        resolver.fulfill(3)
        #expect(try await value == 3)
    }

    @Test(arguments: [Int64.min, -10_000_000_000, -1, 0])
    func `a time that is none is over at once`(seconds: Int64) async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let timeout = Duration.seconds(seconds)
        await #expect(throws: PromiseError.timedOut(after: timeout)) {
            try await blocking { try promise.wait(timeout: timeout) }
        }
        resolver.fulfill(3)
        #expect(try await blocking { try promise.wait(timeout: timeout) } == 3)
    }

    @Test func `refuses to block the default scheduler`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let end = Promise.fulfilled().then { () -> Int in try promise.wait() }
        #expect(await end.failure as? PromiseError == .wouldDeadlock)
        withExtendedLifetime(resolver) {}
    }

    @Test func `refuses to block a queue that the promise needs`() async throws {
        let queue = DispatchQueue(label: "needed")
        let (promise, resolver) = Promise<Int>.pending()
        let needy = promise.then(on: .queue(queue)) { $0 }.then { $0 }
        await #expect(throws: PromiseError.wouldDeadlock) {
            try await blocking(on: queue) { try needy.wait() }
        }
        let other = promise.then { $0 }
        async let value = blocking(on: queue) { try other.wait() }
        resolver.fulfill(1)
        #expect(try await value == 1)
    }

    /// The ways a promise may depend on another one.
    enum Way: CaseIterable, Sendable {
        case then, all, allLimited, race, any, timeout, retry, inner, resolved, shielded

        func apply(to needy: Promise<Int>) -> Promise<Int> {
            switch self {
            case .then: needy.then { $0 }
            case .all: Promise.all([.fulfilled(0), needy]).then { $0[1] }
            case .allLimited: Promise.map([1], limit: 1) { _ in needy }.then { $0[0] }
            case .race: Promise.race([needy, needy.then { $0 }])
            case .any: Promise.any([needy])
            case .timeout: needy.timeout(after: .seconds(1000))
            case .retry: Promise.retry { _ in needy }
            case .inner: Promise.fulfilled(1).then { _ in needy }
            case .resolved: Promise { $0.resolve(with: needy) }
            case .shielded: needy.shielded()
            }
        }
    }

    @Test(arguments: Way.allCases)
    func `refuses to block a queue that the promise needs by way of another`(way: Way) async {
        let queue = DispatchQueue(label: "needed")
        let (promise, resolver) = Promise<Int>.pending()
        let needy = way.apply(to: promise.then(on: .queue(queue)) { $0 })
        await #expect(throws: PromiseError.wouldDeadlock) {
            try await blocking(on: queue) { try needy.wait() }
        }
        resolver.fulfill(1)
        #expect(await needy.result.errorOrNil == nil)
    }

    @Test func `waits for a race that another member can win`() async throws {
        let queue = DispatchQueue(label: "needed")
        let (promise, resolver) = Promise<Int>.pending()
        let (free, winner) = Promise<Int>.pending()
        let race = Promise.race([promise.then(on: .queue(queue)) { $0 }, free])
        async let value = blocking(on: queue) { try race.wait() }
        winner.fulfill(2)
        #expect(try await value == 2)
        withExtendedLifetime(resolver) {}
    }
}
