import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseTimeoutTests {
    private let clock = ManualClock()

    @Test func `rejects and stops the work when the time is over`() async {
        let (work, resolver) = Promise<Int>.pending()
        let end = work.timeout(after: .seconds(5), clock: clock)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        #expect(await end.failure as? PromiseError == .timedOut(after: .seconds(5)))
        #expect(await work.failure is CancellationError)
        #expect(resolver.isCancelled)
    }

    @Test func `leaves the work to another branch`() async throws {
        let (work, resolver) = Promise<Int>.pending()
        let branch = work.then { $0 + 1 }
        let end = work.timeout(after: .seconds(5), clock: clock)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(5))
        #expect(await end.failure is PromiseError)
        resolver.fulfill(1)
        #expect(try await branch.value == 2)
    }

    @Test func `passes an outcome on in time, and sleeps no longer`() async throws {
        let (work, resolver) = Promise<Int>.pending()
        let end = work.timeout(after: .seconds(5), clock: clock)
        await clock.sleepers(atLeast: 1)
        resolver.fulfill(1)
        #expect(try await end.value == 1)
        let patience = ContinuousClock.now + .seconds(60)
        while clock.sleeperCount > 0, .now < patience { await Task.yield() }
        #expect(clock.sleeperCount == 0)
        let failed = Promise<Int>.rejected(Sample.first).timeout(after: .seconds(5), clock: clock)
        #expect(await failed.failure as? Sample == .first)
    }

    @Test func `cancelled, it cancels the work`() async {
        let (work, resolver) = Promise<Int>.pending()
        let end = work.timeout(after: .seconds(5), clock: clock)
        end.cancel()
        #expect(resolver.isCancelled)
        #expect(await end.failure is CancellationError)
    }

    @Test func `a promise that has settled is in time, whatever the time`() async throws {
        for _ in 0..<2000 {
            #expect(try await Promise.fulfilled(1).timeout(after: .zero).value == 1)
        }
    }

    @Test func `a promise that has settled needs no timer`() async {
        _ = await Promise.fulfilled(1).timeout(after: .seconds(5), clock: clock).result
        await drained()
        #expect(clock.sleeperCount == 0)
    }

    @Test func `a very long time does not overflow`() async throws {
        let (work, resolver) = Promise<Int>.pending()
        let end = work.timeout(after: .seconds(Int64.max))
        let delay = Promise.delay(for: .seconds(Int64.max))
        resolver.fulfill(1)
        #expect(try await end.value == 1)
        delay.cancel()
        #expect(await delay.failure is CancellationError)
    }
}

@Suite(.timeLimit(.minutes(60)))
struct DelayTests {
    private let clock = ManualClock()

    @Test func `is fulfilled when the time has come`() async throws {
        let delay = Promise.delay(for: .seconds(2), clock: clock)
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(1))
        await drained()
        #expect(delay.isPending)
        clock.advance(by: .seconds(1))
        try await delay.value
    }

    @Test(arguments: [Int64.min, -1, 0])
    func `a delay of less than nothing is none`(seconds: Int64) async throws {
        try await Promise.delay(for: .seconds(seconds)).value
        #expect(try await Promise.fulfilled(1).delay(by: .seconds(seconds)).value == 1)
    }

    @Test func `passes a value on later`() async throws {
        let end = Promise.fulfilled(1).delay(by: .seconds(2), clock: clock)
        await clock.sleepers(atLeast: 1)
        #expect(end.isPending)
        clock.advance(by: .seconds(2))
        #expect(try await end.value == 1)
    }

    @Test func `passes an error on at once`() async {
        let end = Promise<Int>.rejected(Sample.first).delay(by: .seconds(2), clock: clock)
        #expect(await end.failure as? Sample == .first)
        #expect(clock.sleeperCount == 0)
    }

    @Test func `cancelled, it no longer sleeps`() async {
        let delay = Promise.delay(for: .seconds(2), clock: clock)
        await clock.sleepers(atLeast: 1)
        delay.cancel()
        #expect(await delay.failure is CancellationError)
        let patience = ContinuousClock.now + .seconds(60)
        while clock.sleeperCount > 0, .now < patience { await Task.yield() }
        #expect(clock.sleeperCount == 0)
    }

    @Test func `the clock of the machine is the default`() async throws {
        let start = ContinuousClock.now
        try await Promise.delay(for: .milliseconds(20)).value
        #expect(start.duration(to: .now) >= .milliseconds(20))
        let passedOn = ContinuousClock.now
        #expect(try await Promise.fulfilled(1).delay(by: .milliseconds(20)).value == 1)
        #expect(passedOn.duration(to: .now) >= .milliseconds(20))
    }
}
