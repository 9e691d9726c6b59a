import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseRetryTests {
    private let log = Log<Int>()

    private func work(succeedingAt success: Int) -> @Sendable (Int) throws -> Promise<String> {
        { [log] attempt in
            log.add(attempt)
            guard attempt >= success else { throw Sample.first }
            return .fulfilled("done")
        }
    }

    @Test func `goes on until it succeeds`() async throws {
        let end = Promise.retry(attempts: 5, work(succeedingAt: 3))
        #expect(try await end.value == "done")
        #expect(log.entries == [1, 2, 3])
    }

    @Test func `rejects with the last error`() async {
        let end = Promise<String>.retry(attempts: 3) { [log] attempt in
            log.add(attempt)
            return .rejected(Detailed(detail: "\(attempt)"))
        }
        #expect(await end.failure as? Detailed == Detailed(detail: "3"))
        #expect(log.entries == [1, 2, 3])
    }

    @Test func `stops where the condition does not hold`() async {
        let seen = Log<Int>()
        let end = Promise.retry(
            attempts: 9,
            while: { error, failures in
                seen.add(failures)
                return error as? Sample == .first && failures < 2
            }, work(succeedingAt: 100))
        #expect(await end.failure as? Sample == .first)
        #expect(log.entries == [1, 2])
        #expect(seen.entries == [1, 2])
    }

    @Test func `does not retry a cancellation`() async {
        let end = Promise<Int>.retry { [log] attempt in
            log.add(attempt)
            return .rejected(CancellationError())
        }
        #expect(await end.failure is CancellationError)
        #expect(log.entries == [1])
    }

    @Test(arguments: [0, -2])
    func `refuses fewer attempts than one`(attempts: Int) async {
        let end = Promise.retry(attempts: attempts, work(succeedingAt: 1))
        #expect(await end.failure as? PromiseError == .notPositive(attempts))
        #expect(log.entries.isEmpty)
    }

    @Test func `waits as the backoff says`() async throws {
        let clock = ManualClock()
        let backoff = Backoff.exponential(from: .seconds(1), jitter: 0)
        let end = Promise.retry(
            attempts: 4, backoff: backoff, clock: clock, work(succeedingAt: 4))
        for wait in [1, 2, 4] {
            await clock.sleepers(atLeast: 1)
            clock.advance(by: .seconds(wait) - .nanoseconds(1))
            #expect(clock.sleeperCount == 1 && end.isPending)
            clock.advance(by: .nanoseconds(1))
        }
        #expect(try await end.value == "done")
        #expect(log.entries == [1, 2, 3, 4])
    }

    @Test func `cancelled, it stops the attempt that runs`() async {
        let (inner, resolver) = Promise<Int>.pending()
        let end = Promise.retry { _ in inner }
        await drained()
        end.cancel()
        #expect(resolver.isCancelled)
        #expect(await end.failure is CancellationError)
    }

    @Test func `cancelled while it waits, it tries no more`() async {
        let clock = ManualClock()
        let end = Promise.retry(
            backoff: .constant(.seconds(1)), clock: clock, work(succeedingAt: 9))
        await clock.sleepers(atLeast: 1)
        end.cancel()
        clock.advance(by: .seconds(9))
        #expect(await end.failure is CancellationError)
        await drained()
        #expect(log.entries == [1])
    }

    @Test func `cancelled as an attempt fails, it begins no other`() {
        let own = Guarded<Promise<Int>?>(nil)
        let (first, resolver) = Promise<Int>.pending()
        let end = Promise<Int>.retry(
            on: .immediate,
            while: { _, _ in
                own.withLock(\.self)?.cancel()
                return true
            }
        ) { [log] attempt in
            log.add(attempt)
            return attempt == 1 ? first : .fulfilled(attempt)
        }
        own.withLock { $0 = end }
        resolver.reject(Sample.first)
        #expect(log.entries == [1])
    }

    @Test func `ten thousand attempts do not pile up`() async throws {
        let end = Promise.retry(attempts: .max, work(succeedingAt: 10_000))
        #expect(try await end.value == "done")
    }
}
