import TestProgram
import Testing

/// Faults at calls that could have them, each run in a process of its own.
///
/// The disk fails at every call, at some where the tests are to be brief (see `Runner.isBrief`); memory, and power,
/// at some that are picked at random, and at all where the tests are to take their time (see `Runner.isThorough`).
struct FaultTests {
    private static let scenarios = [
        "open", "read", "import-one", "import-new", "import-same", "import-changed",
        "import-much", "import-twice", "import-refused", "import-wrapper", "import-family",
        "change-family", "inner-failure", "save", "update-query", "delete", "delete-cascade",
        "delete-newest", "edit-links", "nested", "nested-failure", "evict", "write-beside",
        "search", "import-searchable", "change-searchable", "observe",
        "keep-response", "pull-pages", "log-out", "keep-content",
        "make", "make-and-import", "migrate", "migrate-copy", "back-up", "vacuum", "check",
        "plant-seed", "rebuild",
    ]

    private static let count = Runner.isThorough ? "all" : "2"

    @Test func `every scenario is tried`() async throws {
        let outcome = try await Runner.run("scenarios")
        #expect(outcome.output.split(separator: "\n").map(String.init) == Self.scenarios)
    }

    @Test(arguments: scenarios)
    func `a failing disk does no damage`(_ scenario: String) async throws {
        let outcome = try await Runner.run("faults", "disk", scenario, Runner.isBrief ? "8" : "all")
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    /// As `ulimit -f` sets it, whose signal ends a process that does not ignore it.
    @Test(arguments: scenarios)
    func `a limit of how large files may become does no damage`(_ scenario: String) async throws {
        let outcome = try await Runner.run("sizes", scenario, Runner.isThorough ? "200" : "12")
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test(arguments: scenarios)
    func `a lack of memory does no damage`(_ scenario: String) async throws {
        let outcome = try await Runner.run("faults", "memory", scenario, Self.count)
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test(arguments: scenarios)
    func `a loss of power does no damage`(_ scenario: String) async throws {
        let outcome = try await Runner.run("power", scenario, Self.count)
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
