import SwiftSyntaxMacros

/// Stands behind `@Attribute`, which `@Entity` reads.
enum AttributeMacro: MarkerMacro {
    static let name = "Attribute"
}
