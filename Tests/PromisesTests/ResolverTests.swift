import Dispatch
import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ResolverTests {
    @Test func `resolves for Void without a value`() async throws {
        let (promise, resolver) = Promise<Void>.pending()
        resolver.fulfill()
        try await promise.value
    }

    @Test func `hands on a pending promise and is closed from then on`() async throws {
        let (inner, innerResolver) = Promise<Int>.pending()
        let (promise, resolver) = Promise<Int>.pending()
        resolver.resolve(with: inner)
        resolver.fulfill(9)
        #expect(promise.isPending)
        innerResolver.fulfill(1)
        #expect(try await promise.value == 1)
    }

    @Test func `its handlers of cancel are dropped when it hands on a promise`() async {
        let log = Log<String>()
        let (inner, innerResolver) = Promise<Int>.pending()
        innerResolver.onCancel { log.add("inner") }
        let (promise, resolver) = Promise<Int>.pending()
        resolver.onCancel { log.add("outer") }
        resolver.resolve(with: inner)
        promise.cancel()
        #expect(log.entries == ["inner"])
        #expect(await inner.failure is CancellationError)
    }

    @Test func `cancelled before, it stops what it was to settle as`() async {
        let (inner, innerResolver) = Promise<Int>.pending()
        let (promise, resolver) = Promise<Int>.pending()
        promise.cancel()
        resolver.resolve(with: inner)
        #expect(innerResolver.isCancelled)
        #expect(await promise.failure is CancellationError)
    }

    @Test func `cancelled before, it leaves alone what others wait for`() async throws {
        let (inner, innerResolver) = Promise<Int>.pending()
        let other = inner.then(on: .immediate) { $0 + 1 }
        let (promise, resolver) = Promise<Int>.pending()
        promise.cancel()
        resolver.resolve(with: inner)
        innerResolver.fulfill(1)
        #expect(try await other.value == 2)
    }

    @Test func `used before, it stops nothing, cancelled or not`() {
        let (first, firstResolver) = Promise<Int>.pending()
        let (second, secondResolver) = Promise<Int>.pending()
        let (promise, resolver) = Promise<Int>.pending()
        resolver.resolve(with: first)
        promise.cancel()
        #expect(firstResolver.isCancelled)
        resolver.resolve(with: second)
        #expect(!secondResolver.isCancelled && second.isPending)
    }

    @Test func `tells whether anybody still waits`() {
        let (promise, resolver) = Promise<Int>.pending()
        #expect(!resolver.isCancelled)
        promise.cancel()
        #expect(resolver.isCancelled)
    }

    @Test func `past the point of no return, a cancellation is without effect`() async throws {
        let log = Log<String>()
        let (promise, resolver) = Promise<Int>.pending()
        resolver.onCancel { log.add("cancelled") }
        let chained = promise.then { $0 + 1 }
        #expect(resolver.commit())
        #expect(!resolver.commit())
        promise.cancel()
        chained.cancel()
        #expect(promise.isPending)
        #expect(!resolver.isCancelled)
        resolver.fulfill(1)
        #expect(try await promise.value == 1)
        #expect(await chained.failure is CancellationError)
        #expect(log.entries.isEmpty)
    }

    @Test func `past the point of no return, an error is an error`() async {
        let (promise, resolver) = Promise<Int>.pending()
        #expect(resolver.commit())
        promise.cancel()
        resolver.reject(Sample.first)
        #expect(await promise.failure as? Sample == .first)
    }

    @Test func `what is cancelled or settled has no point of no return`() {
        let (cancelled, first) = Promise<Int>.pending()
        cancelled.cancel()
        #expect(!first.commit())
        let (_, second) = Promise<Int>.pending()
        second.fulfill(1)
        #expect(!second.commit())
    }

    @Test func `a task that is cancelled after the point of no return gets the outcome`()
        async throws
    {
        let (promise, resolver) = Promise<Int>.pending()
        let task = Task { try await promise.value }
        #expect(resolver.commit())
        task.cancel()
        resolver.fulfill(1)
        #expect(try await task.value == 1)
    }

    @Test func `a handler of cancel may settle, cancel and attach without harm`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let log = Log<String>()
        resolver.onCancel {
            resolver.fulfill(1)
            promise.cancel()
            promise.finally(on: .immediate) { log.add("attached") }
        }
        promise.cancel()
        #expect(await promise.failure is CancellationError)
        #expect(log.entries == ["attached"])
    }

    @Test func `one of several references is enough to keep the promise pending`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let kept = Log<Resolver<Int>>()
        do {
            let second = resolver
            kept.add(second)
        }
        await drained()
        #expect(promise.isPending)
        kept.entries[0].reject(Sample.first)
        #expect(await promise.failure as? Sample == .first)
    }

    @Test func `settles from whichever thread`() async throws {
        for _ in 0..<100 {
            let (promise, resolver) = Promise<Int>.pending()
            DispatchQueue.global().async { resolver.fulfill(1) }
            #expect(try await promise.then { $0 + 1 }.value == 2)
        }
    }

    @Test func `a failed executor lets its resolver go`() async {
        let ends = Log<Int>()
        let promise = Promise<Int> { resolver in
            let witness = Witness { ends.add(1) }
            resolver.onCancel { witness.touch() }
            throw Sample.first
        }
        #expect(await promise.failure as? Sample == .first)
        #expect(ends.entries == [1])
    }
}
