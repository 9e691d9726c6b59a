import SwiftSyntaxMacros

/// Stands behind `@Relationship`, which `@Entity` reads.
enum RelationshipMacro: MarkerMacro {
    static let name = "Relationship"
}
