import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseRaceTests {
    @Test func `settles as the first that settles`() async throws {
        let (slow, slowResolver) = Promise<Int>.pending()
        let (quick, quickResolver) = Promise<Int>.pending()
        let race = Promise.race([slow, quick])
        quickResolver.fulfill(2)
        slowResolver.fulfill(1)
        #expect(try await race.value == 2)
    }

    @Test func `an error counts as well`() async {
        let (slow, resolver) = Promise<Int>.pending()
        #expect(await Promise.race([slow, .rejected(Sample.first)]).failure as? Sample == .first)
        #expect(slow.isPending)
        withExtendedLifetime(resolver) {}
    }

    @Test func `the first of several settled ones wins`() async throws {
        #expect(try await Promise.race([.fulfilled(1), .fulfilled(2)]).value == 1)
    }

    @Test func `of none rejects`() async {
        #expect(await Promise<Int>.race([]).failure as? PromiseError == .noPromises)
    }

    @Test func `cancels all of them`() async {
        let members = (0..<3).map { _ in Promise<Int>.pending() }
        let race = Promise.race(members.map(\.promise))
        race.cancel()
        #expect(members.allSatisfy { $0.resolver.isCancelled })
        #expect(await race.failure is CancellationError)
    }
}

@Suite(.timeLimit(.minutes(60)))
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
