import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct CancellablePromiseTests {
    @Test func `cancels its promise`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let cancellable = CancellablePromise(promise)
        cancellable.cancel()
        #expect(await cancellable.promise.failure is CancellationError)
        #expect(resolver.isCancelled)
    }

    @Test func `cancels in its own way`() async throws {
        let log = Log<String>()
        let cancellable = CancellablePromise(promise: .fulfilled(1)) { log.add("cancelled") }
        cancellable.cancel()
        #expect(log.entries == ["cancelled"])
        #expect(try await cancellable.promise.value == 1)
    }
}

@Suite(.timeLimit(.minutes(60)))
struct ProgressPromiseTests {
    @Test func `reports until it has settled`() async throws {
        let reports = Log<@Sendable (Double) -> Void>()
        let resolvers = Log<Resolver<Int>>()
        let loading = ProgressPromise<Int, Double> { resolver, report in
            resolvers.add(resolver)
            reports.add(report)
        }
        var iterator = loading.progress.makeAsyncIterator()
        for step in [0.25, 0.5, 1] {
            reports.entries[0](step)
            #expect(await iterator.next() == step)
        }
        resolvers.entries[0].fulfill(9)
        #expect(await iterator.next() == nil)
        #expect(try await loading.promise.value == 9)
    }

    @Test func `a slow reader gets the newest report only`() async throws {
        let loading = ProgressPromise<Int, Int> { resolver, report in
            for step in 1...5 { report(step) }
            resolver.fulfill(0)
        }
        _ = try await loading.promise.value
        var seen: [Int] = []
        for await step in loading.progress { seen.append(step) }
        #expect(seen == [5])
    }

    @Test func `ends when it is rejected or cancelled`() async {
        let failed = ProgressPromise<Int, Int> { _, _ in throw Sample.first }
        for await _ in failed.progress { Issue.record("nothing was reported") }
        #expect(await failed.promise.failure as? Sample == .first)
        let resolvers = Log<Resolver<Int>>()
        let cancelled = ProgressPromise<Int, Int> { resolver, _ in resolvers.add(resolver) }
        cancelled.promise.cancel()
        for await _ in cancelled.progress { Issue.record("nothing was reported") }
        #expect(resolvers.entries[0].isCancelled)
    }
}
