import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseFinallyTests {
    private let log = Log<String>()

    @Test func `runs on either outcome and passes it on`() async throws {
        let fulfilled = Promise.fulfilled(1).finally { [log] in log.add("value") }
        #expect(try await fulfilled.value == 1)
        let rejected = Promise<Int>.rejected(Sample.first).finally { [log] in log.add("error") }
        #expect(await rejected.failure as? Sample == .first)
        #expect(log.entries == ["value", "error"])
    }

    @Test func `an error that it throws takes the outcome's place`() async {
        #expect(await Promise.fulfilled(1).finally { throw Sample.second }.failure is Sample)
        let rejected = Promise<Int>.rejected(Sample.first).finally { throw Sample.second }
        #expect(await rejected.failure as? Sample == .second)
    }

    @Test func `waits for the promise it returns`() async throws {
        let (cleanUp, resolver) = Promise<String>.pending()
        let fulfilled = Promise.fulfilled(1).finally { cleanUp }
        let rejected = Promise<Int>.rejected(Sample.first).finally { cleanUp }
        await drained()
        #expect(fulfilled.isPending && rejected.isPending)
        resolver.fulfill("clean")
        #expect(try await fulfilled.value == 1)
        #expect(await rejected.failure as? Sample == .first)
    }

    @Test func `waits for the promise it returns, where there is one`() async throws {
        let (cleanUp, resolver) = Promise<String>.pending()
        let some: Promise<String>? = cleanUp
        let none: Promise<String>? = nil
        let waiting = Promise.fulfilled(1).finally { some }
        #expect(try await Promise.fulfilled(2).finally { none }.value == 2)
        await drained()
        #expect(waiting.isPending)
        resolver.reject(Sample.second)
        #expect(await waiting.failure as? Sample == .second)
    }

    @Test func `an error of the promise it returns takes the outcome's place`() async {
        let end = Promise.fulfilled(1).finally { Promise<Void>.rejected(Sample.second) }
        #expect(await end.failure as? Sample == .second)
        let thrown = Promise.fulfilled(1).finally { () -> Promise<Void> in throw Sample.first }
        #expect(await thrown.failure as? Sample == .first)
    }
}

@Suite(.timeLimit(.minutes(60)))
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
