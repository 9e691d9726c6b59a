import SwiftSyntax

/// The key path in the JSON that a marker gives a property, if any.
enum KeyPathArgument {
    /// Nowhere said: by the property's name.
    case derived
    /// At a path, spelled at a node.
    case path(String, ExprSyntax)
    /// Not in the JSON: `mapped: false`.
    case unmapped

    init(_ marker: AttributeSyntax?, of property: String, problems: inout Problems) {
        self = .derived
        let arguments = marker?.labeledArguments ?? []
        if let first = arguments.first, first.label == nil,
            let literal = first.expression.as(StringLiteralExprSyntax.self)
        {
            let path = KeyPathArgument.path(in: literal, problems: &problems)
            self = .path(path, first.expression)
        }
        guard let mapped = arguments.first(where: { $0.label?.text == "mapped" }) else { return }
        guard let literal = mapped.expression.as(BooleanLiteralExprSyntax.self) else {
            problems.report(.mappedNotLiteral(property), at: mapped.expression)
            return
        }
        guard literal.literal.tokenKind == .keyword(.false) else { return }
        if case .path(_, let node) = self {
            problems.report(.keyWithoutMapping(property), at: node)
        }
        self = .unmapped
    }

    private static func path(
        in literal: StringLiteralExprSyntax, problems: inout Problems
    ) -> String {
        guard let path = literal.plainText else {
            problems.report(.keyNotLiteral, at: literal)
            return ""
        }
        if path.split(separator: ".", omittingEmptySubsequences: false).contains("") {
            problems.report(.keyPathStep(path), at: literal)
        }
        return path
    }
}
