import Testing

/// A test that URLSession's version for Linux fails, what goes wrong there, and what Apple's documentation promises.
struct FoundationNetworkingFault: Sendable {
    enum Effect {
        /// It fails each time.
        case fails
        /// It fails at times, or with some of its arguments.
        case mayFail
        /// It ends the process, or never ends, and is left out.
        case isLeftOut
    }

    /// The test's sentence, or the name of a hostile response.
    let test: String
    let effect: Effect
    /// What goes wrong.
    let fault: Comment
    /// What is promised, and where.
    let promise: String

    init(_ test: String, _ effect: Effect, _ fault: Comment, _ promise: String) {
        (self.test, self.effect, self.fault, self.promise) = (test, effect, fault, promise)
    }

    /// The fault by which a test fails; nil where none is known, or another transport is used.
    static func of(_ test: String) -> FoundationNetworkingFault? {
        byTest[test]
    }

    /// Performs a test that fails by a fault, if by any.
    static func expecting(
        _ fault: FoundationNetworkingFault?, _ body: () async throws -> Void
    ) async throws {
        guard let fault else { return try await body() }
        switch fault.effect {
        case .isLeftOut: try Test.cancel(fault.fault)
        case .fails: await withKnownIssue(fault.fault) { try await body() }
        case .mayFail:
            await withKnownIssue(fault.fault, isIntermittent: true) { try await body() }
        }
    }

    private static let byTest = Dictionary(
        uniqueKeysWithValues: all.map { ($0.test, $0) })
}
