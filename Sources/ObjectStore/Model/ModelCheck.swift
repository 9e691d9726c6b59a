/// Finds what is wrong with the meaning of a model whose parts are in form.
struct ModelCheck {
    let entities: [EntityDescription]
    /// The paths of parts that could not be read: what refers to them is not judged.
    let unread: Set<String>
    private let lineage: EntityLineage

    init(entities: [EntityDescription], unread: Set<String> = []) {
        self.entities = entities
        self.unread = unread
        lineage = EntityLineage(entities)
    }

    /// All that is wrong, in the order of the entities.
    func problems() -> [ModelError.Problem] {
        let names = Dictionary(grouping: entities) { $0.name.lowercased() }
        let inheritance = InheritanceCheck(entities, unread: unread)
        return entities.flatMap { entity -> [ModelError.Problem] in
            let path = "entities.\(entity.name)"
            var problems = tableName(entity.name, at: path) + inheritance.problems(of: entity)
            if names[entity.name.lowercased(), default: []].count > 1 {
                problems.append(
                    .init(path: path, message: "another entity has this name (case does not count)")
                )
            }
            problems += identity(of: entity, at: "\(path).identity")
            problems += fetchedAt(of: entity, at: "\(path).fetchedAt")
            problems += sharedEarlierNames(of: entity, at: path)
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

    /// Queries could not tell the one from the other.
    private func fetchedAt(of entity: EntityDescription, at path: String) -> [ModelError.Problem] {
        let whole = lineage.flattened(entity)
        guard whole.hasFetchedAt,
            whole.attribute(named: "fetchedAt") != nil
                || whole.relationship(named: "fetchedAt") != nil
        else { return [] }
        return [.init(path: path, message: "the entity has a property of this name")]
    }

    // MARK: Names and keys

    /// Returns the problems of parts that share an earlier name: the objects, values or links would
    /// go to one of them only.
    private func sharedEarlierNames(
        of entity: EntityDescription, at path: String
    ) -> [ModelError.Problem] {
        let entities = entities.filter { $0.renamedFrom != nil }
        let parts =
            [(path, entity.renamedFrom, entities.map(\.renamedFrom))]
            + entity.attributes.map {
                (
                    "\(path).attributes.\($0.name)", $0.renamedFrom,
                    entity.attributes.map(\.renamedFrom)
                )
            }
            + entity.relationships.map {
                (
                    "\(path).relationships.\($0.name)", $0.renamedFrom,
                    entity.relationships.map(\.renamedFrom)
                )
            }
        return parts.compactMap { path, earlier, all in
            guard let earlier, all.filter({ $0 == earlier }).count > 1 else { return nil }
            return .init(
                path: "\(path).renamedFrom",
                message: "another one is renamed from \(earlier) too; only one can go on with it")
        }
    }

    /// SQLite keeps names that begin with `sqlite_` for its own tables, and finds a table before a function of its name.
    private func tableName(_ name: String, at path: String) -> [ModelError.Problem] {
        let problems = self.name(name, at: path)
        guard problems.isEmpty else { return problems }
        let name = name.lowercased()
        if name.hasPrefix("sqlite_") {
            return [
                .init(path: path, message: "SQLite has names that begin with sqlite_ for itself")
            ]
        }
        guard name == "json_each" || name.hasPrefix("pragma_") else { return [] }
        return [.init(path: path, message: "SQLite has a function of that name, which is needed")]
    }

    /// A dot would make the names of tables ambiguous, `$` begins those of Larder's own columns.
    private func name(_ name: String, at path: String) -> [ModelError.Problem] {
        let isCarried =
            !name.isEmpty && !name.hasPrefix("$") && !name.utf8.contains(0) && !name.contains(".")
        if isCarried { return [] }
        return [
            .init(
                path: path,
                message: "a store can't carry this name; expected one that is not empty, without a"
                    + " dot or NUL in it and without $ at the beginning")
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
        let attributes = ([entity] + lineage.ancestors(of: entity.name))
            .map { "entities.\($0.name).attributes" }
        let whole = lineage.flattened(entity)
        var problems: [ModelError.Problem] = []
        for (index, name) in entity.identity.enumerated() {
            if let attribute = whole.attribute(named: name) {
                guard attribute.key == nil else { continue }
                problems.append(
                    .init(
                        path: "\(path)[\(index)]",
                        message: "\(name) is not mapped, so no JSON can identify an object"))
            } else if unread.isDisjoint(with: attributes + attributes.map { "\($0).\(name)" }) {
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
                    message: DefaultValue.expectation(of: attribute.type).map { "expected \($0)" }
                        ?? "attributes of type \(attribute.type.rawValue) have no default"))
        }
        if attribute.isSearchable, attribute.type.columnType != "TEXT" {
            problems.append(
                .init(
                    path: "\(path).searchable",
                    message: "values of type \(attribute.type.rawValue) are not kept as text"))
        }
        // Names that are not built in are looked up where a store is opened.
        if let transformer = attribute.transformer,
            !transformer.mayGive(attribute.type)
        {
            problems.append(
                .init(
                    path: "\(path).transformer",
                    message: "\(transformer.rawValue) does not give values of type"
                        + " \(attribute.type.rawValue)"))
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
        lineage[name]
    }

    // MARK: Properties together

    /// A sub-entity's properties must get along with those that it inherits.
    private func properties(of entity: EntityDescription, at path: String) -> [ModelError.Problem] {
        let whole = lineage.flattened(entity)
        let own = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
        let names = whole.attributes.map(\.name) + whole.relationships.map(\.name)
        var problems: [ModelError.Problem] = Self.repeated(names, by: { $0.lowercased() })
            .filter { !own.isDisjoint(with: $0) }
            .map { names in
                let message =
                    lineage.ancestors(of: entity.name).contains { $0.has(names) }
                    ? "\(names[0]) is inherited already (case does not count)"
                    : "two properties are named \(names[0]) (case does not count)"
                return .init(path: path, message: message)
            }
        for group in Self.repeated(Self.meanings(of: whole), by: \.key)
        where Set(group.map(\.meaning)).count > 1
            && group.contains(where: { own.contains($0.name) })
        {
            let names = group.map(\.name).joined(separator: " and ")
            problems.append(
                .init(path: path, message: "\(names) read \(group[0].key) with different meaning"))
        }
        problems += keyPaths(of: whole, declaring: own, at: path)
        if whole.attributes.count + whole.toOneRelationships.count
            > EntityDescription.maximumColumnCount
        {
            problems.append(
                .init(
                    path: path,
                    message:
                        "an entity has at most \(EntityDescription.maximumColumnCount) attributes and"
                        + " to-one relationships"))
        }
        return problems
    }

    /// Returns the problems of key paths that lead through what is a single value or an array.
    private func keyPaths(
        of entity: EntityDescription, declaring own: Set<String>, at path: String
    ) -> [ModelError.Problem] {
        let readers = Self.meanings(of: entity).map { (name: $0.name, key: $0.key) }
        let ends =
            entity.attributes.filter { $0.type != .json && !$0.mayTakeObjects }.map(\.name)
            + entity.relationships.filter(\.isToMany).map(\.name)
        return readers.filter { ends.contains($0.name) }.flatMap { end in
            readers.filter { $0.key.hasPrefix(end.key + ".") }
                .filter { own.contains($0.name) || own.contains(end.name) }
                .map { other in
                    .init(
                        path: path,
                        message: "\(other.name) reads \(other.key), which can't be there where"
                            + " \(end.name) can read \(end.key)")
                }
        }
    }

    /// The properties that JSON has, and what they take its value for.
    private static func meanings(
        of entity: EntityDescription
    ) -> [(key: String, name: String, meaning: String)] {
        entity.attributes.compactMap { attribute in
            attribute.key.map {
                let transformer = attribute.transformer?.rawValue ?? ""
                return ($0, attribute.name, "\(attribute.type) \(transformer)")
            }
        }
            + entity.relationships.compactMap { relationship in
                relationship.key.map {
                    ($0, relationship.name, "\(relationship.destination).\(relationship.isToMany)")
                }
            }
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

extension AttributeDescription {
    /// Whether a transformer that is not built in may make the value of an object.
    fileprivate var mayTakeObjects: Bool {
        transformer.map { !Transformer.builtIn.contains($0) } ?? false
    }
}

extension EntityDescription {
    /// Whether it declares a property of one of these names, case aside.
    fileprivate func has(_ names: [String]) -> Bool {
        let own = Set((attributes.map(\.name) + relationships.map(\.name)).map { $0.lowercased() })
        return names.contains { own.contains($0.lowercased()) }
    }
}
