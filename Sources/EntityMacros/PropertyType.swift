import SwiftSyntax
import SwiftSyntaxBuilder

/// How the store keeps a property, as far as the spelling of its type tells.
struct PropertyType {
    enum Kind {
        case attribute, toOne, toMany
    }

    /// Why a type cannot stand in an entity.
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
        guard let name = NamedType(bare) else { throw PropertyType.refuse(bare, of: property) }
        if let destination = name.arguments.first, name.isLarder("One") {
            (kind, core) = (.toOne, destination)
        } else if let destination = name.arguments.first, name.isLarder("Many") {
            (kind, core) = (.toMany, destination)
        } else if name.isStandard("Array", "ArraySlice", "ContiguousArray", "Set", "Dictionary") {
            throw PropertyType.refuse(bare, of: property)
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

    // MARK: Types that hold more than a value

    private static func refuse(_ type: TypeSyntax, of property: String) -> Refusal {
        if let element = element(of: type) {
            return refuse(type, of: property, element: element)
        }
        let advice: String
        switch type.as(AttributedTypeSyntax.self)?.baseType.kind ?? type.kind {
        case .dictionaryType, .identifierType, .memberType:
            advice = "give each value a property of its own, or an entity"
        case .tupleType:
            advice = "give each element a property of its own"
        case .functionType:
            advice = "a function cannot be stored"
        default:
            advice = "name one type that conforms to 'AttributeValue'"
        }
        return Refusal(message: .unsupportedType(property, type, advice: advice))
    }

    private static func refuse(
        _ type: TypeSyntax, of property: String, element: TypeSyntax
    ) -> Refusal {
        let name = NamedType(element)
        if name?.name == "UInt8" {
            return Refusal(
                message: .unsupportedType(property, type, advice: "bytes are 'Data'"),
                replacement: "Data")
        }
        guard let name, !scalars.contains(name.name) else {
            return Refusal(
                message: .unsupportedType(
                    property, type,
                    advice: "an attribute holds one value; make the elements an entity and "
                        + "relate to it with 'Many'"))
        }
        return Refusal(
            message: .unsupportedType(
                property, type, advice: "a relationship to many objects is 'Many<\(element)>'"),
            replacement: "Many<\(element)>")
    }

    /// The element of an array or a set, in any spelling.
    private static func element(of type: TypeSyntax) -> TypeSyntax? {
        if let array = type.as(ArrayTypeSyntax.self) { return array.element.trimmed }
        guard let name = NamedType(type), name.name != "Dictionary" else { return nil }
        return name.arguments.first
    }

    /// The names of types that are certainly no entity.
    private static let scalars: Set<String> = [
        "Bool", "Character", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int8", "Int16",
        "Int32", "Int64", "String", "Substring", "UInt", "UInt16", "UInt32", "UInt64", "URL",
        "UUID",
    ]
}
