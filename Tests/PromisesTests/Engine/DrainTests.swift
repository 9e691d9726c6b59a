import Foundation
import LarderPromises
import Testing

/// Chains and lists so long that recursion would overflow the stack.
@Suite(.timeLimit(.minutes(60)))
struct DrainTests {
    private let links = 100_000

    @Test(arguments: [Scheduler.default, .immediate])
    func `a long chain, settled at its end`(scheduler: Scheduler) async throws {
        let (promise, resolver) = Promise<Int>.pending()
        var end = promise
        for _ in 0..<links { end = end.then(on: scheduler) { (value: Int) in value + 1 } }
        resolver.fulfill(0)
        #expect(try await end.value == links)
    }

    @Test func `a long chain, rejected`() async {
        let (promise, resolver) = Promise<Int>.pending()
        var end = promise
        for _ in 0..<links { end = end.then { (value: Int) in value + 1 } }
        resolver.reject(Sample.first)
        #expect(await end.failure as? Sample == .first)
    }

    @Test func `a long chain, dropped unsettled`() async {
        let ended = Log<Int>()
        do {
            let (promise, resolver) = Promise<Int>.pending()
            var end = promise
            for _ in 0..<links { end = end.then { (value: Int) in value + 1 } }
            end.catch(only: PromiseError.abandoned) { ended.add(1) }
            withExtendedLifetime(resolver) {}
        }
        await drained()
        #expect(ended.count == 1)
    }

    @Test func `a long chain, its scheduler's jobs thrown away`() async {
        let manual = ManualScheduler()
        var end = Promise.fulfilled(0)
        for _ in 0..<links { end = end.then(on: manual.scheduler) { (value: Int) in value + 1 } }
        manual.discard()
        #expect(await end.failure as? PromiseError == .abandoned)
    }

    @Test func `promises nested in promises`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        var outer = promise
        for _ in 0..<links {
            let inner = outer
            outer = Promise<Int> { $0.resolve(with: inner) }
        }
        resolver.fulfill(1)
        #expect(try await outer.value == 1)
    }

    @Test func `a loop of promises that return promises`() async throws {
        @Sendable func count(_ left: Int) -> Promise<Int> {
            left == 0 ? .fulfilled(0) : Promise.fulfilled(left - 1).then { count($0) }
        }
        #expect(try await count(20_000).value == 0)
    }

    @Test func `combinators nested in combinators`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        var outer = promise
        for round in 0..<20_000 {
            switch round % 3 {
            case 0: outer = Promise.race([outer])
            case 1: outer = Promise.any([outer])
            default: outer = Promise.all([outer]).then(on: .immediate) { $0[0] }
            }
        }
        resolver.fulfill(1)
        #expect(try await outer.value == 1)
    }

    /// Combinators that are members of each other, with one source below all of them.
    private func nest(around source: Promise<Int>) -> Promise<Int> {
        var outer = source
        for round in 0..<20_000 {
            let inner = outer
            switch round % 4 {
            case 0: outer = Promise.race([inner])
            case 1: outer = Promise.all([inner]).then(on: .immediate) { $0[0] }
            case 2: outer = inner.timeout(after: .seconds(1), clock: ManualClock())
            default: outer = Promise.retry(attempts: 1, on: .immediate) { inner.branch() }
            }
        }
        return outer
    }

    @Test func `combinators nested in combinators, cancelled from outside`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let stops = Log<Int>()
        resolver.onCancel { stops.add(1) }
        let outer = nest(around: promise)
        outer.cancel()
        #expect(outer.isCancelled && promise.isCancelled && stops.count == 1)
        #expect(await outer.failure is CancellationError)
    }

    /// On a thread whose stack is as small as those of Apple's systems.
    @Test func `tasks that wait for each other's promises, cancelled from outside`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let stops = Log<Int>()
        resolver.onCancel { stops.add(1) }
        let row = await withCheckedContinuation { continuation in
            let thread = Thread {
                let executor = OracleExecutor()
                var row = [promise]
                for place in 0..<5_000 {
                    let before = row[place]
                    // It waits once this is over.
                    executor.whileActing { row.append(Promise { try await before.value }) }
                }
                executor.whileActing { row[5_000].cancel() }
                continuation.resume(returning: row)
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        for promise in row { _ = await promise.result }
        #expect(row.allSatisfy(\.isCancelled) && stops.count == 1)
    }

    @Test func `combinators nested in combinators, returned by a handler`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let inner = nest(around: promise)
        let manual = ManualScheduler()
        let outer = Promise.fulfilled(1).then(on: manual.scheduler) { _ in inner }
        let end = outer.then(on: .immediate) { $0 + 1 }
        manual.run()
        resolver.fulfill(1)
        // What it has come to be is told where its handler ran.
        manual.run()
        #expect(try await end.value == 2)
    }

    @Test func `the members of a nest that is cancelled stop in their order`() {
        let log = Log<Int>()
        let sources = (0..<4).map { number in
            let (promise, resolver) = Promise<Int>.pending()
            resolver.onCancel { log.add(number) }
            return (promise: promise, resolver: resolver)
        }
        let members = sources.map(\.promise)
        let inner = Promise.all([members[1], members[2]]).then(on: .immediate) { $0[0] }
        let outer = Promise.race([members[0], inner, members[3]])
        outer.finally(on: .immediate) { log.add(4) }
        outer.cancel()
        withExtendedLifetime(sources) { #expect(log.entries == [0, 1, 2, 3, 4]) }
    }

    @Test func `ten thousand handlers on one promise, in order`() async throws {
        let log = Log<Int>()
        let (promise, resolver) = Promise<Int>.pending()
        for number in 0..<10_000 { promise.then { _ in log.add(number) } }
        resolver.fulfill(1)
        await drained()
        #expect(log.entries == Array(0..<10_000))
    }

    @Test func `ten thousand cancelled branches`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let branches = (0..<10_000).map { _ in promise.then { $0 } }
        for branch in branches.reversed() { branch.cancel() }
        #expect(resolver.isCancelled)
        #expect(await promise.failure is CancellationError)
    }

    @Test func `a long chain of immediate handlers that return promises`() {
        let (promise, resolver) = Promise<Int>.pending()
        var end = promise
        for link in 0..<links {
            end =
                link % 2 == 0
                ? end.recover(on: .immediate) { _ in Promise<Int>.rejected(Sample.second) }
                : end.finally(on: .immediate) { Promise.fulfilled() }
        }
        resolver.reject(Sample.first)
        #expect(end.isRejected)
    }

    @Test func `immediate work that is done at once, limited`() {
        let all = Promise<Int>.map(0..<links, limit: 1, on: .immediate) { .fulfilled($0) }
        #expect(all.isFulfilled)
    }

    @Test func `immediate work that fails at once, retried`() {
        let attempts = Counter()
        let end = Promise<Int>.retry(attempts: links, on: .immediate) { _ in
            attempts.add()
            return .rejected(Sample.first)
        }
        #expect(end.isRejected && attempts.value == links)
    }
}
