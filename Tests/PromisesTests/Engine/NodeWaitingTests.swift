import LarderPromises
import Testing

/// Branches of a promise, and promises that follow another.
@Suite(.timeLimit(.minutes(60)))
struct NodeWaitingTests {
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
}
