import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseAllTests {
    @Test func `keeps the order of the promises, whichever settles first`() async throws {
        let members = (0..<4).map { _ in Promise<Int>.pending() }
        let all = Promise.all(members.map(\.promise))
        for index in [2, 0, 3, 1] {
            #expect(all.isPending)
            members[index].resolver.fulfill(index * 10)
        }
        #expect(try await all.value == [0, 10, 20, 30])
    }

    @Test func `of none is fulfilled at once`() async throws {
        #expect(try await Promise<Int>.all([]).value == [])
    }

    @Test func `of no types is fulfilled at once`() {
        let nothing: Promise<Void> = .all()
        #expect(nothing.isFulfilled)
    }

    @Test func `takes any sequence`() async throws {
        let all = Promise.all((1...3).lazy.map { Promise.fulfilled($0) })
        #expect(try await all.value == [1, 2, 3])
    }

    @Test func `rejects with the first error, and the others go on`() async throws {
        let (slow, resolver) = Promise<Int>.pending()
        let all = Promise.all([slow, .rejected(Sample.first), .rejected(Sample.second)])
        #expect(await all.failure as? Sample == .first)
        #expect(slow.isPending)
        resolver.fulfill(1)
        #expect(try await slow.value == 1)
    }

    @Test func `cancels all of them`() async {
        let members = (0..<3).map { _ in Promise<Int>.pending() }
        let all = Promise.all(members.map(\.promise))
        all.cancel()
        #expect(members.allSatisfy { $0.resolver.isCancelled })
        #expect(await all.failure is CancellationError)
    }

    @Test func `a member with another branch is not cancelled`() async throws {
        let (shared, resolver) = Promise<Int>.pending()
        let branch = shared.then { $0 + 1 }
        Promise.all([shared]).cancel()
        #expect(shared.isPending)
        resolver.fulfill(1)
        #expect(try await branch.value == 2)
    }

    @Test func `of tuples keeps the types`() async throws {
        let (late, resolver) = Promise<String>.pending()
        let all = Promise.all(Promise.fulfilled(1), late, Promise.fulfilled([true]))
        await drained()
        resolver.fulfill("two")
        let (number, text, flags) = try await all.value
        #expect(number == 1 && text == "two" && flags == [true])
    }

    @Test func `of tuples rejects and is cancelled like the other`() async {
        let (late, resolver) = Promise<String>.pending()
        let rejected = Promise.all(Promise<Int>.rejected(Sample.first), late)
        #expect(await rejected.failure as? Sample == .first)
        #expect(late.isPending)
        let cancelled = Promise.all(Promise.fulfilled(1), late)
        cancelled.cancel()
        #expect(resolver.isCancelled)
        #expect(await cancelled.failure is CancellationError)
    }
}

@Suite(.timeLimit(.minutes(60)))
struct AllSettledTests {
    @Test func `tells of every outcome, in order`() async throws {
        let (late, resolver) = Promise<Int>.pending()
        let all = Promise.allSettled([late, .rejected(Sample.first), .fulfilled(3)])
        await drained()
        #expect(all.isPending)
        resolver.fulfill(1)
        let results = try await all.value
        #expect(try results[0].get() == 1)
        #expect(results[1].errorOrNil as? Sample == .first)
        #expect(try results[2].get() == 3)
    }

    @Test func `of none is fulfilled`() async throws {
        #expect(try await Promise<Int>.allSettled([]).value.isEmpty)
    }

    @Test func `cancels all of them`() async {
        let (late, resolver) = Promise<Int>.pending()
        let all = Promise.allSettled([late, .fulfilled(1)])
        all.cancel()
        #expect(resolver.isCancelled && late.isCancelled)
        #expect(await all.failure is CancellationError)
    }
}
