import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct TapTests {
    @Test func `sees either outcome and changes nothing`() async throws {
        let log = Log<String>()
        let fulfilled = Promise.fulfilled(1).tap { log.add("\($0)") }
        #expect(try await fulfilled.value == 1)
        let rejected = Promise<Int>.rejected(Sample.first).tap { _ in log.add("error") }
        #expect(await rejected.failure as? Sample == .first)
        #expect(log.entries == ["success(1)", "error"])
    }
}
