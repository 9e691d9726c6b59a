import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The arguments of `@Entity`.
struct EntityArguments {
    /// The entity's name, as code.
    private(set) var name: String
    private(set) var usesSnakeCase = false
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
