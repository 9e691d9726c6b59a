import Dispatch
import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct WaitTests {
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
}
