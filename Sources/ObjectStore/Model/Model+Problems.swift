extension Model {
    /// All that is wrong with the model, in its order.
    func problems() -> [ModelError.Problem] {
        var problems: [ModelError.Problem] = []
        if entities.isEmpty {
            problems.append(.init(path: "entities", message: "a model needs at least one entity"))
        }
        let names = Dictionary(grouping: entities, by: { $0.name.lowercased() })
        for entity in entities {
            let path = "entities.\(entity.name)"
            if names[entity.name.lowercased(), default: []].count > 1 {
                problems.append(
                    .init(path: path, message: "another entity has this name (case does not count)")
                )
            }
            problems += Self.nameProblems(entity.name, at: path)
            problems += identityProblems(of: entity, at: path)
            problems += attributeProblems(of: entity, at: path)
            for relationship in entity.relationships {
                problems += self.problems(
                    of: relationship, in: entity, at: "\(path).relationships.\(relationship.name)")
            }
            problems += propertyProblems(of: entity, at: path)
        }
        return problems
    }

    private static func nameProblems(_ name: String, at path: String) -> [ModelError.Problem] {
        let isCarried =
            !name.isEmpty && name.utf8.count <= 1024 && !name.utf8.contains(0)
            && !name.contains(".") && !name.hasPrefix("$")
            && !name.lowercased().hasPrefix("sqlite_")
        return isCarried
            ? []
            : [
                .init(
                    path: path,
                    message: "a name has 1 to 1024 bytes, no NUL and no dot, and does not begin with"
                        + " $ or sqlite_")
            ]
    }

    private func identityProblems(
        of entity: EntityDescription, at path: String
    ) -> [ModelError.Problem] {
        var problems: [ModelError.Problem] = []
        for (index, name) in entity.identity.enumerated() {
            let path = "\(path).identity[\(index)]"
            guard let attribute = entity.attribute(named: name) else {
                problems.append(.init(path: path, message: "there is no attribute \(name)"))
                continue
            }
            if attribute.key == nil {
                problems.append(
                    .init(path: path, message: "\(name) is not mapped, so no JSON can identify it"))
            }
        }
        if Set(entity.identity).count < entity.identity.count {
            problems.append(.init(path: "\(path).identity", message: "an attribute is named twice"))
        }
        return problems
    }

    private func attributeProblems(
        of entity: EntityDescription, at path: String
    ) -> [ModelError.Problem] {
        entity.attributes.flatMap { attribute in
            let path = "\(path).attributes.\(attribute.name)"
            var problems = Self.nameProblems(attribute.name, at: path)
            if let value = attribute.defaultValue, !value.fits(attribute.type) {
                problems.append(
                    .init(
                        path: "\(path).default",
                        message: "expected a value of type \(attribute.type.rawValue)"))
            }
            if let transformer = attribute.transformer,
                ValueCoder(attribute.type, transformer) == nil
            {
                problems.append(
                    .init(
                        path: "\(path).transformer",
                        message: "\(transformer.rawValue) does not give values of type"
                            + " \(attribute.type.rawValue)"))
            }
            return problems
        }
    }

    private func problems(
        of relationship: RelationshipDescription, in entity: EntityDescription, at path: String
    ) -> [ModelError.Problem] {
        var problems = Self.nameProblems(relationship.name, at: path)
        guard let destination = self[entity: relationship.destination] else {
            problems.append(
                .init(
                    path: "\(path).to",
                    message: "there is no entity \(relationship.destination) in the model;"
                        + " add it where the store's entities are listed"))
            return problems
        }
        guard let name = relationship.inverse else { return problems }
        guard let inverse = destination.relationship(named: name) else {
            problems.append(
                .init(
                    path: "\(path).inverse",
                    message: "\(destination.name) has no relationship \(name)"))
            return problems
        }
        if inverse.destination != entity.name || inverse.inverse != relationship.name {
            problems.append(
                .init(
                    path: "\(path).inverse",
                    message: "\(destination.name).\(name) does not name \(relationship.name)"
                        + " as its inverse"))
        }
        if !relationship.isToMany, !inverse.isToMany {
            problems.append(
                .init(
                    path: "\(path).inverse",
                    message: "two to-one relationships can't be inverse to each other yet"))
        }
        if relationship.isToMany, relationship.isOrdered, !inverse.isToMany {
            problems.append(
                .init(
                    path: "\(path).ordered",
                    message: "the inverse of a to-one relationship has no order; say ordered: false"
                ))
        }
        return problems
    }

    /// Properties of one name, or with one key path and different meaning.
    private func propertyProblems(
        of entity: EntityDescription, at path: String
    ) -> [ModelError.Problem] {
        let properties =
            entity.attributes.map { (name: $0.name, key: $0.key, isRelationship: false) }
            + entity.relationships.map { (name: $0.name, key: $0.key, isRelationship: true) }
        let twice = Dictionary(grouping: properties, by: { $0.name.lowercased() })
            .values.filter { $0.count > 1 }.map { $0[0].name }.sorted()
        let clashes = Dictionary(grouping: properties.filter { $0.key != nil }, by: \.key)
            .values.filter { $0.count > 1 && Set($0.map(\.isRelationship)).count > 1 }
            .compactMap { $0[0].key }.sorted()
        let columns = entity.attributes.count + entity.toOneRelationships.count
        return twice.map {
            .init(path: path, message: "two properties are named \($0) (case does not count)")
        }
            + clashes.map {
                .init(path: path, message: "an attribute and a relationship both read \($0)")
            }
            + (columns > ColumnSet.maximumCount
                ? [
                    .init(
                        path: path,
                        message: "an entity has at most \(ColumnSet.maximumCount) attributes and"
                            + " to-one relationships")
                ] : [])
    }
}
