import Testing

/// Processes that are killed in the middle of what they do.
@Suite(.serialized)
struct KillTests {
    @Test func `a killed import or deletion loses nothing that was acknowledged`() async throws {
        let outcome = try await Runner.run("kills", "\(240 * Runner.stress)", "1")
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test func `a killed migration has happened or not`() async throws {
        let outcome = try await Runner.run("kill-migrations", "\(60 * Runner.stress)", "2")
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
