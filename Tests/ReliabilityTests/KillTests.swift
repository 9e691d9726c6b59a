import TestProgram
import Testing

/// Processes that are killed in the middle of what they do.
@Suite(.serialized)
struct KillTests {
    @Test func `a killed import or deletion loses nothing that was acknowledged`() async throws {
        let count = Runner.isThorough ? "8000" : "240"
        let outcome = try await Runner.run("kills", count, "1")
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test func `a killed migration has happened or not`() async throws {
        let count = Runner.isThorough ? "2000" : "60"
        let outcome = try await Runner.run("kill-migrations", count, "2")
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test func `a killed jar has kept the cookies that it was said to have`() async throws {
        let count = Runner.isThorough ? "2000" : "60"
        let outcome = try await Runner.run("kill-cookies", count, "3")
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
