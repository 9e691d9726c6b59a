import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct FirstlyTests {
    @Test func `runs at once and goes on with then`() async throws {
        let log = Log<Int>()
        let promise = firstly {
            log.add(1)
            return Promise.fulfilled(2)
        }
        #expect(log.entries == [1])
        #expect(try await promise.then { $0 + 1 }.value == 3)
    }

    @Test func `rejects with what is thrown`() async {
        let failed: Promise<Int> = firstly { throw Sample.first }
        #expect(await failed.failure as? Sample == .first)
    }

    @Test func `is the promise that was returned`() {
        let (inner, resolver) = Promise<Int>.pending()
        firstly { inner }.cancel()
        #expect(resolver.isCancelled)
    }
}
