import SwiftSyntax
import SwiftSyntaxBuilder

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

    init(_ type: TypeSyntax, of property: String) throws(Refusal) {
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
        if let refusal = RefusedType(bare) {
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
