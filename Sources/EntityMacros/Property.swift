import SwiftSyntax
import SwiftSyntaxBuilder

/// A stored property of an entity, read from its declaration.
struct Property {
    /// The name as the declaration has it.
    let identifier: TokenSyntax
    let type: PropertyType
    /// The level of the property's column.
    let access: EntityAccess
    let markers: PropertyMarkers
    /// The default, as code.
    let defaultValue: String?

    /// The name without backticks.
    var name: String { identifier.plainText }

    /// The name as code has it, with backticks where it needs them.
    var code: String { identifier.text }

    /// The name as the label of an argument, where most keywords need no backticks and the compiler
    /// warns of those that are not needed.
    var label: String {
        let isWord =
            name.first?.isNumber == false
            && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
        return isWord && name != "inout" ? name : code
    }

    /// The JSON key path; nil: not mapped.
    func keyPath(snakeCase: Bool) -> String? {
        switch markers.key {
        case .derived: snakeCase ? SnakeCase(name).text : name
        case .path(let path, _): path
        case .unmapped: nil
        }
    }

    /// The node that spells the key path: the marker's argument, else the name.
    var keyPathNode: Syntax {
        if case .path(_, let node) = markers.key { Syntax(node) } else { Syntax(identifier) }
    }
}

/// The kind and the type of a property in the store, as far as the spelling of its type tells.
struct PropertyType {
    enum Kind {
        case attribute, toOne, toMany
    }

    /// The reason why a type cannot stand in an entity.
    struct Refusal: Error {
        let message: EntityDiagnostic
        var replacement: TypeSyntax?
    }

    let kind: Kind
    /// The type as it is spelled, with its optional.
    let spelling: TypeSyntax
    /// An attribute's type without its optional, or a relationship's destination.
    let core: TypeSyntax
    let isOptional: Bool
    /// Whether the value is kept as JSON for sure: an array or a dictionary.
    let isJSON: Bool

    /// - Parameter ownTypes: The names of the types that the entity itself declares.
    init(
        _ type: TypeSyntax, of property: String, ownTypes: Set<String> = []
    ) throws(Refusal) {
        spelling = PropertyType.withoutParentheses(type)
        if let forced = spelling.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            throw Refusal(
                message: .implicitlyUnwrapped(property),
                replacement: TypeSyntax(
                    OptionalTypeSyntax(wrappedType: forced.wrappedType.trimmed)))
        }
        let wrapped = PropertyType.unwrap(spelling)
        isOptional = wrapped != nil
        let bare = wrapped ?? spelling
        if PropertyType.unwrap(bare) != nil {
            throw Refusal(message: .doubleOptional(property), replacement: bare)
        }
        if let refusal = RefusedType(bare, ownTypes: ownTypes) {
            throw Refusal(
                message: .unsupportedType(property, bare, advice: refusal.advice),
                replacement: refusal.replacement)
        }
        let name = NamedType(bare)
        isJSON = name?.isStandard("Array", "Dictionary") ?? true
        if let name, let destination = name.arguments.first, name.isLarder("One") {
            (kind, core) = (.toOne, destination)
        } else if let name, let destination = name.arguments.first, name.isLarder("Many") {
            (kind, core) = (.toMany, destination)
        } else {
            (kind, core) = (.attribute, bare)
        }
        if kind == .toMany, isOptional {
            throw Refusal(message: .optionalMany(property), replacement: bare)
        }
    }

    /// The type inside `T?` or `Optional<T>`; nil when `type` is neither.
    private static func unwrap(_ type: TypeSyntax) -> TypeSyntax? {
        if let optional = type.as(OptionalTypeSyntax.self) {
            return withoutParentheses(optional.wrappedType)
        }
        guard let name = NamedType(type), name.isStandard("Optional") else { return nil }
        return name.arguments.first.map(withoutParentheses)
    }

    private static func withoutParentheses(_ type: TypeSyntax) -> TypeSyntax {
        guard let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
            let only = tuple.elements.first, only.firstName == nil, only.ellipsis == nil
        else { return type.trimmed }
        return withoutParentheses(only.type)
    }
}

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
