import TestProgram
import Testing

/// Threads that read while one writes, which matters most under the thread sanitizer:
/// `swift test --sanitize=thread`.
@Suite(.serialized)
struct ConcurrencyTests {
    @Test func `processes that come and go lose nothing of each other`() async throws {
        let outcome = try await Runner.run("visits", Runner.isThorough ? "400" : "8")
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test func `readers see whole transactions while one writes`() async throws {
        let outcome = try await Runner.run("concurrency", Runner.isThorough ? "60" : "3")
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
