import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseMapTests {
    /// Work that is finished by hand, and that counts how much of it runs.
    private final class Bench: Sendable {
        let started = Log<Int>()
        let resolvers = Log<Resolver<Int>>()

        func work(_ item: Int) -> Promise<Int> {
            let (promise, resolver) = Promise<Int>.pending()
            started.add(item)
            resolvers.add(resolver)
            return promise
        }

        func finish(_ index: Int) async {
            resolvers.entries[index].fulfill(started.entries[index] * 10)
            await drained()
        }
    }

    @Test func `runs no more than the limit at once, and keeps the order`() async throws {
        let bench = Bench()
        let all = Promise.map(1...5, limit: 2) { bench.work($0) }
        await drained()
        #expect(bench.started.entries == [1, 2])
        await bench.finish(1)
        #expect(bench.started.entries == [1, 2, 3])
        await bench.finish(2)
        await bench.finish(0)
        #expect(bench.started.entries == [1, 2, 3, 4, 5])
        await bench.finish(4)
        #expect(all.isPending)
        await bench.finish(3)
        #expect(try await all.value == [10, 20, 30, 40, 50])
    }

    @Test func `pulls lazily and stops at an error`() async {
        let pulled = Log<Int>()
        struct Endless: Sequence, IteratorProtocol, Sendable {
            let pulled: Log<Int>
            var last = 0
            mutating func next() -> Int? {
                last += 1
                pulled.add(last)
                return last
            }
        }
        let all = Promise.map(Endless(pulled: pulled), limit: 3) { item -> Promise<Int> in
            item == 10 ? .rejected(Sample.first) : .fulfilled(item)
        }
        #expect(await all.failure as? Sample == .first)
        await drained()
        #expect(pulled.count < 20)
    }

    @Test func `stops at an error that the work throws`() async {
        let all = Promise<Int>.map([1, 2], limit: 1) { _ in throw Sample.second }
        #expect(await all.failure as? Sample == .second)
    }

    @Test func `of nothing is fulfilled`() async throws {
        let all = Promise.map([Int](), limit: 4) { Promise.fulfilled($0) }
        #expect(try await all.value == [])
    }

    @Test(arguments: [0, -1])
    func `refuses a limit below one`(limit: Int) async {
        let all = Promise.map([1], limit: limit) { Promise.fulfilled($0) }
        #expect(await all.failure as? PromiseError == .notPositive(limit))
    }

    @Test func `cancels what runs and starts nothing more`() async {
        let bench = Bench()
        let all = Promise.map(1...5, limit: 2) { bench.work($0) }
        await drained()
        all.cancel()
        await drained()
        #expect(bench.started.entries == [1, 2])
        #expect(bench.resolvers.entries.allSatisfy { $0.isCancelled })
        #expect(await all.failure is CancellationError)
    }

    @Test func `a hundred thousand items that are ready do not pile up`() async throws {
        let all = Promise.map(0..<100_000, limit: 4) { Promise.fulfilled($0) }
        #expect(try await all.value.count == 100_000)
    }

    @Test func `a sequence may settle a member while it is asked for the next item`() throws {
        let (member, resolver) = Promise<Int>.pending()
        struct Settling: Sequence, IteratorProtocol, Sendable {
            let resolver: Resolver<Int>
            var last = 0
            mutating func next() -> Int? {
                last += 1
                if last == 2 { resolver.fulfill(5) }
                return last <= 3 ? last : nil
            }
        }
        let values = Log<[Int]>()
        Promise<Int>.map(Settling(resolver: resolver), limit: 2, on: .immediate) {
            $0 == 1 ? member : .fulfilled($0)
        }
        .then(on: .immediate) { (all: [Int]) in values.add(all) }
        #expect(values.entries == [[5, 2, 3]])
    }

    @Test func `any limit is large enough`() async throws {
        let all = Promise.map(1...3, limit: .max) { Promise.fulfilled($0) }
        #expect(try await all.value == [1, 2, 3])
    }
}
