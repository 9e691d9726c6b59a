import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A marker on a property, which `@Entity` reads: writes nothing, and reports where it is lost.
protocol MarkerMacro: PeerMacro {
    /// The name after the `@`.
    static var name: String { get }
}

extension MarkerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if let message = misuse(of: declaration, in: context.lexicalContext) {
            context.diagnose(Diagnostic(node: node, message: message))
        }
        return []
    }

    private static func misuse(
        of declaration: some DeclSyntaxProtocol, in lexicalContext: [Syntax]
    ) -> EntityDiagnostic? {
        guard let variable = declaration.as(VariableDeclSyntax.self), !variable.isStatic,
            variable.bindings.allSatisfy(\.isStored)
        else { return .notAStoredProperty(name) }
        // What is no struct is reported by `@Entity` itself.
        let owner = lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)
        let isEntity = owner.map { !$0.attributes.named("Entity").isEmpty } ?? false
        return isEntity ? nil : .outsideEntity(name)
    }
}

/// Stands behind `@Attribute`, which `@Entity` reads.
enum AttributeMacro: MarkerMacro {
    static let name = "Attribute"
}

/// Stands behind `@Identity`, which `@Entity` reads.
enum IdentityMacro: MarkerMacro {
    static let name = "Identity"
}

/// Stands behind `@Inherited`, which `@Entity` reads.
enum InheritedMacro: MarkerMacro {
    static let name = "Inherited"
}

/// Stands behind `@Relationship`, which `@Entity` reads.
enum RelationshipMacro: MarkerMacro {
    static let name = "Relationship"
}
