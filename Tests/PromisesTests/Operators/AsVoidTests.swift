import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct AsVoidTests {
    @Test func `drops the value and keeps the error`() async throws {
        let done: Promise<Void> = Promise.fulfilled(1).asVoid()
        try await done.value
        #expect(await Promise<Int>.rejected(Sample.first).asVoid().failure as? Sample == .first)
    }

    @Test func `cancels what it stands for`() {
        let (promise, resolver) = Promise<Int>.pending()
        promise.asVoid().cancel()
        #expect(resolver.isCancelled)
    }
}
