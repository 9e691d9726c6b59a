import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
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
