import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CancellablePromiseTests {
    @Test func `cancels its promise`() async {
        let (promise, resolver) = Promise<Int>.pending()
        let cancellable = CancellablePromise(promise)
        cancellable.cancel()
        #expect(await cancellable.promise.failure is CancellationError)
        #expect(resolver.isCancelled)
    }

    @Test func `cancels in its own way`() async throws {
        let log = Log<String>()
        let cancellable = CancellablePromise(promise: .fulfilled(1)) { log.add("cancelled") }
        cancellable.cancel()
        #expect(log.entries == ["cancelled"])
        #expect(try await cancellable.promise.value == 1)
    }
}
