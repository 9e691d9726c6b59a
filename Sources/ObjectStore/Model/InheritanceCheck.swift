/// Finds what is wrong with parents, mappers and what sub-entities inherit.
struct InheritanceCheck {
    private let entities: [EntityDescription]
    private let unread: Set<String>
    private let lineage: EntityLineage

    init(_ entities: [EntityDescription], unread: Set<String> = []) {
        self.entities = entities
        self.unread = unread
        lineage = EntityLineage(entities)
    }

    /// Returns the problems of one entity's inheritance.
    func problems(of entity: EntityDescription) -> [ModelError.Problem] {
        let path = "entities.\(entity.name)"
        return parent(of: entity, at: path) + abstraction(of: entity, at: path)
            + mapper(of: entity, at: "\(path).mapper") + columns(of: entity, at: path)
    }

    // MARK: Parents

    private func parent(of entity: EntityDescription, at path: String) -> [ModelError.Problem] {
        guard let parent = entity.parent else { return [] }
        if lineage[parent] == nil {
            return isUnread(parent)
                ? []
                : [
                    .init(
                        path: "\(path).parent", message: "there is no entity \(parent) in the model"
                    )
                ]
        }
        guard
            parent == entity.name
                || lineage.ancestors(of: parent).contains(where: { $0.name == entity.name })
        else { return [] }
        let cycle = [entity.name, parent] + lineage.ancestors(of: parent).map(\.name)
        let end = cycle.dropFirst().firstIndex(of: entity.name) ?? cycle.count - 1
        return [
            .init(
                path: "\(path).parent",
                message: "an entity can't be its own ancestor: "
                    + cycle[...end].joined(separator: " > "))
        ]
    }

    private func abstraction(
        of entity: EntityDescription, at path: String
    ) -> [ModelError.Problem] {
        guard entity.isAbstract, unread.isEmpty,
            lineage.family(below: entity.name).allSatisfy(\.isAbstract)
        else { return [] }
        return [
            .init(
                path: "\(path).abstract",
                message: "there can be no objects of it: no entity that is not abstract has it as"
                    + " its parent")
        ]
    }

    // MARK: Mappers

    private func mapper(of entity: EntityDescription, at path: String) -> [ModelError.Problem] {
        guard let mapper = entity.mapper else { return [] }
        var problems: [ModelError.Problem] = []
        if mapper.key.split(separator: ".", omittingEmptySubsequences: false).contains("") {
            problems.append(
                .init(
                    path: "\(path).key", message: "expected a dotted key path without empty steps"))
        }
        if mapper.values.isEmpty, !unread.contains("\(path).values") {
            problems.append(.init(path: "\(path).values", message: "expected at least one value"))
        }
        for (value, name) in mapper.values.sorted(by: { $0.key < $1.key }) {
            if lineage[name] == nil, isUnread(name) { continue }
            let message: String? =
                if lineage[name] == nil {
                    "there is no entity \(name) in the model"
                } else if !lineage.isEntity(name, at: entity.name) {
                    "\(name) is neither \(entity.name) nor one of its sub-entities"
                } else if lineage[name]?.isAbstract == true {
                    "\(name) is abstract, so there are no objects of it"
                } else {
                    nil
                }
            if let message {
                problems.append(.init(path: "\(path).values.\(value)", message: message))
            }
        }
        return problems
    }

    // MARK: Columns that sub-entities share

    /// Entities of one family that do not inherit from each other may have columns of one name, which
    /// then are one column and must be alike.
    private func columns(of entity: EntityDescription, at path: String) -> [ModelError.Problem] {
        guard entity.parent != nil else { return [] }
        let others = lineage.family(below: lineage.root(of: entity.name)).filter {
            $0.name < entity.name && !lineage.isEntity($0.name, at: entity.name)
                && !lineage.isEntity(entity.name, at: $0.name)
        }
        return Self.columns(of: entity).flatMap { column in
            others.compactMap { other -> ModelError.Problem? in
                let twin = Self.columns(of: other).first {
                    $0.name.lowercased() == column.name.lowercased()
                }
                guard let twin, twin != column else { return nil }
                return .init(
                    path: path,
                    message: "\(column.name) would share a column with \(other.name).\(twin.name),"
                        + " which is of another kind; give one of them another name, and its key")
            }
        }
    }

    private struct ColumnMeaning: Equatable {
        let name: String
        let meaning: String
    }

    private static func columns(of entity: EntityDescription) -> [ColumnMeaning] {
        entity.attributes.map { ColumnMeaning(name: $0.name, meaning: $0.type.rawValue) }
            + entity.toOneRelationships.map {
                ColumnMeaning(
                    name: $0.name, meaning: "to \($0.destination), optional: \($0.isOptional)")
            }
    }

    private func isUnread(_ entity: String) -> Bool {
        !unread.isDisjoint(with: ["entities", "entities.\(entity)"])
    }

    // MARK: Types

    /// Returns the problems of types that have another parent than their descriptions, or read
    /// inherited properties as something else than their ancestors have.
    func problems(of types: [any Entity.Type]) -> [ModelError.Problem] {
        types.flatMap { type -> [ModelError.Problem] in
            let path = "entities.\(type.entityName)"
            let parent = type.entityDescription.parent
            if type.parentType?.entityName != parent {
                return [
                    .init(
                        path: "\(path).parent",
                        message:
                            "the type's parent is \(type.parentType?.entityName ?? "none"), its"
                            + " description's \(parent ?? "none")")
                ]
            }
            guard let parent, let ancestor = lineage[parent] else {
                return type.inheritedProperties.map {
                    .init(
                        path: "\(path).\($0.name)",
                        message: "an entity without a parent inherits nothing")
                }
            }
            let whole = lineage.flattened(ancestor)
            return type.inheritedProperties.compactMap { property in
                property.problem(reading: whole).map {
                    .init(path: "\(path).\(property.name)", message: $0)
                }
            }
        }
    }
}
