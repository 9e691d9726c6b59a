/// Lists what differs between two models, and what may be lost by it.
struct MigrationPlanner {
    private let mapping: ModelMapping
    private(set) var steps: [MigrationStep] = []
    private(set) var losses: [MigrationLoss] = []

    init(_ mapping: ModelMapping) { self.mapping = mapping }

    /// Compares the models.
    mutating func plan() {
        for entity in mapping.new.entities {
            guard let match = mapping.matches[entity.name] else {
                steps.append(.add(.entity(entity.name)))
                continue
            }
            if match.old.name != entity.name {
                steps.append(.rename(.entity(entity.name), from: match.old.name))
            }
            planIdentity(match)
            planAttributes(match)
            planRelationships(match)
        }
        for entity in mapping.removed {
            steps.append(.remove(.entity(entity.name)))
            losses.append(MigrationLoss(.entity(entity.name), .removed))
        }
        planRemovedLinks()
    }

    // MARK: Identity

    private mutating func planIdentity(_ match: ModelMapping.Match) {
        let part = ModelPart.entity(match.new.name)
        let before = match.new.identity.map { match.attributes[$0]?.name }
        let isSame = Set(before) == Set(match.old.identity.map(Optional.some))
        if !isSame { steps.append(.change(part, "identity")) }
        guard !match.new.identity.isEmpty else {
            if !isSame { losses.append(MigrationLoss(part, .identityRemoved)) }
            return
        }
        let isExtended =
            !match.old.identity.isEmpty
            && Set(match.old.identity).isSubset(of: before.compactMap { $0 })
        if !isExtended || !keepsIdentityApart(match) {
            losses.append(MigrationLoss(part, .duplicate))
        }
        let mayBeEmpty = match.new.identity.contains { name in
            guard let new = match.new.attribute(named: name), !new.isOptional else { return false }
            guard let old = match.attributes[name] else { return new.defaultValue == nil }
            return !match.old.identity.contains(old.name) || old.isOptional || old.type != new.type
        }
        if mayBeEmpty { losses.append(MigrationLoss(part, .unidentified)) }
    }

    /// Whether the identifying attributes that stay tell the same objects apart as before.
    private func keepsIdentityApart(_ match: ModelMapping.Match) -> Bool {
        match.new.identity.allSatisfy { name in
            guard let new = match.new.attribute(named: name), let old = match.attributes[name]
            else { return true }
            return new.type == old.type
        }
    }

    // MARK: Attributes

    private mutating func planAttributes(_ match: ModelMapping.Match) {
        for attribute in match.new.attributes {
            let part = ModelPart.attribute(match.new.name, attribute.name)
            let isRequired =
                !attribute.isOptional && attribute.defaultValue == nil
                && !match.new.identity.contains(attribute.name)
            guard let old = match.attributes[attribute.name] else {
                steps.append(.add(part))
                if isRequired { losses.append(MigrationLoss(part, .empty)) }
                continue
            }
            if old.name != attribute.name { steps.append(.rename(part, from: old.name)) }
            if old.type != attribute.type {
                steps.append(.convert(part, from: old.type, to: attribute.type))
                if !ValueConversion(from: old.type, to: attribute.type).isTotal {
                    losses.append(MigrationLoss(part, .incompatible))
                }
            }
            if isRequired, old.isOptional { losses.append(MigrationLoss(part, .empty)) }
            for change in changes(from: old, to: attribute) { steps.append(.change(part, change)) }
        }
        let kept = Set(match.attributes.values.map(\.name))
        for attribute in match.old.attributes where !kept.contains(attribute.name) {
            let part = ModelPart.attribute(match.old.name, attribute.name)
            steps.append(.remove(part))
            losses.append(MigrationLoss(part, .removed))
        }
    }

    private func changes(
        from old: AttributeDescription, to new: AttributeDescription
    ) -> [String] {
        var changes: [String] = []
        if old.isOptional != new.isOptional { changes.append("optional") }
        if old.defaultValue != new.defaultValue { changes.append("default") }
        if old.isIndexed != new.isIndexed { changes.append("index") }
        if old.isSearchable != new.isSearchable { changes.append("search") }
        return changes
    }

    // MARK: Relationships

    private mutating func planRelationships(_ match: ModelMapping.Match) {
        for relationship in match.new.relationships {
            let part = ModelPart.relationship(match.new.name, relationship.name)
            let sources = mapping.linkSources(of: relationship, in: match.new)
            let old = match.relationships[relationship.name]
            if let old {
                if old.name != relationship.name { steps.append(.rename(part, from: old.name)) }
                for change in changes(from: old, to: relationship) {
                    steps.append(.change(part, change))
                }
            } else {
                steps.append(.add(part))
            }
            guard !relationship.isToMany else { continue }
            let isKept =
                sources.count == 1 && !sources[0].isSwapped
                && !sources[0].relationship.isToMany
            if !relationship.isOptional, !isKept || old?.isOptional != false {
                losses.append(MigrationLoss(part, .empty))
            }
            if !isKept, !sources.isEmpty { losses.append(MigrationLoss(part, .severalLinks)) }
        }
        let kept = Set(match.relationships.values.map(\.name))
        for relationship in match.old.relationships where !kept.contains(relationship.name) {
            steps.append(.remove(.relationship(match.old.name, relationship.name)))
        }
    }

    private func changes(
        from old: RelationshipDescription, to new: RelationshipDescription
    ) -> [String] {
        var changes: [String] = []
        if mapping.matches[new.destination]?.old.name != old.destination {
            changes.append("destination")
        }
        if old.isToMany != new.isToMany { changes.append("to many") }
        if old.isOptional != new.isOptional { changes.append("optional") }
        if old.isOrdered != new.isOrdered { changes.append("order") }
        if old.inverse != new.inverse { changes.append("inverse") }
        if old.deleteRule != new.deleteRule { changes.append("delete rule") }
        return changes
    }

    /// Old links that no relationship of the new model goes on with, and orders that none keeps.
    private mutating func planRemovedLinks() {
        var used: Set<String> = []
        var ordered: Set<String> = []
        for entity in mapping.new.entities {
            for relationship in entity.relationships {
                for source in mapping.linkSources(of: relationship, in: entity) {
                    used.insert(source.name)
                    if relationship.isOrdered, !source.isSwapped { ordered.insert(source.name) }
                }
            }
        }
        for match in mapping.matches.values.sorted(by: { $0.new.name < $1.new.name }) {
            let names = Set(match.relationships.values.map(\.name))
            for relationship in match.old.relationships {
                let name = "\(match.old.name).\(relationship.name)"
                let inverse = relationship.inverse.map { "\(relationship.destination).\($0)" }
                if used.contains(name) || inverse.map(used.contains) == true {
                    if relationship.isOrdered, !ordered.contains(name) {
                        losses.append(MigrationLoss(.relationship(name), .order))
                    }
                } else {
                    losses.append(
                        MigrationLoss(
                            .relationship(name),
                            names.contains(relationship.name) ? .destination : .removed))
                }
            }
        }
    }
}
