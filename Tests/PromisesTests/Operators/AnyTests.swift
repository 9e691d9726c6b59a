import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AnyTests {
    @Test func `takes the first value, whatever was rejected before`() async throws {
        let (late, resolver) = Promise<Int>.pending()
        let any = Promise.any([.rejected(Sample.first), late])
        await drained()
        #expect(any.isPending)
        resolver.fulfill(2)
        #expect(try await any.value == 2)
    }

    @Test func `rejects with all errors, in order, when there is no value`() async {
        let (late, resolver) = Promise<Int>.pending()
        let any = Promise.any([late, .rejected(Sample.second)])
        resolver.reject(Sample.first)
        let error = await any.failure as? NoneFulfilled
        #expect(error?.errors as? [Sample] == [.first, .second])
    }

    @Test func `of none rejects`() async {
        #expect(await Promise<Int>.any([]).failure as? PromiseError == .noPromises)
    }

    @Test func `cancels all of them`() async {
        let members = (0..<3).map { _ in Promise<Int>.pending() }
        let any = Promise.any(members.map(\.promise))
        any.cancel()
        #expect(members.allSatisfy { $0.resolver.isCancelled })
        #expect(await any.failure is CancellationError)
    }
}
