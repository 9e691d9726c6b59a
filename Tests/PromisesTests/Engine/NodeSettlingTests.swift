import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct NodeSettlingTests {
    @Test(arguments: 0..<5)
    func `any member of a chain takes the whole chain along`(position: Int) async {
        let work = Work()
        let log = Log<String>()
        var members = [work.promise]
        for index in 1..<5 {
            members.append(
                members[index - 1].then { value -> Int in
                    log.add("then")
                    return value
                })
        }
        members[position].cancel()
        #expect(work.stops.entries == ["stopped"])
        #expect(members[...position].allSatisfy { $0.isCancelled })
        for member in members { #expect(await member.failure is CancellationError) }
        await drained()
        #expect(log.entries.isEmpty)
    }

    @Test func `handlers of cancel run once, and at once when it is too late`() {
        let work = Work()
        work.promise.cancel()
        work.promise.cancel()
        #expect(work.stops.count == 1)
        work.resolver.onCancel { [stops = work.stops] in stops.add("late") }
        #expect(work.stops.entries == ["stopped", "late"])
    }

    @Test func `handlers of cancel run in their order`() {
        let work = Work()
        work.resolver.onCancel { [stops = work.stops] in stops.add("second") }
        work.promise.cancel()
        #expect(work.stops.entries == ["stopped", "second"])
    }

    @Test func `a settled promise cannot be cancelled`() async throws {
        let work = Work()
        work.resolver.fulfill(1)
        work.promise.cancel()
        work.resolver.onCancel { [stops = work.stops] in stops.add("late") }
        #expect(work.stops.entries.isEmpty)
        #expect(!work.promise.isCancelled)
        #expect(try await work.promise.value == 1)
    }

    @Test func `a resolver comes too late after a cancellation`() async {
        let work = Work()
        work.promise.cancel()
        work.resolver.fulfill(1)
        work.resolver.resolve(with: Promise.fulfilled(2))
        #expect(await work.promise.failure is CancellationError)
    }

    @Test func `finally runs, in order, and catch does not`() async {
        let work = Work()
        let log = Log<String>()
        let end = work.promise
            .finally { log.add("first") }
            .catch { _ in log.add("catch") }
            .recover { _ in 5 }
            .finally { log.add("second") }
        end.cancel()
        #expect(await end.failure is CancellationError)
        await drained()
        #expect(log.entries == ["first", "second"])
    }

    @Test func `handlers that ask for cancellations see them`() async {
        let work = Work()
        let log = Log<String>()
        let end = work.promise
            .catch(policy: .allErrors) { _ in log.add("all") }
            .catch(only: CancellationError.self) { _ in log.add("type") }
            .tap { if case .failure(is CancellationError) = $0 { log.add("tap") } }
        end.cancel()
        #expect(await end.failure is CancellationError)
        await drained()
        #expect(log.entries == ["all", "type", "tap"])
    }

    @Test func `a recovery from a cancellation above heals what is below`() async throws {
        let work = Work()
        let healed = work.promise.recover(policy: .allErrors) { _ in 5 }
        work.promise.cancel()
        #expect(try await healed.value == 5)
    }

    @Test func `a promise that a resolver hands on is cancelled with it`() async {
        let inner = Work()
        let promise = Promise<Int> { $0.resolve(with: inner.promise) }
        promise.cancel()
        #expect(inner.stops.entries == ["stopped"])
        #expect(await promise.failure is CancellationError)
    }

    @Test func `a clean-up is not interrupted`() async {
        let work = Work()
        let cleanUp = Work()
        let end = work.promise.finally { cleanUp.promise }
        work.resolver.fulfill(1)
        await drained()
        end.cancel()
        #expect(end.isCancelled)
        #expect(cleanUp.stops.entries.isEmpty)
        cleanUp.resolver.fulfill(1)
        #expect(await end.failure is CancellationError)
    }

    @Test func `a cancellation waits for the clean-up that it starts`() async {
        let work = Work()
        let cleanUp = Work()
        let log = Log<String>()
        let end = work.promise.finally { cleanUp.promise }.finally { log.add("after") }
        end.cancel()
        await drained()
        #expect(log.entries.isEmpty)
        cleanUp.resolver.fulfill(1)
        #expect(await end.failure is CancellationError)
        await drained()
        #expect(log.entries == ["after"])
    }

    @Test func `a handler that is ready but has not run is not called`() async {
        let manual = ManualScheduler()
        let log = Log<Int>()
        let end = Promise.fulfilled(1).then(on: manual.scheduler) { (value: Int) in
            log.add(value)
        }
        #expect(manual.count == 1)
        end.cancel()
        manual.run()
        #expect(log.entries.isEmpty)
        #expect(await end.failure is CancellationError)
    }

    @Test func `a handler may cancel its own promise`() async {
        let box = Log<Promise<Int>>()
        let manual = ManualScheduler()
        let end = Promise.fulfilled(1).then(on: manual.scheduler) { (value: Int) -> Int in
            box.entries[0].cancel()
            return value
        }
        box.add(end)
        manual.run()
        #expect(await end.failure is CancellationError)
    }

    @Test func `a task is cancelled with its promise`() async throws {
        let (cancelled, signal) = Promise<Bool>.pending()
        let (started, begin) = Promise<Void>.pending()
        let promise = Promise<Int> {
            let (gate, keeper) = Promise<Void>.pending()
            begin.fulfill()
            _ = await gate.result
            withExtendedLifetime(keeper) {}
            signal.fulfill(Task.isCancelled)
            return 1
        }
        try await started.value
        promise.cancel()
        #expect(try await cancelled.value)
        #expect(await promise.failure is CancellationError)
    }

    @Test func `cancelling with two hundred thousand links is flat`() async {
        let work = Work()
        var end = work.promise
        for _ in 0..<200_000 { end = end.then { (value: Int) -> Int in value } }
        end.cancel()
        #expect(work.stops.entries == ["stopped"])
        #expect(await end.failure is CancellationError)
    }

    @Test func `a chain behind the cancelled member hears of it in order`() async {
        let work = Work()
        let log = Log<Int>()
        let middle = work.promise.finally { log.add(1) }
        let end = middle.finally { log.add(2) }.finally { log.add(3) }
        middle.cancel()
        #expect(await end.failure is CancellationError)
        await drained()
        #expect(log.entries == [1, 2, 3])
    }

    @Test func `a retried, limited and timed chain is cancelled through all of it`() async {
        let work = Work()
        let clock = ManualClock()
        let end = Promise.retry(attempts: 3) { _ in
            Promise.map([1], limit: 1) { _ in work.promise }.timeout(
                after: .seconds(9), clock: clock)
        }
        await clock.sleepers(atLeast: 1)
        await drained()
        end.cancel()
        #expect(work.stops.entries == ["stopped"])
        #expect(await end.failure is CancellationError)
    }
}
