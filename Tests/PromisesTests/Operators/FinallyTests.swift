import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FinallyTests {
    private let log = Log<String>()

    @Test func `runs on either outcome and passes it on`() async throws {
        let fulfilled = Promise.fulfilled(1).finally { [log] in log.add("value") }
        #expect(try await fulfilled.value == 1)
        let rejected = Promise<Int>.rejected(Sample.first).finally { [log] in log.add("error") }
        #expect(await rejected.failure as? Sample == .first)
        #expect(log.entries == ["value", "error"])
    }

    @Test func `an error that it throws takes the outcome's place`() async {
        #expect(await Promise.fulfilled(1).finally { throw Sample.second }.failure is Sample)
        let rejected = Promise<Int>.rejected(Sample.first).finally { throw Sample.second }
        #expect(await rejected.failure as? Sample == .second)
    }

    @Test func `waits for the promise it returns`() async throws {
        let (cleanUp, resolver) = Promise<String>.pending()
        let fulfilled = Promise.fulfilled(1).finally { cleanUp }
        let rejected = Promise<Int>.rejected(Sample.first).finally { cleanUp }
        await drained()
        #expect(fulfilled.isPending && rejected.isPending)
        resolver.fulfill("clean")
        #expect(try await fulfilled.value == 1)
        #expect(await rejected.failure as? Sample == .first)
    }

    @Test func `waits for the promise it returns, where there is one`() async throws {
        let (cleanUp, resolver) = Promise<String>.pending()
        let some: Promise<String>? = cleanUp
        let none: Promise<String>? = nil
        let waiting = Promise.fulfilled(1).finally { some }
        #expect(try await Promise.fulfilled(2).finally { none }.value == 2)
        await drained()
        #expect(waiting.isPending)
        resolver.reject(Sample.second)
        #expect(await waiting.failure as? Sample == .second)
    }

    @Test func `an error of the promise it returns takes the outcome's place`() async {
        let end = Promise.fulfilled(1).finally { Promise<Void>.rejected(Sample.second) }
        #expect(await end.failure as? Sample == .second)
        let thrown = Promise.fulfilled(1).finally { () -> Promise<Void> in throw Sample.first }
        #expect(await thrown.failure as? Sample == .first)
    }
}
