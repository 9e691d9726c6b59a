import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CancellationTests {
    /// A source whose work can be seen to stop.
    private struct Work {
        let promise: Promise<Int>
        let resolver: Resolver<Int>
        let stops = Log<String>()

        init() {
            (promise, resolver) = Promise<Int>.pending()
            resolver.onCancel { [stops] in stops.add("stopped") }
        }
    }

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

    @Test func `a cancelled branch leaves the work to its siblings`() async throws {
        let work = Work()
        let first = work.promise.then { $0 + 1 }
        let second = work.promise.then { $0 + 2 }
        let third = second.then { $0 + 3 }
        first.cancel()
        #expect(work.stops.entries.isEmpty && work.promise.isPending)
        #expect(await first.failure is CancellationError)
        work.resolver.fulfill(10)
        #expect(try await third.value == 15)
    }

    @Test func `the last branch takes the work along`() async {
        let work = Work()
        let branches = (0..<3).map { number in work.promise.then { $0 + number } }
        for branch in branches.dropLast() {
            branch.cancel()
            branch.cancel()
            #expect(work.stops.entries.isEmpty)
        }
        branches[2].cancel()
        #expect(work.stops.entries == ["stopped"])
        for branch in branches { #expect(await branch.failure is CancellationError) }
    }

    @Test func `cancelling a source cancels all its branches`() async {
        let work = Work()
        let branches = (0..<3).map { number in work.promise.then { $0 + number } }
        work.promise.cancel()
        for branch in branches { #expect(await branch.failure is CancellationError) }
    }

    @Test func `a branch attached to a cancelled promise is rejected`() async {
        let work = Work()
        work.promise.cancel()
        #expect(await work.promise.then { $0 + 1 }.failure is CancellationError)
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

    @Test func `finally of a cancelled branch runs while its siblings go on`() async throws {
        let work = Work()
        let log = Log<String>()
        let sibling = work.promise.then { $0 }
        let end = work.promise.then { $0 }.finally { log.add("finally") }
        end.cancel()
        #expect(await end.failure is CancellationError)
        #expect(log.entries == ["finally"])
        work.resolver.fulfill(1)
        #expect(try await sibling.value == 1)
    }

    @Test func `handlers that ask for cancellations see them`() async {
        let work = Work()
        let log = Log<String>()
        let end = work.promise
            .catch(.allErrors) { _ in log.add("all") }
            .catch(only: CancellationError.self) { _ in log.add("type") }
            .tap { if case .failure(is CancellationError) = $0 { log.add("tap") } }
        end.cancel()
        #expect(await end.failure is CancellationError)
        await drained()
        #expect(log.entries == ["all", "type", "tap"])
    }

    @Test func `a recovery from a cancellation above heals what is below`() async throws {
        let work = Work()
        let healed = work.promise.recover(.allErrors) { _ in 5 }
        work.promise.cancel()
        #expect(try await healed.value == 5)
    }

    @Test func `an inner promise is cancelled with its outer one`() async {
        let inner = Work()
        let outer = Promise.fulfilled().then { inner.promise }
        await drained()
        outer.cancel()
        #expect(inner.stops.entries == ["stopped"])
        #expect(await outer.failure is CancellationError)
    }

    @Test func `an inner promise with another branch goes on`() async throws {
        let inner = Work()
        let branch = inner.promise.then { $0 + 1 }
        let outer = Promise.fulfilled().then { inner.promise }
        await drained()
        outer.cancel()
        #expect(await outer.failure is CancellationError)
        #expect(inner.stops.entries.isEmpty)
        inner.resolver.fulfill(1)
        #expect(try await branch.value == 2)
    }

    @Test func `an inner promise returned after the cancellation is cancelled`() async {
        let inner = Work()
        let manual = ManualScheduler()
        let box = Log<Promise<Int>>()
        let outer = Promise.fulfilled().then(on: manual.scheduler) { () -> Promise<Int> in
            box.entries[0].cancel()
            return inner.promise
        }
        box.add(outer)
        manual.run()
        #expect(outer.isCancelled)
        #expect(inner.stops.entries == ["stopped"])
        manual.run()
        #expect(await outer.failure is CancellationError)
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

    @Test func `a diamond lets go of its source when both sides have gone`() async {
        let work = Work()
        let left = work.promise.then { $0 + 1 }
        let right = work.promise.then { $0 + 2 }
        let joined = Promise.all([left, right])
        joined.cancel()
        #expect(work.stops.entries == ["stopped"])
        #expect(await joined.failure is CancellationError)
    }

    @Test func `a task that waits is one branch among others`() async throws {
        let work = Work()
        let end = work.promise.then { $0 + 1 }
        let waiting = Task { try await work.promise.value }
        for _ in 0..<10_000 where !end.isPending { await Task.yield() }
        end.cancel()
        work.resolver.fulfill(3)
        // Whether the task had begun to wait decides which of the two it sees.
        let result = await waiting.result
        #expect((try? result.get()) == 3 || result.errorOrNil is CancellationError)
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
