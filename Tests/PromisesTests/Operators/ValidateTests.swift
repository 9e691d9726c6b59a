import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ValidateTests {
    @Test func `passes what is valid`() async throws {
        #expect(try await Promise.fulfilled(4).validate { $0 > 3 }.value == 4)
    }

    @Test func `rejects what is not`() async {
        let end = Promise.fulfilled(3).validate { $0 > 3 }
        #expect(await end.failure as? PromiseError == .invalid)
    }

    @Test func `rejects with what the check throws`() async {
        let end = Promise.fulfilled(3).validate { _ in throw Sample.second }
        #expect(await end.failure as? Sample == .second)
    }

    @Test func `passes errors on`() async {
        let end = Promise<Int>.rejected(Sample.first).validate { _ in true }
        #expect(await end.failure as? Sample == .first)
    }
}
