/// The entities, attributes and relationships of a model, matched with those of an earlier one.
///
/// `renamedFrom` tells, where the old model has not been told the same already; otherwise parts of
/// one name are the same.
struct ModelMapping {
    /// An entity that both models have, with all that it inherits in each.
    struct Match {
        let old: EntityDescription
        let new: EntityDescription
        /// The old attributes by the names of the new ones.
        let attributes: [String: AttributeDescription]
        /// The old relationships by the names of the new ones.
        let relationships: [String: RelationshipDescription]
        /// The new attributes that don't take all values that are there, though the type is the same.
        var narrowed: Set<String> = []
        /// Whether entities that had identities of their own share the new one.
        var joinsIdentities = false

        /// Whether an attribute's values may not be what they were before.
        func converts(_ attribute: AttributeDescription) -> Bool {
            guard let before = attributes[attribute.name] else { return false }
            return before.type != attribute.type || narrowed.contains(attribute.name)
        }

        /// Whether an attribute identifies objects by text that is as the store spells it.
        func respells(_ attribute: AttributeDescription) -> Bool {
            guard new.identity.contains(attribute.name), let before = attributes[attribute.name]
            else { return false }
            return ValueConversion(from: before.type, to: attribute.type).respells
        }
    }

    /// A relationship of the old model that gives links to one of the new.
    struct LinkSource {
        let entity: EntityDescription
        let relationship: RelationshipDescription
        /// Whether it leads in the other direction.
        let isSwapped: Bool

        /// The name with the entity.
        var name: String { "\(entity.name).\(relationship.name)" }

        /// The name of its inverse with the entity.
        var inverseName: String? {
            relationship.inverse.map { "\(relationship.destination).\($0)" }
        }
    }

    let old: Model
    let new: Model
    /// The matches by the new entities' names.
    private(set) var matches: [String: Match]
    private let oldLineage: EntityLineage
    let newLineage: EntityLineage

    init(from old: Model, to new: Model) {
        self.old = old
        self.new = new
        let (before, after) = (EntityLineage(old.entities), EntityLineage(new.entities))
        oldLineage = before
        newLineage = after
        let names = Self.match(
            new.entities.map { ($0.name, $0.renamedFrom) },
            with: old.entities.map { ($0.name, $0.renamedFrom) })
        let homes = FamilyHomes(names, from: before, to: after)
        var matches: [String: Match] = [:]
        for entity in new.entities {
            guard let source = names[entity.name].flatMap({ old[entity: $0] }),
                homes.keep(source.name, as: entity.name)
            else { continue }
            matches[entity.name] = Self.match(
                before.flattened(source), with: after.flattened(entity))
        }
        var formerOwners: [String: Set<String?>] = [:]
        for (name, match) in matches {
            guard let owner = after.identityOwner(of: name) else { continue }
            formerOwners[owner, default: []].insert(before.identityOwner(of: match.old.name))
        }
        for (name, match) in matches where !match.new.identity.isEmpty {
            let owner = after.identityOwner(of: name)
            matches[name]?.joinsIdentities =
                owner.flatMap { formerOwners[$0] }.map { $0.count > 1 } ?? false
        }
        self.matches = matches
    }

    /// Says which attributes of a new entity don't take all values that are there.
    mutating func narrow(_ attributes: Set<String>, of entity: String) {
        matches[entity]?.narrowed = attributes
    }

    /// The matches of a new entity and of those below it, whose objects have what is its own.
    func bearers(of name: String) -> [Match] {
        newLineage.family(below: name).compactMap { matches[$0.name] }
    }

    /// The old entities whose objects had what is an old entity's own, each with what it has become.
    func formerBearers(of name: String) -> [(old: String, match: Match?)] {
        oldLineage.family(below: name).map { entity in
            (entity.name, matches.values.first { $0.old.name == entity.name })
        }
    }

    /// The entities that the new model does not have.
    var removed: [EntityDescription] {
        let kept = Set(matches.values.map(\.old.name))
        return old.entities.filter { !kept.contains($0.name) }
    }

    /// The old relationships that hold the links of a new one: its own, or that of its inverse, which
    /// entities below its destination may have had.
    func linkSources(
        of relationship: RelationshipDescription, in entity: EntityDescription
    ) -> [LinkSource] {
        let own = ownSource(of: relationship, in: entity)
        guard let inverse = relationship.inverse else { return own.map { [$0] } ?? [] }
        var names = Set([own?.inverseName].compactMap(\.self))
        let others = bearers(of: relationship.destination).compactMap { match in
            match.new.relationship(named: inverse).flatMap { ownSource(of: $0, in: match.new) }
        }.filter { names.insert($0.name).inserted }
        return (own.map { [$0] } ?? [])
            + others.map {
                LinkSource(entity: $0.entity, relationship: $0.relationship, isSwapped: true)
            }
    }

    /// The old relationships that hold the links of all that have a relationship which a new entity
    /// declares: the entities below it may have declared it before.
    func tableSources(
        of relationship: RelationshipDescription, in entity: EntityDescription
    ) -> [LinkSource] {
        let own = linkSources(of: relationship, in: entity)
        var names = Set(own.map(\.name))
        return own
            + bearers(of: entity.name).flatMap { linkSources(of: relationship, in: $0.new) }
            .filter { names.insert($0.name).inserted }
    }

    /// The old entities whose objects had an old relationship of their entity, or one above, and are
    /// still there without one that goes on with it, though others have one.
    func losers(
        of relationship: RelationshipDescription, in entity: EntityDescription
    ) -> [String] {
        let bearers = formerBearers(of: entity.name).compactMap(\.match)
        let losers = bearers.filter { successor(of: relationship, in: $0) == nil }
        // Where none has, the relationship that led back may hold the links; else all are lost.
        return losers.count < bearers.count ? losers.map(\.old.name) : []
    }

    /// The old entities to which an old relationship could lead, and to which what goes on with it
    /// can't.
    func strays(
        of relationship: RelationshipDescription, in entity: EntityDescription
    ) -> [String] {
        let successors = formerBearers(of: entity.name).compactMap(\.match)
            .compactMap { successor(of: relationship, in: $0) }
        return Set(successors.map(\.destination))
            .reduce(into: Set()) { strays, destination in
                strays.formUnion(leavers(of: relationship.destination, to: destination))
            }.sorted()
    }

    /// The relationship by which the objects of an entity go on with the links of an old one.
    private func successor(
        of relationship: RelationshipDescription, in match: Match
    ) -> RelationshipDescription? {
        match.new.relationships.first { new in
            match.relationships[new.name]?.name == relationship.name
                && ownSource(of: new, in: match.new) != nil
        }
    }

    /// The old entities that are an old one or below it, and are still there without being a new one
    /// or below it.
    func leavers(of old: String, to new: String) -> [String] {
        formerBearers(of: old).filter { bearer in
            bearer.match.map { !newLineage.isEntity($0.new.name, at: new) } ?? false
        }.map(\.old)
    }

    /// Whether all that an old destination has is of a new one: the same entity, or one above it.
    private func leads(_ new: String, whereDid old: String) -> Bool {
        guard let match = matches.values.first(where: { $0.old.name == old }) else { return false }
        return newLineage.isEntity(match.new.name, at: new)
    }

    /// The old relationship that a new one goes on with, which leads to the same entity or to a parent
    /// of it.
    private func ownSource(
        of relationship: RelationshipDescription, in entity: EntityDescription
    ) -> LinkSource? {
        guard let match = matches[entity.name],
            let before = match.relationships[relationship.name],
            leads(relationship.destination, whereDid: before.destination)
        else { return nil }
        // Links are kept, and told by the name of, the entity that declares the relationship.
        let family = [match.old] + oldLineage.ancestors(of: match.old.name)
        let owner = family.last { $0.relationship(named: before.name) != nil } ?? match.old
        return LinkSource(entity: owner, relationship: before, isSwapped: false)
    }

    private static func match(_ old: EntityDescription, with new: EntityDescription) -> Match {
        let attributes = match(
            new.attributes.map { ($0.name, $0.renamedFrom) },
            with: old.attributes.map { ($0.name, $0.renamedFrom) })
        let relationships = match(
            new.relationships.map { ($0.name, $0.renamedFrom) },
            with: old.relationships.map { ($0.name, $0.renamedFrom) })
        return Match(
            old: old, new: new,
            attributes: attributes.compactMapValues(old.attribute(named:)),
            relationships: relationships.compactMapValues(old.relationship(named:)))
    }

    /// The old names by the new ones; an old name is given away once.
    ///
    /// New names come first: where an earlier name is in use again, it means something else now. A
    /// part that the old model has, renamed from the same, has been renamed by an earlier migration.
    private static func match(
        _ new: [(name: String, earlier: String?)], with old: [(name: String, earlier: String?)]
    ) -> [String: String] {
        let earlierNames = Dictionary(old.map { ($0.name, $0.earlier) }) { first, _ in first }
        var free = Set(earlierNames.keys)
        var result: [String: String] = [:]
        for (name, earlier) in new {
            guard let earlier, earlierNames[name] != .some(earlier) else { continue }
            if free.remove(earlier) != nil { result[name] = earlier }
        }
        for (name, _) in new where result[name] == nil && free.remove(name) != nil {
            result[name] = name
        }
        return result
    }
}

/// The families of the old model, matched with those of the new one that they go on as.
///
/// The objects of a family are numbered together, so that those of two can't come into one table;
/// an entity that goes from one family to another is a new one.
struct FamilyHomes {
    private let before: EntityLineage
    private let after: EntityLineage
    /// The roots of old families by those of the new ones that they go on as.
    private var homes: [String: String] = [:]

    /// - Parameter names: The old entities' names by the new ones'.
    init(_ names: [String: String], from before: EntityLineage, to after: EntityLineage) {
        self.before = before
        self.after = after
        let families = Dictionary(grouping: names.keys) { after.root(of: $0) }
        for (root, members) in families {
            if let old = names[root] {
                homes[root] = before.root(of: old)
            } else {
                // A family that has got another beginning.
                let roots = Set(members.compactMap { names[$0] }.map { before.root(of: $0) })
                homes[root] = roots.count == 1 ? roots.first : nil
            }
        }
        // Where the beginning of a family stays, what has left it is not the family.
        let stayed = Set(homes.filter { names[$0.key] == $0.value }.map(\.value))
        homes = homes.filter { names[$0.key] == $0.value || !stayed.contains($0.value) }
    }

    /// Whether the objects of an old entity go on as those of a new one.
    func keep(_ old: String, as new: String) -> Bool {
        homes[after.root(of: new)] == before.root(of: old)
    }
}
