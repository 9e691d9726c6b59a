import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ShieldedTests {
    @Test func `outlives those who wait for it, even the last`() async throws {
        let (work, resolver) = Promise<Int>.pending()
        let shared = work.shielded()
        let first = shared.then { $0 + 1 }
        let second = shared.then { $0 + 2 }
        first.cancel()
        second.cancel()
        #expect(await first.failure is CancellationError)
        #expect(await second.failure is CancellationError)
        #expect(shared.isPending && work.isPending && !resolver.isCancelled)
        let later = shared.then { $0 + 3 }
        resolver.fulfill(1)
        #expect(try await later.value == 4)
    }

    @Test func `outlives a task that awaits it`() async throws {
        let (work, resolver) = Promise<String>.pending()
        let token = work.shielded()
        let task = Task { try await token.value }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        resolver.fulfill("fresh")
        #expect(try await token.value == "fresh")
    }

    @Test func `outlives a chain that follows it`() async throws {
        let (work, resolver) = Promise<Int>.pending()
        let shared = work.shielded()
        let chain = Promise.fulfilled().then(on: .immediate) { shared }
        chain.cancel()
        #expect(chain.isCancelled && shared.isPending)
        resolver.fulfill(1)
        #expect(try await shared.value == 1)
    }

    @Test func `passes errors on`() async {
        #expect(
            await Promise<Int>.rejected(Sample.first).shielded().failure as? Sample == .first)
    }

    @Test func `stops the work when it is cancelled itself`() async {
        let (work, resolver) = Promise<Int>.pending()
        let shared = work.shielded()
        let waiter = shared.then { $0 }
        shared.cancel()
        #expect(resolver.isCancelled)
        #expect(await waiter.failure is CancellationError)
    }
}
