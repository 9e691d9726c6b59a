import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plugin that carries `@Entity` and its markers.
@main
struct EntityMacrosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        EntityMacro.self,
        IdentityMacro.self,
        AttributeMacro.self,
        RelationshipMacro.self,
        InheritedMacro.self,
    ]
}
