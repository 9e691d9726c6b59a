import TestProgram
import Testing

/// Threads that read while one writes, which matters most under the thread sanitizer:
/// `swift test --sanitize=thread`.
@Suite(.serialized)
struct ConcurrencyTests {
    @Test func `readers see whole transactions while one writes`() async throws {
        let outcome = try await Runner.run("concurrency", Runner.isThorough ? "60" : "3")
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
