import SwiftDiagnostics
import SwiftSyntax

/// The diagnostics of an entity, in the order of the source.
struct Problems {
    private(set) var diagnostics: [Diagnostic] = []

    var isEmpty: Bool { diagnostics.isEmpty }

    mutating func report(
        _ message: EntityDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = []
    ) {
        diagnostics.append(Diagnostic(node: node, message: message, fixIts: fixIts))
    }

    mutating func append(_ others: Problems) {
        diagnostics += others.diagnostics
    }
}
