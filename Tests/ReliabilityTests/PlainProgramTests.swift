import TestProgram
import Testing

/// What a program sees that has set nothing up, and runs no tests.
struct PlainProgramTests {
    @Test func `a rejection that nobody handles is told on standard error, in debug builds`()
        async throws
    {
        let outcome = try await Runner.run("reject")
        #expect(outcome.status == 0 && outcome.output == "went on\n")
        #if DEBUG
        #expect(outcome.errors.hasPrefix("larder: Nobody handles the rejection of the promise "))
        #expect(outcome.errors.contains(" made at FaultRunner/FaultRunner.swift:"))
        #expect(outcome.errors.contains("nobody looks"))
        #expect(outcome.errors.split(separator: "\n").count == 1)
        #else
        #expect(outcome.errors.isEmpty)
        #endif
    }

    @Test func `a program may switch that off`() async throws {
        let outcome = try await Runner.run("reject", "quietly")
        #expect(outcome.status == 0 && outcome.output == "went on\n" && outcome.errors.isEmpty)
    }
}
