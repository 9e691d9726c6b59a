@testable import LarderObjectStore

/// Saves an object or changes one of its relationships.
struct OracleSaving {
    var world: OracleWorld
    var tally = OracleTally(isAdditive: true)

    private var schema: OracleSchema { world.schema }

    init(_ world: OracleWorld) { self.world = world }

    mutating func save(_ save: OracleSave) throws(OracleRefusal) {
        let entity = schema[save.entity]
        var links: [String: Int?] = [:]
        for relationship in entity.ones {
            guard let identity = save.ones[relationship.name] else { continue }
            links[relationship.name] =
                if let identity {
                    try findOrRefer(to: identity, as: relationship.destination)
                } else {
                    .some(nil)
                }
        }
        let object = try write(save.values, links, as: entity)
        for relationship in entity.manys {
            guard let identities = save.manys[relationship.name] else { continue }
            try set(try rows(identities, of: relationship), in: relationship, of: object)
        }
        try world.checkRules()
    }

    mutating func edit(_ edit: OracleEdit) throws(OracleRefusal) {
        let entity = schema[edit.entity]
        guard let owner = find(edit.identity, as: entity) else {
            throw OracleRefusal("there is no such object")
        }
        guard let relationship = entity.relationships.first(where: { $0.name == edit.relationship })
        else { throw OracleRefusal("there is no such relationship") }
        switch edit.action {
        case .lead(let identity):
            let destination: Int? =
                if let identity {
                    try findOrRefer(to: identity, as: relationship.destination)
                } else { nil }
            if destination == nil, !relationship.description.isOptional {
                throw OracleRefusal("\(relationship.name) is required")
            }
            guard world.objects[owner]?.ones[relationship.name] != destination else { return }
            world.objects[owner]?.ones[relationship.name] = destination
            tally.note(owner, .updated, in: world)
        case .add(let identities):
            let linked = world.linked(relationship, of: owner)
            let added = try rows(identities, of: relationship).filter { !linked.contains($0) }
            if !added.isEmpty { try set(linked + added, in: relationship, of: owner) }
        case .remove(let identity):
            guard let object = find(identity, as: schema[relationship.destination]) else { return }
            try remove([object], from: relationship, of: owner)
        case .removeAll: try set([], in: relationship, of: owner)
        case .set(let identities):
            try set(try rows(identities, of: relationship), in: relationship, of: owner)
        case .move(let identity, let index):
            guard relationship.description.isOrdered else {
                throw OracleRefusal("\(relationship.name) has no order")
            }
            let object = try findOrRefer(to: identity, as: relationship.destination)
            var linked = world.linked(relationship, of: owner).filter { $0 != object }
            linked.insert(object, at: min(max(index, 0), linked.count))
            try set(linked, in: relationship, of: owner)
        }
    }

    // MARK: Objects

    private mutating func write(
        _ values: [String: SQLValue], _ links: [String: Int?], as entity: OracleSchema.Entity
    ) throws(OracleRefusal) -> Int {
        for attribute in entity.attributes
        where values[attribute.name] == .null && !attribute.isOptional {
            throw OracleRefusal("\(attribute.name) is required")
        }
        for relationship in entity.ones
        where links[relationship.name] == .some(nil) && !relationship.description.isOptional {
            throw OracleRefusal("\(relationship.name) is required")
        }
        for name in entity.identity where values[name] == nil {
            if entity.attribute(name)?.isOptional == false {
                throw OracleRefusal("\(name) is missing")
            }
        }
        let identity = values.filter { entity.identity.contains($0.key) && $0.value != .null }
        let object: Int
        if let known = world.find(identity, as: entity) {
            object = known
            let isSettled = try settle(known, as: entity)
            let isChanged = world.set(values, links, of: known)
            tally.note(known, isSettled || isChanged ? .updated : .unchanged, in: world)
        } else {
            if entity.isAbstract { throw OracleRefusal("\(entity.name) is abstract") }
            object = world.add(
                OracleObject(entity: entity.name, values: [:], ones: [:], isReference: true))
            _ = world.set(values, links, of: object)
            tally.note(object, .inserted, in: world)
        }
        let concrete = world.entity(of: object)
        if concrete.isAbstract { throw OracleRefusal("\(concrete.name) is abstract") }
        let isWhole = schema.required(concrete).allSatisfy {
            world.objects[object]?.values[$0] != nil || world.objects[object]?.ones[$0] != nil
        }
        if !isWhole { throw OracleRefusal("something required is missing") }
        return object
    }

    /// Makes an open object one of an entity; true where it was not yet.
    private mutating func settle(
        _ object: Int, as entity: OracleSchema.Entity
    ) throws(OracleRefusal) -> Bool {
        let known = world.entity(of: object)
        if schema.isEntity(known.name, entity.name) { return false }
        guard schema.isEntity(entity.name, known.name), world.isOpen(object) else {
            throw OracleRefusal("it is one of \(known.name)")
        }
        world.settle(object, as: entity)
        return true
    }

    func find(_ identity: [SQLValue], as entity: OracleSchema.Entity) -> Int? {
        let values = Dictionary(uniqueKeysWithValues: zip(entity.identity, identity))
            .filter { $0.value != .null }
        return world.find(values, as: entity).flatMap {
            schema.isEntity(world.entity(of: $0).name, entity.name) ? $0 : nil
        }
    }

    mutating func findOrRefer(
        to identity: [SQLValue], as name: String
    ) throws(OracleRefusal) -> Int {
        let entity = schema[name]
        guard entity.identity.count == identity.count, !identity.isEmpty else {
            throw OracleRefusal("\(name) can't be referred to")
        }
        let values = Dictionary(uniqueKeysWithValues: zip(entity.identity, identity))
            .filter { $0.value != .null }
        if let known = world.find(values, as: entity) {
            if try settle(known, as: entity), !schema.isAlone(name) { return known }
            return known
        }
        let object = world.refer(to: values, as: entity)
        tally.note(object, .inserted, in: world)
        return object
    }

    // MARK: Links

    private mutating func rows(
        _ identities: [[SQLValue]], of relationship: OracleSchema.Relationship
    ) throws(OracleRefusal) -> [Int] {
        var objects: [Int] = []
        for identity in identities {
            let object = try findOrRefer(to: identity, as: relationship.destination)
            if !objects.contains(object) { objects.append(object) }
        }
        return objects
    }

    mutating func set(
        _ after: [Int], in relationship: OracleSchema.Relationship, of owner: Int
    ) throws(OracleRefusal) {
        let before = world.linked(relationship, of: owner)
        let isOrdered = schema.column(of: relationship) == nil && relationship.description.isOrdered
        if after == before, !isOrdered || world.isPlaced(relationship, of: owner) { return }
        let gone = before.filter { !after.contains($0) }
        try remove(gone, from: relationship, of: owner)
        let new = after.filter { !before.contains($0) }
        if let column = schema.column(of: relationship) {
            for object in new {
                world.objects[object]?.ones[column.name] = owner
                tally.note(object, .updated, in: world)
            }
        } else {
            world.place(after, in: relationship, of: owner)
        }
        tally.noteLinks(linked: new.count, unlinked: 0, of: owner, in: world)
    }

    private mutating func remove(
        _ objects: [Int], from relationship: OracleSchema.Relationship, of owner: Int
    ) throws(OracleRefusal) {
        let linked = world.linked(relationship, of: owner)
        let gone = objects.filter { linked.contains($0) }
        if gone.isEmpty { return }
        if let column = schema.column(of: relationship) {
            guard column.description.isOptional else {
                throw OracleRefusal("\(column.name) is required")
            }
            for object in gone {
                world.objects[object]?.ones[column.name] = nil
                tally.note(object, .updated, in: world)
            }
        } else {
            for object in gone { world.unlink(object, from: relationship, of: owner) }
        }
        tally.noteLinks(linked: 0, unlinked: gone.count, of: owner, in: world)
    }
}
