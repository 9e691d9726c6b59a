import SwiftSyntax
import SwiftSyntaxBuilder

/// The value after a property's `=`, as far as a macro can know it.
enum DefaultArgument {
    /// `nil`, which is what an empty optional is anyway.
    case empty
    /// A literal, with the type it has where none is given.
    case literal(String, type: TypeSyntax)
    /// A member such as `.open` or `State.open`; `base` is what stands before the dot.
    case member(String, base: String?)
    /// An expression that may give another value each time.
    case computed

    init(_ expression: ExprSyntax) {
        switch expression.as(ExprSyntaxEnum.self) {
        case .nilLiteralExpr:
            self = .empty
        case .booleanLiteralExpr:
            self = .literal(expression.trimmedDescription, type: "Bool")
        case .integerLiteralExpr:
            self = .literal(expression.trimmedDescription, type: "Int")
        case .floatLiteralExpr:
            self = .literal(expression.trimmedDescription, type: "Double")
        case .stringLiteralExpr(let literal):
            self =
                literal.isConstant
                ? .literal(expression.trimmedDescription, type: "String") : .computed
        case .prefixOperatorExpr(let signed):
            self = DefaultArgument.signed(signed)
        case .memberAccessExpr(let access):
            self = DefaultArgument.member(access)
        default:
            self = .computed
        }
    }

    /// Returns the code of the default of an attribute whose type is `type`; nil: none is passed.
    func expression(for type: TypeSyntax) -> String? {
        switch self {
        case .literal(let text, _): text
        case .member(let name, let base): "\(base ?? type.trimmedDescription).\(name)"
        case .empty, .computed: nil
        }
    }

    private static func signed(_ signed: PrefixOperatorExprSyntax) -> DefaultArgument {
        let isNumber =
            signed.expression.is(IntegerLiteralExprSyntax.self)
            || signed.expression.is(FloatLiteralExprSyntax.self)
        guard isNumber, ["-", "+"].contains(signed.operator.text),
            case .literal(_, let type) = DefaultArgument(signed.expression)
        else { return .computed }
        return .literal(signed.trimmedDescription, type: type)
    }

    private static func member(_ access: MemberAccessExprSyntax) -> DefaultArgument {
        let name = access.declName.trimmedDescription
        // The one member in common use that looks like a constant and is none.
        guard name != "now", access.declName.argumentNames == nil else { return .computed }
        guard let base = access.base else { return .member(name, base: nil) }
        guard isName(base) else { return .computed }
        return .member(name, base: base.trimmedDescription)
    }

    private static func isName(_ expression: ExprSyntax) -> Bool {
        if expression.is(DeclReferenceExprSyntax.self) { return true }
        return expression.as(MemberAccessExprSyntax.self)?.base.map(isName) ?? false
    }
}
