import SwiftDiagnostics
import SwiftSyntax

/// The markers of a property: `@Identity`, `@Attribute`, `@Relationship` and `@Inherited`.
struct PropertyMarkers {
    let isIdentity: Bool
    /// Whether the property is the parent's.
    let isInherited: Bool
    let key: KeyPathArgument
    let transformer: String?
    let options: [(label: String, value: String)]

    init(
        _ attributes: AttributeListSyntax, of property: TokenSyntax, type: PropertyType,
        hasParent: Bool, problems: inout Problems
    ) {
        let (name, kind) = (property.plainText, type.kind)
        PropertyMarkers.checkForeign(attributes, name, &problems)
        for marker in PropertyMarkers.names {
            PropertyMarkers.checkRepeated(attributes.named(marker), marker, name, &problems)
        }
        isInherited = !attributes.named("Inherited").isEmpty
        PropertyMarkers.checkInherited(attributes, name, hasParent: hasParent, &problems)
        let identity = attributes.named("Identity").first
        let attribute = attributes.named("Attribute").first
        let relationship = attributes.named("Relationship").first
        if kind == .attribute {
            let elements = PropertyMarkers.linkableElements(of: type.core)
            PropertyMarkers.checkKind(
                relationship, .relationshipOnAttribute(name, elements), "Attribute", &problems)
        } else {
            PropertyMarkers.checkKind(
                attribute, .attributeOnRelationship(name), "Relationship", &problems)
            if let identity {
                problems.report(
                    .identityOnRelationship(name), at: identity,
                    fixIts: FixIt.remove(identity, "remove '@Identity'"))
            }
        }
        let marker = kind == .attribute ? attribute : relationship
        isIdentity = identity != nil
        key = KeyPathArgument(marker, of: name, problems: &problems)
        transformer = marker.flatMap { PropertyMarkers.transformer($0, &problems) }
        options = PropertyMarkers.options(marker, of: name, kind: kind, &problems)
    }

    // MARK: Arguments

    /// The argument without a label that is no key path.
    private static func transformer(
        _ marker: AttributeSyntax, _ problems: inout Problems
    ) -> String? {
        let unlabeled = marker.labeledArguments.prefix { $0.label == nil }.map(\.expression)
        if unlabeled.count > 1, let key = unlabeled.first, !key.is(StringLiteralExprSyntax.self),
            !key.is(NilLiteralExprSyntax.self)
        {
            problems.report(.keyNotLiteral, at: key)
        }
        guard let last = unlabeled.last, !last.is(StringLiteralExprSyntax.self),
            !last.is(NilLiteralExprSyntax.self)
        else { return nil }
        return last.trimmedDescription
    }

    private static let labels = [
        "indexed": "isIndexed", "searchable": "isSearchable", "renamedFrom": "renamedFrom",
        "inverse": "inverse", "ordered": "isOrdered", "delete": "deleteRule", "policy": "policy",
        "partial": "isPartial",
    ]

    private static func options(
        _ marker: AttributeSyntax?, of name: String, kind: PropertyType.Kind,
        _ problems: inout Problems
    ) -> [(label: String, value: String)] {
        var options: [(label: String, value: String)] = []
        for argument in marker?.labeledArguments ?? [] {
            guard let label = argument.label?.text, let target = labels[label] else { continue }
            if kind == .toOne, label == "ordered" || label == "policy" {
                problems.report(.toManyOnly(name, label), at: argument)
            }
            options.append((target, argument.expression.trimmedDescription))
        }
        return options
    }

    // MARK: Misuse

    private static let names = ["Identity", "Attribute", "Relationship", "Inherited"]

    private static func checkInherited(
        _ attributes: AttributeListSyntax, _ name: String, hasParent: Bool,
        _ problems: inout Problems
    ) {
        guard let inherited = attributes.named("Inherited").first else { return }
        if !hasParent {
            problems.report(
                .inheritedWithoutParent(name), at: inherited,
                fixIts: FixIt.remove(inherited, "remove '@Inherited'"))
        }
        for marker in names where marker != "Inherited" {
            for other in attributes.named(marker) {
                problems.report(
                    .inheritedMarker(name, marker), at: other,
                    fixIts: FixIt.remove(other, "remove '@\(marker)'"))
            }
        }
    }

    private static func checkKind(
        _ marker: AttributeSyntax?, _ message: EntityDiagnostic, _ right: String,
        _ problems: inout Problems
    ) {
        guard let marker else { return }
        let fits = marker.labeledArguments.allSatisfy {
            $0.label.map { ["renamedFrom", "mapped"].contains($0.text) }
                ?? $0.expression.is(StringLiteralExprSyntax.self)
        }
        let replacement = IdentifierTypeSyntax(name: .identifier(right))
        problems.report(
            message, at: marker,
            fixIts: fits
                ? [.replace(marker.attributeName, by: replacement, "use '@\(right)'")] : [])
    }

    /// The elements of an array, where they may be objects that are meant to be linked.
    private static func linkableElements(of type: TypeSyntax) -> TypeSyntax? {
        let element =
            type.as(ArrayTypeSyntax.self)?.element.trimmed
            ?? NamedType(type).flatMap { $0.isStandard("Array") ? $0.arguments.first : nil }
        guard let element, let name = NamedType(element),
            !name.isStandard("String", "Int", "Double", "Bool")
        else { return nil }
        return element
    }

    private static func checkRepeated(
        _ markers: [AttributeSyntax], _ marker: String, _ name: String, _ problems: inout Problems
    ) {
        for repeated in markers.dropFirst() {
            problems.report(
                .repeatedMarker(name, marker), at: repeated,
                fixIts: FixIt.remove(repeated, "remove this '@\(marker)'"))
        }
    }

    /// Reports attributes that may be property wrappers or macros, which change what is stored.
    private static func checkForeign(
        _ attributes: AttributeListSyntax, _ name: String, _ problems: inout Problems
    ) {
        let known = names + ["usableFromInline"]
        for element in attributes {
            guard case .attribute(let attribute) = element else {
                problems.report(.conditionalAttribute(name), at: element)
                continue
            }
            let spelling = attribute.attributeName.trimmedDescription
            let isKnown = NamedType(attribute.attributeName).map { type in
                known.contains(where: type.isLarder)
            }
            guard isKnown != true else { continue }
            problems.report(
                .unknownAttribute(name, "@\(spelling)"), at: attribute,
                fixIts: FixIt.remove(attribute, "remove '@\(spelling)'"))
        }
    }
}
