import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseBranchTests {
    @Test func `cancelled, it leaves the work to the others`() async throws {
        let (work, resolver) = Promise<Int>.pending()
        let first = work.branch()
        let second = work.branch()
        let third = work.then { $0 + 1 }
        first.cancel()
        #expect(await first.failure is CancellationError)
        #expect(work.isPending && second.isPending && !resolver.isCancelled)
        resolver.fulfill(1)
        #expect(try await second.value == 1)
        #expect(try await third.value == 2)
    }

    @Test func `the last one that is cancelled takes the work along`() async {
        let (work, resolver) = Promise<Int>.pending()
        let branches = (0..<3).map { _ in work.branch() }
        for branch in branches {
            #expect(!resolver.isCancelled)
            branch.cancel()
        }
        #expect(resolver.isCancelled)
        #expect(await work.failure is CancellationError)
    }

    @Test func `what is chained to it is cancelled with it, and the other way round`() async throws
    {
        let (work, resolver) = Promise<Int>.pending()
        let (first, second, third) = (work.branch(), work.branch(), work.branch())
        let chained = first.then { $0 + 1 }
        first.cancel()
        #expect(await chained.failure is CancellationError)
        let other = second.then { $0 + 2 }
        other.cancel()
        #expect(await second.failure is CancellationError)
        #expect(!resolver.isCancelled)
        resolver.fulfill(1)
        #expect(try await third.value == 1)
    }

    @Test func `it has the outcome, also where that has come before`() async throws {
        #expect(try await Promise.fulfilled(1).branch().value == 1)
        #expect(
            await Promise<Int>.rejected(Sample.first).branch().failure as? Sample == .first)
        let (work, resolver) = Promise<Int>.pending()
        let (first, second) = (work.branch(), work.branch())
        work.cancel()
        #expect(await first.failure is CancellationError)
        #expect(await second.failure is CancellationError)
        #expect(resolver.isCancelled)
    }
}
