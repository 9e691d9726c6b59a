import LarderPromises
import Testing

struct PromiseTests {
    @Test func `fulfils and chains`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let end = promise.then { $0 + 1 }.then { Promise.fulfilled($0 * 2) }.then { "\($0)" }
        #expect(end.isPending)
        resolver.fulfill(20)
        #expect(try await end.value == "42")
    }

    @Test func `rejects when the resolver is gone`() async throws {
        let promise = Promise<Int> { _ in }
        await #expect(throws: PromiseError.abandoned) { try await promise.value }
    }

    @Test func `cancel reaches the source and runs finally`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let (cancelled, signal) = Promise<Void>.pending()
        resolver.onCancel { signal.fulfill() }
        let (cleaned, cleanSignal) = Promise<Void>.pending()
        let end = promise.then { $0 + 1 }.finally { cleanSignal.fulfill() }.then { $0 }
        end.cancel()
        #expect(end.isRejected)
        try await cancelled.value
        try await cleaned.value
        await #expect(throws: CancellationError.self) { try await end.value }
        #expect(resolver.isCancelled)
    }

    @Test func `a branch does not take the work from its siblings`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let one = promise.then { $0 + 1 }
        let two = promise.then { $0 + 2 }
        one.cancel()
        #expect(promise.isPending)
        resolver.fulfill(1)
        #expect(try await two.value == 3)
        await #expect(throws: CancellationError.self) { try await one.value }
    }

    @Test func `task cancellation cancels the promise`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let task = Task { try await promise.value }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(resolver.isCancelled)
    }

    @Test func `long chain`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        var end = promise
        for _ in 0..<100_000 { end = end.then { $0 + 1 } }
        resolver.fulfill(0)
        #expect(try await end.value == 100_000)
    }
}
