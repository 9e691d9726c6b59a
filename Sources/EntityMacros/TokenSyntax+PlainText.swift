import SwiftSyntax

extension TokenSyntax {
    /// The text of a name without the backticks around it.
    var plainText: String { identifier?.name ?? text }
}
