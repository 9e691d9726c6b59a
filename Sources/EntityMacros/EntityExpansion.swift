/// The code that `@Entity` writes for one declaration.
///
/// Names are qualified by their module so that no type of the user's can take their place, and
/// `nonisolated` so that modules that are isolated to the main actor can have entities too.
struct EntityExpansion {
    let entity: EntityDeclaration

    var modifiers: String { "\(entity.access.memberModifier)nonisolated " }

    // MARK: Name and description

    var name: String {
        "\(modifiers)static var entityName: Swift.String { \(entity.arguments.name) }"
    }

    var description: String {
        let identity = entity.properties.filter(\.markers.isIdentity).map(\.name.swiftLiteral)
        let properties = [
            "identity: [\(identity.joined(separator: ", "))]",
            "attributes: \(list(entity.ownAttributes.map(attribute)))",
            "relationships: \(list(entity.ownRelationships.map(relationship)))",
        ]
        let arguments =
            ["name: Self.entityName"] + options(before: true) + properties
            + options(before: false)
        return """
            \(modifiers)static let entityDescription = LarderObjectStore.EntityDescription(
                \(arguments.joined(separator: ",\n    "))
            )
            """
    }

    /// The arguments of `@Entity` that the description has before or after its properties.
    private func options(before: Bool) -> [String] {
        var options = entity.arguments.options.map { ($0.label, $0.value) }
        if let parent = entity.arguments.parent {
            options.append(("parent", parent + ".entityName"))
        }
        let labels =
            before
            ? ["parent", "isAbstract"]
            : ["mapper", "transformer", "renamedFrom", "tombstone", "hasFetchedAt"]
        return labels.compactMap { label in
            options.first { $0.0 == label }.map { "\(label): \($0.1)" }
        }
    }

    private func list(_ elements: [String]) -> String {
        guard !elements.isEmpty else { return "[]" }
        return "[\n" + elements.map { "        \($0),\n" }.joined() + "    ]"
    }

    private func attribute(_ property: Property) -> String {
        var arguments = [
            property.name.swiftLiteral, "\(property.type.spelling).self", key(of: property),
        ]
        if let transformer = property.markers.transformer {
            arguments.append("transformer: \(transformer)")
        }
        if let value = property.defaultValue { arguments.append("default: \(value)") }
        arguments += property.markers.options.map { "\($0.label): \($0.value)" }
        return "LarderObjectStore.AttributeDescription(\(arguments.joined(separator: ", ")))"
    }

    private func relationship(_ property: Property) -> String {
        var options = property.markers.options
        let order = options.firstIndex { $0.label == "isOrdered" }.map { options.remove(at: $0) }
        var arguments = [property.name.swiftLiteral, "to: \(property.type.core).entityName"]
        if property.type.kind == .toMany {
            arguments += ["isToMany: true", "isOrdered: \(order?.value ?? "true")"]
        } else if property.type.isOptional {
            arguments.append("isOptional: true")
        }
        arguments.append(key(of: property))
        arguments += options.map { "\($0.label): \($0.value)" }
        return "LarderObjectStore.RelationshipDescription(\(arguments.joined(separator: ", ")))"
    }

    private func key(of property: Property) -> String {
        let path = property.keyPath(snakeCase: entity.arguments.usesSnakeCase)
        return "key: \(path?.swiftLiteral ?? "nil")"
    }

    // MARK: Inheritance

    /// Nil where there is no parent.
    var parentType: String? {
        entity.arguments.parent.map {
            "\(modifiers)static var parentType: (any LarderObjectStore.Entity.Type)? { \($0).self }"
        }
    }

    /// Nil where nothing is inherited.
    var inheritedProperties: String? {
        guard !entity.inheritedProperties.isEmpty else { return nil }
        let elements = entity.inheritedProperties.map { "    \(inherited($0)),\n" }
        return """
            \(modifiers)static let inheritedProperties: [LarderObjectStore.InheritedProperty] = [
            \(elements.joined().dropLast())
            ]
            """
    }

    private func inherited(_ property: Property) -> String {
        let name = property.name.swiftLiteral
        let destination = "to: \(property.type.core).entityName"
        let optional = property.type.isOptional ? ", isOptional: true" : ""
        return switch property.type.kind {
        case .attribute: ".attribute(\(name), \(property.type.spelling).self)"
        case .toOne: ".one(\(name), \(destination)\(optional))"
        case .toMany: ".many(\(name), \(destination))"
        }
    }

    // MARK: Columns

    var columns: String {
        let storage = columnPath
        var columns = entity.properties.map { property in
            let access =
                property.access < .internal
                ? "\(property.access.rawValue) "
                : min(property.access, entity.access).memberModifier
            return "\(access)var \(property.code): LarderObjectStore.\(column(property))"
                + " { .init(\(storage), \(property.name.swiftLiteral)) }"
        }
        let access = entity.access.memberModifier
        if entity.arguments.fetchedAt != nil {
            columns.append(
                "\(access)var fetchedAt: LarderObjectStore.FetchedAtColumn"
                    + " { .fetchedAt(\(storage)) }")
        }
        return """
            \(modifiers)struct Columns: LarderObjectStore.EntityColumns {
                private let \(storage): LarderObjectStore.ColumnPath

                \(access)init(path: LarderObjectStore.ColumnPath) {
                    \(storage) = path
                }

                \(columns.joined(separator: "\n    "))
            }
            """
    }

    /// A name for the stored path that no property has.
    private var columnPath: String {
        let names = Set(entity.properties.map(\.name))
        var name = "columnPath"
        while names.contains(name) { name = "_" + name }
        return name
    }

    private func column(_ property: Property) -> String {
        switch property.type.kind {
        case .attribute: "Column<\(property.type.spelling)>"
        case .toOne: "ToOneColumn<\(property.type.core)>"
        case .toMany: "ToManyColumn<\(property.type.core)>"
        }
    }
}
