import SwiftSyntaxMacros

/// Stands behind `@Identity`, which `@Entity` reads.
enum IdentityMacro: MarkerMacro {
    static let name = "Identity"
}
