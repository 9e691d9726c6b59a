import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseThenTests {
    @Test func `passes values along`() async throws {
        let end = Promise.fulfilled(2).then { (x: Int) in x * 3 }.then { (x: Int) in "\(x)" }
        #expect(try await end.value == "6")
    }

    @Test func `waits for the promise that a handler returns`() async throws {
        let (inner, resolver) = Promise<Int>.pending()
        let end = Promise.fulfilled(1).then { _ in inner }.then { $0 + 1 }
        await drained()
        #expect(end.isPending)
        resolver.fulfill(1)
        #expect(try await end.value == 2)
    }

    @Test func `is skipped by errors, which go on unchanged`() async {
        let log = Log<Int>()
        let end = Promise<Int>.rejected(Detailed(detail: "x"))
            .then { (value: Int) in log.add(value) }
            .then { log.add(2) }
        #expect(await end.failure as? Detailed == Detailed(detail: "x"))
        #expect(log.entries.isEmpty)
    }

    @Test func `settles as the promise that may be there`() async throws {
        let (inner, resolver) = Promise<Int>.pending()
        let some: Promise<Int>? = inner
        let none: Promise<Int>? = nil
        let first: Promise<Int?> = Promise.fulfilled(1).then { _ in some }
        #expect(try await Promise.fulfilled(1).then { _ in none }.value == nil)
        await drained()
        #expect(first.isPending)
        resolver.reject(Sample.first)
        #expect(await first.failure as? Sample == .first)
    }

    @Test func `cancels the promise that may be there`() async {
        let (inner, resolver) = Promise<Int>.pending()
        let some: Promise<Int>? = inner
        let waiting = Promise.fulfilled(1).then { _ in some }
        await drained()
        waiting.cancel()
        #expect(inner.isCancelled)
        withExtendedLifetime(resolver) {}
    }

    @Test func `a promise of a promise is not flattened when it is a plain value`() async throws {
        let nested = Promise<Promise<Int>>.fulfilled(.fulfilled(1))
        #expect(try await nested.value.value == 1)
    }

    @Test func `map and flatMap are then with one reading`() async throws {
        let end = Promise.fulfilled(2)
            .map { $0 * 3 }
            .flatMap { .fulfilled("\($0)") }
            .map { text in
                let twice = text + text
                return twice
            }
        #expect(try await end.value == "66")
        let nested = Promise.fulfilled(1).map { Promise.fulfilled($0) }
        #expect(try await nested.value.value == 1)
    }

    @Test func `map and flatMap are skipped by errors, and reject with what is thrown`() async {
        let log = Log<Int>()
        let skipped = Promise<Int>.rejected(Sample.first)
            .map { log.add($0) }
            .flatMap { _ in Promise.fulfilled(log.add(2)) }
        #expect(await skipped.failure as? Sample == .first)
        #expect(log.entries.isEmpty)
        let thrown = Promise.fulfilled(1).map { (_: Int) throws -> Int in throw Sample.second }
        #expect(await thrown.failure as? Sample == .second)
        let inner = Promise.fulfilled(1).flatMap { _ in Promise<Int>.rejected(Sample.first) }
        #expect(await inner.failure as? Sample == .first)
    }

    @Test func `flatMap cancels the promise that it waits for`() async {
        let (inner, resolver) = Promise<Int>.pending()
        let waiting = Promise.fulfilled(1).flatMap { _ in inner }
        await drained()
        waiting.cancel()
        #expect(inner.isCancelled)
        withExtendedLifetime(resolver) {}
    }

    @Test func `gives the same value to every branch`() async throws {
        let (promise, resolver) = Promise<[Int]>.pending()
        let first = promise.then { $0.count }
        let second = promise.then { $0.reduce(0, +) }
        resolver.fulfill([1, 2, 3])
        let counts = try await [first.value, second.value, promise.value.count]
        #expect(counts == [3, 6, 3])
    }
}
