@testable import LarderObjectStore

/// Arrays of to-many relationships.
extension OracleImport {
    /// Maps the elements of an array, and makes the links what it says.
    mutating func mapArray(
        _ value: OracleJSON, _ relationship: OracleSchema.Relationship, of owner: Int
    ) throws {
        var elements: [OracleJSON] = []
        switch value {
        case .null: break
        case .array(let values):
            elements = values
            lists.insert(relationship.destination)
        default: throw OracleRefusal("no array for \(relationship.name)")
        }
        for element in elements { noteLinks(of: element, leadingBackBy: relationship) }
        let before = world.linked(relationship, of: owner)
        let column = world.schema.column(of: relationship)
        let named = try map(
            elements, as: relationship.destination,
            owner: column.map { Owner(relationship: $0, object: owner) },
            at: Place(relationship.description))
        guard (named + [owner]).allSatisfy({ world.objects[$0] != nil }) else {
            throw OracleRefusal("an array of what was deleted by the same document")
        }
        let policy = relationship.description.policy
        if let column {
            let gone =
                policy == .union
                ? [] : world.linked(relationship, of: owner).filter { !named.contains($0) }
            tally.noteLinks(
                linked: named.filter { !before.contains($0) }.count, unlinked: gone.count,
                of: owner, in: world)
            if policy == .replace { return try delete(gone) }
            for object in gone {
                world.objects[object]?.ones[column.name] = nil
                tally.note(object, .updated, in: world)
                if !column.description.isOptional { detached.insert(object) }
            }
        } else {
            let now = world.linked(relationship, of: owner)
            let after = policy == .union ? now + named.filter { !now.contains($0) } : named
            let gone = now.filter { !after.contains($0) }
            world.place(after, in: relationship, of: owner)
            tally.noteLinks(
                linked: after.filter { !now.contains($0) }.count, unlinked: gone.count, of: owner,
                in: world)
            if policy == .replace { try delete(gone) }
        }
    }

    /// Deletes what fell out of an array, by the rules of its relationships.
    mutating func delete(_ objects: [Int]) throws {
        let deletion = try OracleDeletion(of: Set(objects), in: world, mayComplete: true)
        for object in deletion.emptied { tally.note(object, .updated, in: world) }
        // What they need instead may still come.
        incomplete.formUnion(deletion.lacking)
        for object in deletion.gone { tally.noteDeleted(object, in: world) }
        for (entity, count) in deletion.unlinked {
            tally.noteLinks(linked: 0, unlinked: count, of: entity)
        }
        world = deletion.world
    }
}
