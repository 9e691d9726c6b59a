import Testing

/// Faults of disk and memory, each at every call that could have it.
@Suite(.serialized)
struct FaultTests {
    private static let scenarios = [
        "make", "make-and-import", "open", "read", "import-one", "import-new", "import-same",
        "import-changed", "import-much", "import-twice", "import-refused", "inner-failure",
        "migrate",
    ]

    /// Memory is asked for thousands of times: every so many, all where tests take their time.
    private static let memoryStride = max(1, 23 / Runner.stress)

    @Test func `every scenario is tried`() async throws {
        let outcome = try await Runner.run("scenarios")
        #expect(outcome.output.split(separator: "\n").map(String.init) == Self.scenarios)
    }

    @Test(arguments: ["write", "full", "sync", "open", "lock", "read"], scenarios)
    func `a failing disk does no damage`(_ kind: String, _ scenario: String) async throws {
        let outcome = try await Runner.run("faults", kind, scenario, "1")
        #expect(outcome.status == 0, "\(kind), \(outcome.output)")
    }

    @Test(arguments: scenarios)
    func `a lack of memory does no damage`(_ scenario: String) async throws {
        let outcome = try await Runner.run("faults", "memory", scenario, "\(Self.memoryStride)")
        #expect(outcome.status == 0, "\(outcome.output)")
    }

    @Test(arguments: scenarios)
    func `a loss of power does no damage`(_ scenario: String) async throws {
        let outcome = try await Runner.run("power", scenario, "1")
        #expect(outcome.status == 0, "\(outcome.output)")
    }
}
