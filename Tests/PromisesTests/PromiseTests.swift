import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseTests {
    @Test func `an executor runs at once, on the calling stack`() async throws {
        let log = Log<String>()
        let promise = Promise<Int> { resolver in
            log.add("executor")
            resolver.fulfill(1)
        }
        log.add("after")
        #expect(promise.isFulfilled)
        #expect(log.entries == ["executor", "after"])
        #expect(try await promise.value == 1)
    }

    @Test func `the states exclude each other`() {
        let (promise, resolver) = Promise<Int>.pending()
        #expect(promise.isPending && !promise.isFulfilled && !promise.isRejected)
        resolver.fulfill(1)
        #expect(!promise.isPending && promise.isFulfilled && !promise.isRejected)
        let failed = Promise<Int>.rejected(Sample.first)
        #expect(!failed.isPending && !failed.isFulfilled && failed.isRejected)
        #expect(!failed.isCancelled)
        let (cancelled, keeper) = Promise<Int>.pending()
        cancelled.cancel()
        #expect(!cancelled.isPending && !cancelled.isFulfilled && cancelled.isRejected)
        #expect(cancelled.isCancelled && keeper.isCancelled)
    }

    @Test func `values of every size and kind survive`() async throws {
        struct Wide: Sendable, Equatable {
            var first = "a string that is too long to be stored in place"
            var second = [1, 2, 3]
            var third = (0..<8).map(String.init)
            var fourth = 4.5
        }
        struct Aligned: Sendable, Equatable {
            var vector = SIMD4<Double>(1, 2, 3, 4)
        }
        #expect(try await Promise.fulfilled(Wide()).then { $0 }.value == Wide())
        #expect(try await Promise.fulfilled(Aligned()).then { $0 }.value == Aligned())
        #expect(try await Promise.fulfilled("text").then { $0 + "!" }.value == "text!")
        #expect(try await Promise.fulfilled([1, 2]).then { $0.count }.value == 2)
        #expect(try await Promise<Int?>.fulfilled(nil).then { $0 == nil }.value)
        try await Promise.fulfilled().then { $0 }.value
    }

    @Test func `an asynchronous closure's value and error`() async throws {
        #expect(try await Promise { 1 }.value == 1)
        let failed = Promise<Int> {
            await Task.yield()
            throw Sample.first
        }
        #expect(await failed.failure as? Sample == .first)
    }

    @Test func `a resolver that is gone rejects`() async {
        let promise = Promise<Int> { _ in }
        #expect(await promise.failure as? PromiseError == .abandoned)
    }

    @Test func `a resolver that is gone after it has settled does nothing`() async throws {
        let (inner, resolver) = Promise<Int>.pending()
        let promise = Promise<Int> { $0.resolve(with: inner) }
        #expect(promise.isPending)
        resolver.fulfill(3)
        #expect(try await promise.value == 3)
    }

    @Test func `a resolver resolves with a result`() async throws {
        #expect(try await Promise<Int> { $0.resolve(with: .success(1)) }.value == 1)
        let failed = Promise<Int> { $0.resolve(with: .failure(Sample.first)) }
        #expect(await failed.failure as? Sample == .first)
    }

    @Test func `a resolver resolved with its own promise rejects`() async {
        let (promise, resolver) = Promise<Int>.pending()
        resolver.resolve(with: promise)
        #expect(await promise.failure as? PromiseError == .cycle)
    }

    @Test func `a closure without context is asynchronous work`() async throws {
        let number = Promise { 1 }
        let text = Promise { "two" }
        let both = try await Promise.all(number, text).value
        #expect(both.0 == 1 && both.1 == "two")
    }

    @Test func `copies are the same promise`() async throws {
        let (promise, resolver) = Promise<Int>.pending()
        let copy = promise
        resolver.fulfill(4)
        #expect(copy.isFulfilled)
        #expect(try await copy.value == 4)
    }
}
