/// The code that `@Entity` writes for one declaration.
///
/// Names are qualified by their module so that no type of the user's can take their place, and
/// `nonisolated` so that modules that are isolated to the main actor can have entities too.
struct EntityExpansion {
    let entity: EntityDeclaration

    private var modifiers: String { "\(entity.access.memberModifier)nonisolated " }

    // MARK: Name and description

    var name: String {
        "\(modifiers)static var entityName: Swift.String { \(entity.arguments.name) }"
    }

    var description: String {
        let identity = entity.properties.filter(\.markers.isIdentity).map(\.name.swiftLiteral)
        var arguments = [
            "name: Self.entityName",
            "identity: [\(identity.joined(separator: ", "))]",
            "attributes: \(list(entity.attributes.map(attribute)))",
            "relationships: \(list(entity.relationships.map(relationship)))",
        ]
        if let earlier = entity.arguments.renamedFrom {
            arguments.append("renamedFrom: \(earlier)")
        }
        return """
            \(modifiers)static let entityDescription = LarderObjectStore.EntityDescription(
                \(arguments.joined(separator: ",\n    "))
            )
            """
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

    // MARK: Columns

    var columns: String {
        let storage = columnPath
        let columns = entity.properties.map { property in
            let access =
                property.access < .internal
                ? "\(property.access.rawValue) "
                : min(property.access, entity.access).memberModifier
            return "\(access)var \(property.code): LarderObjectStore.\(column(property))"
                + " { .init(\(storage), \(property.name.swiftLiteral)) }"
        }
        let access = entity.access.memberModifier
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

    // MARK: Reading a row

    var initializer: String {
        var attributes = 0
        var links = 0
        let assignments = entity.properties.map { property in
            switch property.type.kind {
            case .attribute:
                defer { attributes += 1 }
                return "self.\(property.code) = try row.attribute(\(attributes))"
            case .toOne:
                defer { links += 1 }
                return "self.\(property.code) = try row.one(\(links))"
            case .toMany:
                return "self.\(property.code) = row.many(\(property.name.swiftLiteral))"
            }
        }
        return """
            \(modifiers)init(row: LarderObjectStore.Row) throws {
                \(assignments.joined(separator: "\n    "))
            }
            """
    }

    // MARK: Writing to a store

    var writer: String {
        var attributes = 0
        var links = 0
        let calls = entity.properties.map { property in
            switch property.type.kind {
            case .attribute:
                defer { attributes += 1 }
                return "try values.attribute(\(attributes), self.\(property.code))"
            case .toOne:
                defer { links += 1 }
                return "try values.one(\(links), self.\(property.code))"
            case .toMany:
                return "try values.many(\(property.name.swiftLiteral), self.\(property.code))"
            }
        }
        return """
            \(modifiers)func write(to values: inout LarderObjectStore.ObjectValues) throws {
                \(calls.joined(separator: "\n    "))
            }
            """
    }
}
