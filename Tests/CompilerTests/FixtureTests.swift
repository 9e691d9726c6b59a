import Foundation
import Testing

/// What the compiler says about files that use the package; ``Fixture`` says how to add one.
@Suite(.enabled(if: Compiler.isThere, "There is no swiftc on the PATH."))
struct FixtureTests {
    private static let accepted = Result { try Fixture.all(in: "Accepted") }
    private static let refused = Result { try Fixture.all(in: "Refused") }

    /// The compiler's words about all files of a folder, asked for once.
    private static let saidOfAccepted = Task { try await said(of: accepted.get()) }
    private static let saidOfRefused = Task { try await said(of: refused.get()) }

    private static func said(of fixtures: [Fixture]) async throws -> [String: [Diagnostic]] {
        let diagnostics = try await Compiler.check([Fixture.domain] + fixtures.map(\.url))
        return Dictionary(grouping: diagnostics, by: \.file)
    }

    @Test func `there are files, and what they share is right`() async throws {
        #expect(try Self.accepted.get().count >= 2)
        #expect(try Self.refused.get().count >= 2)
        let domain = Fixture.domain.lastPathComponent
        #expect(try await Self.saidOfAccepted.value[domain, default: []].isEmpty)
        #expect(try await Self.saidOfRefused.value[domain, default: []].isEmpty)
    }

    @Test(arguments: try accepted.get())
    func `compiles within the limits`(_ fixture: Fixture) async throws {
        let said = try await Self.saidOfAccepted.value[fixture.name, default: []]
        #expect(said.isEmpty, "\(said.map(\.description).joined(separator: "\n"))")
    }

    @Test(arguments: try refused.get())
    func `each mistake has one message, which says what to do`(_ fixture: Fixture) async throws {
        var said = try await Self.saidOfRefused.value[fixture.name, default: []]
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
