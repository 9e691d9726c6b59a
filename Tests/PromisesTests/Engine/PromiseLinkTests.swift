import LarderPromises
import Testing

/// Promises that watch another one, and are that one for those who cancel.
@Suite(.timeLimit(.minutes(60)))
struct PromiseLinkTests {
    @Test func `past the point of no return, what watches is not cancelled either`() async throws {
        let work = Work()
        let seen = Log<Int?>()
        let watching = work.promise.watch { _ in }.watch { seen.add(try? $0.get()) }
        let chained = watching.then { $0 + 1 }
        #expect(work.resolver.commit())
        watching.cancel()
        chained.cancel()
        #expect(watching.isPending && !watching.isCancelled)
        work.resolver.fulfill(1)
        #expect(try await watching.value == 1)
        #expect(await chained.failure is CancellationError)
        #expect(seen.entries == [1] && work.stops.entries.isEmpty)
    }

    @Test func `a task that waits for what watches gets what can't be undone`() async throws {
        let work = Work()
        let watching = work.promise.watch { _ in }
        let task = Task { try await watching.value }
        #expect(work.resolver.commit())
        task.cancel()
        work.resolver.fulfill(1)
        #expect(try await task.value == 1)
    }

    @Test func `once there is an outcome, it is that of what watches`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let own = Log<Promise<Int>>()
        let watching = promise.watch { _ in own.entries.first?.cancel() }
        own.add(watching)
        resolver.fulfill(1)
        #expect(try await watching.value == 1)
    }

    @Test func `before that, the work is cancelled, by whatever is chained to it too`() async {
        for isChained in [false, true] {
            let work = Work()
            let seen = Log<Bool>()
            let watching = work.promise.watch { _ in }
                .watch { result in
                    guard case .failure(is CancellationError) = result else { return }
                    seen.add(true)
                }
            if isChained { watching.then { $0 + 1 }.cancel() } else { watching.cancel() }
            #expect(watching.isCancelled && work.promise.isCancelled)
            #expect(work.stops.entries == ["stopped"])
            #expect(await watching.failure is CancellationError)
            #expect(seen.entries == [true])
        }
    }

    @Test func `work that others wait for goes on without it`() async throws {
        let work = Work()
        let other = work.promise.then { $0 + 1 }
        let watching = work.promise.watch { _ in }
        watching.cancel()
        #expect(watching.isCancelled && work.promise.isPending)
        #expect(await watching.failure is CancellationError)
        work.resolver.fulfill(1)
        #expect(try await other.value == 2)
    }

    @Test func `it is cancelled by its last branch`() async throws {
        let work = Work()
        let watching = work.promise.watch { _ in }
        let (first, second) = (watching.then { $0 + 1 }, watching.then { $0 + 2 })
        first.cancel()
        #expect(await first.failure is CancellationError)
        #expect(watching.isPending && work.stops.entries.isEmpty)
        second.cancel()
        #expect(watching.isCancelled && work.stops.entries == ["stopped"])
    }

    @Test func `what was refused may leave, and others come`() async throws {
        let work = Work()
        let watching = work.promise.watch { _ in }
        let late = Promise.race([watching, .fulfilled(0)])
        #expect(work.resolver.commit())
        watching.then { $0 + 1 }.cancel()
        #expect(try await late.value == 0)
        let chained = watching.then { $0 + 2 }
        watching.cancel()
        work.resolver.fulfill(1)
        #expect(try await chained.value == 3)
    }
}
