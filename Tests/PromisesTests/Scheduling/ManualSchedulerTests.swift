import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ManualSchedulerTests {
    private let manual = ManualScheduler()
    private let log = Log<Int>()

    @Test func `runs nothing by itself`() async {
        Promise.fulfilled(1).then(on: manual.scheduler) { [log] (value: Int) in log.add(value) }
        await drained()
        #expect(log.entries.isEmpty && manual.count == 1)
    }

    @Test func `runs one job after the other`() {
        for number in 1...3 {
            Promise.fulfilled(number).then(on: manual.scheduler) { [log] (value: Int) in
                log.add(value)
            }
        }
        #expect(manual.runNext())
        #expect(log.entries == [1] && manual.count == 2)
        #expect(manual.run() == 2)
        #expect(!manual.runNext())
        #expect(log.entries == [1, 2, 3])
    }

    @Test func `stops at its limit`() {
        for _ in 0..<5 { Promise.fulfilled(1).then(on: manual.scheduler) { $0 } }
        #expect(manual.run(limit: 2) == 2)
        #expect(manual.count == 3)
    }

    @Test func `jobs thrown away take no handler of another scheduler along`() async throws {
        let (source, resolver) = Promise<Int>.pending()
        let thrownAway = source.then(on: manual.scheduler) { $0 + 1 }
        let calls = Log<String>()
        thrownAway.then(on: manual.scheduler) { _ in calls.add("then") }
            .catch(on: manual.scheduler) { _ in calls.add("catch of the same scheduler") }
        thrownAway.catch(on: .immediate) { _ in calls.add("catch") }
        thrownAway.finally(on: .immediate) { calls.add("finally") }
        thrownAway.tap(on: .immediate) { _ in calls.add("tap") }
        let healed = thrownAway.recover(on: .immediate) { _ in 5 }
        let outcomes = Promise.allSettled([Promise.fulfilled(1), thrownAway])
        let count = outcomes.then(on: .immediate) { $0.count }
        async let awaited = outcomes.result
        resolver.fulfill(1)
        manual.discard()
        #expect(try await healed.value == 5)
        #expect(try await count.value == 2)
        #expect(try await awaited.get().map { $0.errorOrNil == nil } == [true, false])
        #expect(await thrownAway.failure as? PromiseError == .abandoned)
        #expect(calls.entries == ["catch", "finally", "tap"])
    }

    @Test func `a job thrown away after a clean-up rejects as any other`() {
        let (cleaning, resolver) = Promise<Int>.pending()
        let promise = Promise.fulfilled(1).finally(on: manual.scheduler) { cleaning }
        manual.run()
        resolver.fulfill(2)
        manual.discard()
        let errors = Log<PromiseError?>()
        promise.catch(on: .immediate) { errors.add($0 as? PromiseError) }
        #expect(errors.entries == [.abandoned])
    }
}
