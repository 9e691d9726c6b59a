import Testing

/// Faults of disk and memory at calls that could have them: some picked at random in every run of
/// the tests, all where they are to take their time (see `Runner.isThorough`).
@Suite(.serialized)
struct FaultTests {
    private static let scenarios = [
        "open", "read", "import-one", "import-new", "import-same", "import-changed",
        "import-much", "import-twice", "import-refused", "import-wrapper", "import-family",
        "change-family", "inner-failure", "save", "update-query", "delete", "delete-cascade",
        "edit-links", "nested", "nested-failure", "evict", "search", "import-searchable",
        "change-searchable", "make", "make-and-import", "migrate",
        "migrate-copy", "back-up", "vacuum", "check", "plant-seed", "rebuild",
    ]

    private static let count = Runner.isThorough ? "all" : "2"

    @Test func `every scenario is tried`() async throws {
        let outcome = try await Runner.run("scenarios")
        #expect(outcome.output.split(separator: "\n").map(String.init) == Self.scenarios)
    }

    @Test(arguments: scenarios)
    func `a failing disk does no damage`(_ scenario: String) async throws {
        let outcome = try await Runner.run("faults", "disk", scenario, Self.count)
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
