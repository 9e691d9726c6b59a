import Foundation
import Testing

/// What the compiler says about files that use the package; ``Fixture`` says how to add one.
@Suite(.enabled(if: Compiler.isThere, "There is no swiftc on the PATH."))
struct FixtureTests {
    private static let accepted = Result { try Fixture.all(in: "Accepted") }
    private static let refused = Result { try Fixture.all(in: "Refused") }
    private static let isolated = Result { try Fixture.all(in: "Isolated") }
    private static let unseen = Result { try Fixture.all(in: "Unseen") }

    /// The functions that a call finds several of.
    private static let overloadSets = [
        "enqueue", "then", "recover", "catch", "finally", "where", "fetch", "find", "select",
        "observe", "import", "save", "update", "delete",
    ]

    /// The compiler's words about all files of a folder, asked for once.
    private static let saidOfAccepted = Task { try await said(of: accepted.get()) }
    private static let saidOfRefused = Task { try await said(of: refused.get()) }
    private static let saidOfAcceptedIsolated = Task {
        try await said(of: accepted.get(), isolated: true)
    }
    private static let saidOfIsolated = Task { try await said(of: isolated.get(), isolated: true) }
    private static let saidOfUnseen = Task { try await said(of: unseen.get(), isolated: true) }

    private static func said(
        of fixtures: [Fixture], isolated: Bool = false
    ) async throws -> [String: [Diagnostic]] {
        let diagnostics = try await Compiler.check(
            [Fixture.domain] + fixtures.map(\.url), isolated: isolated)
        return Dictionary(grouping: diagnostics, by: \.file)
    }

    @Test func `there are files, and what they share is right`() async throws {
        #expect(try Self.accepted.get().count >= 2)
        #expect(try Self.refused.get().count >= 2)
        #expect(try !Self.isolated.get().isEmpty && !Self.unseen.get().isEmpty)
        let domain = Fixture.domain.lastPathComponent
        #expect(try await Self.saidOfAccepted.value[domain, default: []].isEmpty)
        #expect(try await Self.saidOfRefused.value[domain, default: []].isEmpty)
        #expect(try await Self.saidOfIsolated.value[domain, default: []].isEmpty)
    }

    @Test(arguments: overloadSets)
    func `each overload set has ten call sites and five mistakes`(_ name: String) throws {
        let calls = try Self.accepted.get().map { try $0.calls(of: name) }
        #expect(calls.reduce(0, +) >= 10)
        let mistakes = try (Self.refused.get() + Self.isolated.get())
            .map { try $0.mistakes(in: name, among: Self.overloadSets) }
        #expect(mistakes.reduce(0, +) >= 5)
    }

    @Test(arguments: try accepted.get())
    func `compiles within the limits`(_ fixture: Fixture) async throws {
        let said = try await Self.saidOfAccepted.value[fixture.name, default: []]
        #expect(said.isEmpty, "\(said.map(\.description).joined(separator: "\n"))")
    }

    @Test(arguments: try accepted.get())
    func `compiles in a module that is isolated to the main actor`(
        _ fixture: Fixture
    ) async throws {
        let said = try await Self.saidOfAcceptedIsolated.value[fixture.name, default: []]
        #expect(said.isEmpty, "\(said.map(\.description).joined(separator: "\n"))")
    }

    @Test(arguments: try refused.get())
    func `each mistake has one message, which says what to do`(_ fixture: Fixture) async throws {
        try await expect(Self.saidOfRefused.value[fixture.name, default: []], of: fixture)
    }

    @Test(arguments: try isolated.get())
    func `so has each that isolation to the main actor makes`(_ fixture: Fixture) async throws {
        try await expect(Self.saidOfIsolated.value[fixture.name, default: []], of: fixture)
    }

    /// A conformance that needs a part's is not held against that part's isolation, where the
    /// protocol is another module's.
    @Test(arguments: try unseen.get())
    func `mistakes that the compiler may see one day`(_ fixture: Fixture) async throws {
        let said = try await Self.saidOfUnseen.value[fixture.name, default: []]
        withKnownIssue("The compiler takes it", isIntermittent: true) {
            try expect(said, of: fixture)
        }
    }

    private func expect(_ diagnostics: [Diagnostic], of fixture: Fixture) throws {
        var said = diagnostics
        let expectations = try fixture.expectations()
        #expect(!expectations.isEmpty)
        for expectation in expectations {
            let index = said.firstIndex {
                $0.line == expectation.line && $0.kind == expectation.kind
                    && $0.message.contains(expectation.message)
            }
            if let index {
                said.remove(at: index)
            } else {
                Issue.record(
                    "\(fixture.name):\(expectation.line) doesn't say: \(expectation.message)")
            }
        }
        #expect(said.isEmpty, "\(said.map(\.description).joined(separator: "\n"))")
    }
}
