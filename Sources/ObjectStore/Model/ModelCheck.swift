/// Finds what is wrong with the meaning of a model whose parts are in form.
struct ModelCheck {
    let entities: [EntityDescription]
    /// The paths of parts that could not be read: what refers to them is not judged.
    var unread: Set<String> = []

    /// All that is wrong, in the order of the entities.
    func problems() -> [ModelError.Problem] {
        if entities.isEmpty, unread.isEmpty {
            return [.init(path: "entities", message: "a model needs at least one entity")]
        }
        let names = Dictionary(grouping: entities) { $0.name.lowercased() }
        return entities.flatMap { entity -> [ModelError.Problem] in
            let path = "entities.\(entity.name)"
            var problems = name(entity.name, at: path)
            if names[entity.name.lowercased(), default: []].count > 1 {
                problems.append(
                    .init(path: path, message: "another entity has this name (case does not count)")
                )
            }
            problems += identity(of: entity, at: "\(path).identity")
            for attribute in entity.attributes {
                problems += self.problems(
                    of: attribute, at: "\(path).attributes.\(attribute.name)")
            }
            for relationship in entity.relationships {
                let path = "\(path).relationships.\(relationship.name)"
                problems += self.problems(of: relationship, at: path)
                problems += inverse(of: relationship, from: entity, at: path)
            }
            return problems + properties(of: entity, at: path)
        }
    }

    // MARK: Names and keys

    /// A dot would make the names of tables ambiguous, `$` begins those of Larder's own columns.
    private func name(_ name: String, at path: String) -> [ModelError.Problem] {
        let isCarried =
            name.utf8.count <= 128 && !name.hasPrefix("$")
            && !name.lowercased().hasPrefix("sqlite_")
            && name.contains { $0.isLetter || $0.isNumber || $0 == "_" }
            && name.unicodeScalars.allSatisfy {
                !".`\\".unicodeScalars.contains($0) && $0.properties.generalCategory != .control
            }
        return isCarried
            ? []
            : [
                .init(
                    path: path,
                    message: "Swift and SQLite can't both carry this name; expected up to 128 bytes"
                        + " with a letter, a digit or _, none of . ` \\ and control characters, and"
                        + " neither $ nor sqlite_ at the beginning")
            ]
    }

    private func key(_ key: String?, at path: String) -> [ModelError.Problem] {
        guard let key, key.split(separator: ".", omittingEmptySubsequences: false).contains("")
        else { return [] }
        return [
            .init(path: "\(path).key", message: "expected a dotted key path without empty steps")
        ]
    }

    // MARK: Identity and attributes

    private func identity(of entity: EntityDescription, at path: String) -> [ModelError.Problem] {
        let attributes = "entities.\(entity.name).attributes"
        var problems: [ModelError.Problem] = []
        for (index, name) in entity.identity.enumerated() {
            if let attribute = entity.attribute(named: name) {
                guard attribute.key == nil else { continue }
                problems.append(
                    .init(
                        path: "\(path)[\(index)]",
                        message: "\(name) is not mapped, so no JSON can identify an object"))
            } else if unread.isDisjoint(with: [attributes, "\(attributes).\(name)"]) {
                problems.append(
                    .init(path: "\(path)[\(index)]", message: "there is no attribute \(name)"))
            }
        }
        if Set(entity.identity).count < entity.identity.count {
            problems.append(.init(path: path, message: "an attribute is named twice"))
        }
        return problems
    }

    private func problems(
        of attribute: AttributeDescription, at path: String
    ) -> [ModelError.Problem] {
        var problems = name(attribute.name, at: path) + key(attribute.key, at: path)
        if let value = attribute.defaultValue, !value.fits(attribute.type) {
            problems.append(
                .init(
                    path: "\(path).default",
                    message: "expected a value of type \(attribute.type.rawValue)"))
        }
        if let transformer = attribute.transformer, ValueCoder(attribute.type, transformer) == nil {
            let names = Transformer.builtIn.map(\.rawValue).sorted().joined(separator: ", ")
            problems.append(
                .init(
                    path: "\(path).transformer",
                    message: Transformer.builtIn.contains(transformer)
                        ? "\(transformer.rawValue) does not give values of type"
                            + " \(attribute.type.rawValue)"
                        : "unknown transformer \(transformer.rawValue); expected one of \(names)"))
        }
        return problems
    }

    // MARK: Relationships

    private func problems(
        of relationship: RelationshipDescription, at path: String
    ) -> [ModelError.Problem] {
        var problems = name(relationship.name, at: path) + key(relationship.key, at: path)
        let destination = relationship.destination
        if entity(destination) == nil,
            unread.isDisjoint(with: ["entities", "entities.\(destination)"])
        {
            problems.append(
                .init(
                    path: "\(path).to",
                    message: "there is no entity \(destination) in the model;"
                        + " add it where the store's entities are listed"))
        }
        if !relationship.isToMany, relationship.policy != .set {
            problems.append(
                .init(path: "\(path).policy", message: "only a to-many relationship has a policy"))
        }
        return problems
    }

    private func inverse(
        of relationship: RelationshipDescription, from entity: EntityDescription, at path: String
    ) -> [ModelError.Problem] {
        guard let name = relationship.inverse,
            let destination = self.entity(relationship.destination)
        else { return [] }
        let place = "\(path).inverse"
        guard let inverse = destination.relationship(named: name) else {
            let relationships = "entities.\(destination.name).relationships"
            return unread.isDisjoint(with: [relationships, "\(relationships).\(name)"])
                ? [.init(path: place, message: "\(destination.name) has no relationship \(name)")]
                : []
        }
        var problems: [ModelError.Problem] = []
        if inverse.destination != entity.name || inverse.inverse != relationship.name {
            problems.append(
                .init(
                    path: place,
                    message: "\(destination.name).\(name) does not name"
                        + " \(entity.name).\(relationship.name) as its inverse"))
        }
        if !relationship.isToMany, !inverse.isToMany {
            problems.append(
                .init(
                    path: place,
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

    private func entity(_ name: String) -> EntityDescription? {
        entities.first { $0.name == name }
    }

    // MARK: Properties together

    private func properties(of entity: EntityDescription, at path: String) -> [ModelError.Problem] {
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        var problems: [ModelError.Problem] = Self.repeated(names, by: { $0.lowercased() }).map {
            .init(path: path, message: "two properties are named \($0[0]) (case does not count)")
        }
        let meanings =
            entity.attributes.compactMap { attribute in
                attribute.key.map {
                    (
                        $0, attribute.name,
                        "\(attribute.type) \(attribute.transformer?.rawValue ?? "")"
                    )
                }
            }
            + entity.relationships.compactMap { relationship in
                relationship.key.map {
                    ($0, relationship.name, "\(relationship.destination).\(relationship.isToMany)")
                }
            }
        for group in Self.repeated(meanings, by: \.0) where Set(group.map(\.2)).count > 1 {
            let names = group.map(\.1).joined(separator: " and ")
            problems.append(
                .init(path: path, message: "\(names) read \(group[0].0) with different meaning"))
        }
        if entity.attributes.count + entity.toOneRelationships.count > ColumnSet.maximumCount {
            problems.append(
                .init(
                    path: path,
                    message: "an entity has at most \(ColumnSet.maximumCount) attributes and"
                        + " to-one relationships"))
        }
        return problems
    }

    /// The elements that share a key with others, in the order of their first.
    private static func repeated<Element>(
        _ elements: [Element], by key: (Element) -> String
    ) -> [[Element]] {
        let groups = Dictionary(grouping: elements, by: key).filter { $0.value.count > 1 }
        var keys: Set<String> = []
        return elements.map(key).filter { keys.insert($0).inserted }.compactMap { groups[$0] }
    }
}
