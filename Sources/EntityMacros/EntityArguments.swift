import SwiftSyntax

/// What stands in the parentheses of `@Entity`.
struct EntityArguments {
    /// The entity's name, as code.
    let name: String
    let usesSnakeCase: Bool
    /// The earlier name, as code; nil: none is given.
    let renamedFrom: String?

    init(_ attribute: AttributeSyntax, structName: TokenSyntax, problems: inout Problems) {
        var name = structName.plainText
        var usesSnakeCase = false
        var renamedFrom: String?
        for argument in attribute.labeledArguments {
            let expression = argument.expression
            switch argument.label?.text {
            case "keys":
                switch expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text {
                case "snakeCase": usesSnakeCase = true
                case "verbatim": usesSnakeCase = false
                default: problems.report(.keysNotLiteral, at: expression)
                }
            case "renamedFrom":
                renamedFrom = expression.trimmedDescription
            default:
                if expression.is(NilLiteralExprSyntax.self) { break }
                let literal = expression.as(StringLiteralExprSyntax.self)?.plainText
                if let literal, !literal.isEmpty {
                    name = literal
                } else {
                    problems.report(.nameNotLiteral, at: expression)
                }
            }
        }
        self.name = name.swiftLiteral
        self.usesSnakeCase = usesSnakeCase
        self.renamedFrom = renamedFrom
    }
}
