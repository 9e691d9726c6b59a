import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The arguments of `@Entity`.
struct EntityArguments {
    /// The entity's name, as code.
    private(set) var name: String
    private(set) var usesSnakeCase = false
    /// The argument by which the store keeps when objects were fetched; nil: it does not.
    private(set) var fetchedAt: ExprSyntax?
    /// The type of the entity that it inherits from, as code; nil: none is given.
    private(set) var parent: String?
    /// Arguments that the description has too: label and code.
    private(set) var options: [(label: String, value: String)] = []

    init(_ attribute: AttributeSyntax, structName: TokenSyntax, problems: inout Problems) {
        name = structName.plainText.swiftLiteral
        for argument in attribute.labeledArguments {
            let expression = argument.expression
            switch argument.label?.text {
            case nil: readName(expression, &problems)
            case "keys": readKeys(expression, &problems)
            case "parent": readParent(expression, structName, &problems)
            case "fetchedAt": readFetchedAt(expression, &problems)
            case "abstract": options.append(("isAbstract", expression.trimmedDescription))
            case let label?: options.append((label, expression.trimmedDescription))
            }
        }
    }

    private mutating func readName(_ expression: ExprSyntax, _ problems: inout Problems) {
        if expression.is(NilLiteralExprSyntax.self) { return }
        let literal = expression.as(StringLiteralExprSyntax.self)?.plainText
        guard let literal, !literal.isEmpty else {
            problems.report(.nameNotLiteral, at: expression)
            return
        }
        name = literal.swiftLiteral
    }

    private mutating func readKeys(_ expression: ExprSyntax, _ problems: inout Problems) {
        switch expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text {
        case "snakeCase": usesSnakeCase = true
        case "verbatim": usesSnakeCase = false
        default: problems.report(.keysNotLiteral, at: expression)
        }
    }

    private mutating func readFetchedAt(_ expression: ExprSyntax, _ problems: inout Problems) {
        guard let literal = expression.as(BooleanLiteralExprSyntax.self) else {
            problems.report(.fetchedAtNotLiteral, at: expression)
            return
        }
        options.append(("hasFetchedAt", literal.trimmedDescription))
        if literal.literal.tokenKind == .keyword(.true) { fetchedAt = expression }
    }

    private mutating func readParent(
        _ expression: ExprSyntax, _ structName: TokenSyntax, _ problems: inout Problems
    ) {
        if expression.is(NilLiteralExprSyntax.self) { return }
        guard let access = expression.as(MemberAccessExprSyntax.self), let base = access.base,
            access.declName.baseName.tokenKind == .keyword(.self)
        else {
            let isName = expression.is(DeclReferenceExprSyntax.self)
            let spelled: ExprSyntax = "\(expression.trimmed).self"
            problems.report(
                .parentNotType, at: expression,
                fixIts: isName
                    ? [.replace(expression, by: spelled, "use '\(spelled)'")] : [])
            return
        }
        if base.trimmedDescription == structName.text {
            problems.report(.parentOfItself(structName.plainText), at: expression)
        }
        parent = base.trimmedDescription
    }
}

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
