/// Lists what differs between two models, and what may be lost by it.
struct MigrationPlanner {
    private let mapping: ModelMapping
    private(set) var steps: [MigrationStep] = []
    private(set) var losses: [MigrationLoss] = []

    init(_ mapping: ModelMapping) { self.mapping = mapping }

    /// Compares the models.
    mutating func plan() {
        for entity in mapping.new.entities {
            let match = mapping.matches[entity.name]
            if let match {
                planEntity(entity, match)
            } else {
                steps.append(.add(.entity(entity.name)))
            }
            planAttributes(entity, match)
            planRelationships(entity, match)
        }
        for entity in mapping.removed {
            steps.append(.remove(.entity(entity.name)))
            losses.append(MigrationLoss(.entity(entity.name), .removed))
            planRemovedAttributes(of: entity, isStep: false)
        }
        planRemovedLinks()
    }

    private mutating func planEntity(_ entity: EntityDescription, _ match: ModelMapping.Match) {
        let part = ModelPart.entity(entity.name)
        if match.old.name != entity.name { steps.append(.rename(part, from: match.old.name)) }
        let parent = entity.parent.map { mapping.matches[$0]?.old.name ?? $0 }
        if parent != match.old.parent { steps.append(.change(part, "parent")) }
        if entity.isAbstract != match.old.isAbstract {
            steps.append(.change(part, "abstract"))
            if entity.isAbstract { losses.append(MigrationLoss(part, .abstract)) }
        }
        // What an entity inherits is its ancestors' concern.
        let before = mapping.old[entity: match.old.name]
        if let before, before.hasFetchedAt != entity.hasFetchedAt {
            steps.append(.change(part, "fetched at"))
        }
        let old = before?.identity ?? []
        let isInherited = entity.parent.map { mapping.matches[$0] != nil } ?? false
        if !isInherited || !entity.identity.isEmpty || !old.isEmpty { planIdentity(match) }
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
        // Those below it that have an identity of their own are looked at themselves.
        let bearers = mapping.bearers(of: match.new.name).filter {
            $0.new.identity == match.new.identity
        }
        let owner = mapping.newLineage.identityOwner(of: match.new.name)
        let isListedAbove = owner != match.new.name && owner.flatMap { mapping.matches[$0] } != nil
        if !isListedAbove, bearers.contains(where: \.mayMerge) {
            losses.append(MigrationLoss(part, .duplicate))
        }
        if bearers.contains(where: \.mayLackIdentity) {
            losses.append(MigrationLoss(part, .unidentified))
        }
    }

    // MARK: Attributes

    private mutating func planAttributes(
        _ entity: EntityDescription, _ match: ModelMapping.Match?
    ) {
        for attribute in entity.attributes {
            if let match { planSteps(attribute, match) }
            planLosses(attribute, of: entity)
        }
        if let old = match.flatMap({ mapping.old[entity: $0.old.name] }) {
            planRemovedAttributes(of: old, isStep: true)
        }
    }

    private mutating func planSteps(
        _ attribute: AttributeDescription, _ match: ModelMapping.Match
    ) {
        let part = ModelPart.attribute(match.new.name, attribute.name)
        guard let old = match.attributes[attribute.name] else {
            steps.append(.add(part))
            return
        }
        if old.name != attribute.name { steps.append(.rename(part, from: old.name)) }
        if old.type != attribute.type {
            steps.append(.convert(part, from: old.type, to: attribute.type))
        }
        for change in changes(from: old, to: attribute) { steps.append(.change(part, change)) }
        if match.narrowed.contains(attribute.name) { steps.append(.change(part, "values")) }
    }

    /// Plans the losses, by one of its attributes, of objects of the entity and of those below it.
    private mutating func planLosses(
        _ attribute: AttributeDescription, of entity: EntityDescription
    ) {
        let part = ModelPart.attribute(entity.name, attribute.name)
        let bearers = mapping.bearers(of: entity.name)
        let isIncompatible = bearers.contains { match in
            match.narrowed.contains(attribute.name)
                || match.attributes[attribute.name].map { old in
                    !ValueConversion(from: old.type, to: attribute.type).isTotal
                } ?? false
        }
        if isIncompatible { losses.append(MigrationLoss(part, .incompatible)) }
        if bearers.contains(where: { $0.respells(attribute) }) {
            losses.append(MigrationLoss(part, .respelled))
        }
        guard !attribute.isOptional, attribute.defaultValue == nil else { return }
        let mayBeEmpty = bearers.contains { match in
            !match.new.identity.contains(attribute.name)
                && (isIncompatible || match.attributes[attribute.name]?.isOptional != false)
        }
        if mayBeEmpty { losses.append(MigrationLoss(part, .empty)) }
    }

    /// Attributes of an old entity that objects of it, or of those below it, do not keep.
    private mutating func planRemovedAttributes(of old: EntityDescription, isStep: Bool) {
        let bearers = mapping.formerBearers(of: old.name)
        for attribute in old.attributes {
            let isLost = bearers.contains { $0.match?.keeps(attribute.name) == false }
            guard isLost else { continue }
            let part = ModelPart.attribute(old.name, attribute.name)
            if isStep { steps.append(.remove(part)) }
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

    private mutating func planRelationships(
        _ entity: EntityDescription, _ match: ModelMapping.Match?
    ) {
        for relationship in entity.relationships {
            if let match { planSteps(relationship, match) }
            if !relationship.isToMany { planLosses(relationship, of: entity) }
        }
        guard let match, let old = mapping.old[entity: match.old.name] else { return }
        let kept = Set(match.relationships.values.map(\.name))
        for relationship in old.relationships where !kept.contains(relationship.name) {
            steps.append(.remove(.relationship(old.name, relationship.name)))
        }
    }

    private mutating func planSteps(
        _ relationship: RelationshipDescription, _ match: ModelMapping.Match
    ) {
        let part = ModelPart.relationship(match.new.name, relationship.name)
        guard let old = match.relationships[relationship.name] else {
            steps.append(.add(part))
            return
        }
        if old.name != relationship.name { steps.append(.rename(part, from: old.name)) }
        for change in changes(from: old, to: relationship) { steps.append(.change(part, change)) }
    }

    /// Plans the losses, by one of its to-one relationships, of objects of the entity and of those
    /// below it.
    private mutating func planLosses(
        _ relationship: RelationshipDescription, of entity: EntityDescription
    ) {
        let part = ModelPart.relationship(entity.name, relationship.name)
        var mayBeEmpty = false
        var mayBeSeveral = false
        for match in mapping.bearers(of: entity.name) {
            let sources = mapping.linkSources(of: relationship, in: match.new)
            let isKept =
                sources.count == 1 && !sources[0].isSwapped && !sources[0].relationship.isToMany
            if !isKept || match.relationships[relationship.name]?.isOptional != false
                || mapping.mayLose(targetsOf: sources[0], in: relationship)
            {
                mayBeEmpty = true
            }
            if !isKept, !sources.isEmpty { mayBeSeveral = true }
        }
        if !relationship.isOptional, mayBeEmpty { losses.append(MigrationLoss(part, .empty)) }
        if mayBeSeveral { losses.append(MigrationLoss(part, .severalLinks)) }
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
        if old.isPartial != new.isPartial { changes.append("partial") }
        return changes
    }

    /// Old links that no relationship of the new model goes on with, and orders that none keeps.
    private mutating func planRemovedLinks() {
        var used: Set<String> = []
        var ordered: Set<String> = []
        for entity in mapping.new.entities {
            let whole = mapping.matches[entity.name]?.new ?? entity
            for relationship in whole.relationships {
                for source in mapping.linkSources(of: relationship, in: whole) {
                    used.insert(source.name)
                    guard relationship.isOrdered else { continue }
                    // The order of links that an inverse held is that of what led the other way.
                    let name = source.isSwapped ? source.inverseName : source.name
                    if let name { ordered.insert(name) }
                }
            }
        }
        for (old, match) in keptFamilies {
            let names = Set(match?.relationships.values.map(\.name) ?? [])
            for relationship in old.relationships {
                let name = "\(old.name).\(relationship.name)"
                let inverse = relationship.inverse.map { "\(relationship.destination).\($0)" }
                if used.contains(name) || inverse.map(used.contains) == true {
                    if relationship.isOrdered, !ordered.contains(name) {
                        losses.append(MigrationLoss(.relationship(name), .order))
                    }
                    if !mapping.losers(of: relationship, in: old).isEmpty {
                        losses.append(MigrationLoss(.relationship(name), .removed))
                    }
                    if !mapping.strays(of: relationship, in: old).isEmpty {
                        losses.append(MigrationLoss(.relationship(name), .destination))
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

    /// The old entities of whose objects there are still some, in the order of their new names.
    private var keptFamilies: [(old: EntityDescription, match: ModelMapping.Match?)] {
        let kept = mapping.matches.values.sorted { $0.new.name < $1.new.name }.compactMap { match in
            mapping.old[entity: match.old.name].map { (old: $0, match: Optional(match)) }
        }
        let parents = mapping.removed.filter { entity in
            mapping.formerBearers(of: entity.name).contains { $0.match != nil }
        }
        return kept + parents.map { (old: $0, match: nil) }
    }
}

extension ModelMapping.Match {
    /// Whether an attribute of the old entity goes on as one of the new.
    func keeps(_ attribute: String) -> Bool {
        attributes.values.contains { $0.name == attribute }
    }

    /// Whether several old objects can be one under the new identity.
    var mayMerge: Bool {
        if new.identity.isEmpty { return false }
        if joinsIdentities { return true }
        let identity = new.identity.compactMap(new.attribute(named:))
        let before = Set(identity.compactMap { attributes[$0.name]?.name })
        // Objects without any of the old one could have the rest alike.
        let isExtended =
            before.isSuperset(of: old.identity)
            && (identity.count == old.identity.count
                || old.identity.contains { old.attribute(named: $0)?.isOptional == false })
        return !isExtended
            || identity.contains { attribute in
                // A default that stands in for what is empty can be another object's value.
                let isFilled =
                    attributes[attribute.name]?.isOptional == true && !attribute.isOptional
                    && attribute.defaultValue != nil
                return isFilled || converts(attribute)
            }
    }

    /// Whether old objects can lack what the new identity requires.
    var mayLackIdentity: Bool {
        new.identity.contains { name in
            guard let new = new.attribute(named: name), !new.isOptional else { return false }
            guard let before = attributes[name] else { return new.defaultValue == nil }
            return !old.identity.contains(before.name) || before.isOptional || converts(new)
        }
    }
}

extension ModelMapping {
    /// Whether objects that an old relationship leads to may go, or become such as what goes on with
    /// it can't lead to.
    func mayLose(targetsOf source: LinkSource, in relationship: RelationshipDescription) -> Bool {
        let (former, destination) = (source.relationship.destination, relationship.destination)
        let hasParent = new[entity: destination]?.parent != nil
        return !leavers(of: former, to: destination).isEmpty
            || formerBearers(of: former).contains { bearer in
                bearer.match.map { $0.mayLackIdentity || hasParent && $0.mayMerge } ?? true
            }
    }
}
