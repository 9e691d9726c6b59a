import SwiftSyntax
import SwiftSyntaxBuilder

extension VariableDeclSyntax {
    /// Whether the property belongs to the type instead of its values.
    var isStatic: Bool {
        modifiers.contains { ["static", "class"].contains($0.name.text) }
    }
}

extension PatternBindingSyntax {
    /// Whether the binding has storage: it has no accessors, or observers only.
    var isStored: Bool {
        switch accessorBlock?.accessors {
        case nil:
            true
        case .getter:
            false
        case .accessors(let accessors):
            accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
        }
    }

    /// The type that the initial value seems to have, else a placeholder.
    var likelyType: TypeSyntax {
        var value = initializer?.value
        if let call = value?.as(FunctionCallExprSyntax.self) { value = call.calledExpression }
        if let access = value?.as(MemberAccessExprSyntax.self) { value = access.base }
        let text = value?.trimmedDescription ?? ""
        guard value?.is(DeclReferenceExprSyntax.self) == true, text.first?.isUppercase == true
        else { return TypeSyntax(IdentifierTypeSyntax(name: .identifier("<#Type#>"))) }
        return "\(raw: text)"
    }
}
