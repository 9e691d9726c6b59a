import SwiftSyntaxMacros

/// Stands behind `@Inherited`, which `@Entity` reads.
enum InheritedMacro: MarkerMacro {
    static let name = "Inherited"
}
