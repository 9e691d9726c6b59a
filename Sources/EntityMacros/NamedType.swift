import SwiftSyntax

/// A type spelled as a name, such as `Larder.One<User>`, taken apart.
struct NamedType {
    /// The names before the last dot: `["Larder"]`.
    let qualifiers: [String]
    /// The last name: `One`.
    let name: String
    /// The generic arguments of the last name: `[User]`.
    let arguments: [TypeSyntax]

    init?(_ type: TypeSyntax) {
        if let identifier = type.as(IdentifierTypeSyntax.self) {
            qualifiers = []
            name = identifier.name.plainText
            arguments = NamedType.arguments(identifier.genericArgumentClause)
        } else if let member = type.as(MemberTypeSyntax.self), let base = NamedType(member.baseType)
        {
            qualifiers = base.qualifiers + [base.name]
            name = member.name.plainText
            arguments = NamedType.arguments(member.genericArgumentClause)
        } else {
            return nil
        }
    }

    /// Whether this can be the library's type of the given name.
    func isLarder(_ name: String) -> Bool {
        self.name == name && [[], ["Larder"], ["LarderObjectStore"]].contains(qualifiers)
    }

    /// Whether this can be the standard library's type of one of the given names.
    func isStandard(_ names: String...) -> Bool {
        names.contains(name) && [[], ["Swift"]].contains(qualifiers)
    }

    private static func arguments(_ clause: GenericArgumentClauseSyntax?) -> [TypeSyntax] {
        clause?.arguments.compactMap { argument in
            if case .type(let type) = argument.argument { type.trimmed } else { nil }
        } ?? []
    }
}
