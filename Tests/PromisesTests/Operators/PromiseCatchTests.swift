import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PromiseCatchTests {
    private let log = Log<String>()

    @Test func `sees the error and passes it on`() async {
        let end = Promise<Int>.rejected(Sample.first).catch { [log] in log.add("\($0)") }
        #expect(await end.failure as? Sample == .first)
        #expect(log.entries == ["first"])
    }

    @Test func `is skipped by values`() async throws {
        let end = Promise.fulfilled(1).catch { [log] in log.add("\($0)") }
        #expect(try await end.value == 1)
        #expect(log.entries.isEmpty)
    }

    @Test func `an error that it throws takes the other's place`() async {
        let end = Promise<Int>.rejected(Sample.first).catch { _ in throw Sample.second }
        #expect(await end.failure as? Sample == .second)
    }

    @Test func `skips cancellations unless asked for`() async {
        let cancelled = Promise<Int>.rejected(CancellationError())
        let skipped = cancelled.catch { [log] _ in log.add("default") }
        let all = cancelled.catch(policy: .allErrors) { [log] _ in log.add("all") }
        let typed = cancelled.catch(only: CancellationError.self) { [log] _ in log.add("typed") }
        for end in [skipped, all, typed] { #expect(await end.failure is CancellationError) }
        #expect(log.entries == ["all", "typed"])
    }

    @Test func `only errors of a type`() async {
        let failed = Promise<Int>.rejected(Sample.first)
            .catch(only: Detailed.self) { [log] in log.add($0.detail) }
            .catch(only: Sample.self) { [log] in log.add("\($0)") }
        #expect(await failed.failure as? Sample == .first)
        #expect(log.entries == ["first"])
    }

    @Test func `only one error`() async {
        let failed = Promise<Int>.rejected(Sample.first)
            .catch(only: Sample.second) { [log] in log.add("second") }
            .catch(only: Sample.first) { [log] in log.add("first") }
            .catch(only: Detailed(detail: "")) { [log] in log.add("detailed") }
        #expect(await failed.failure as? Sample == .first)
        #expect(log.entries == ["first"])
    }
}
