@testable import LarderObjectStore

/// Maps one document: objects in to-one relationships first, then the object itself, then its arrays,
/// each in the order of the model.
struct OracleImport {
    /// A to-one relationship that an object's place in its owner's array says.
    struct Owner {
        let relationship: OracleSchema.Relationship
        let object: Int
    }

    /// The owner whose relationship a list is of, where its objects can't be without one.
    struct ListOwner {
        /// The relationship that leads back to it.
        let column: OracleSchema.Relationship
        let entity: String
        let identity: [SQLValue]
    }

    /// What an object's place makes of one that lacks something.
    enum Place {
        /// It stands for itself.
        case top
        /// A relationship leads to it.
        case linked
        /// A relationship leads to it that makes references of those that are nothing but an identity.
        case partial

        init(_ relationship: RelationshipDescription) {
            self = relationship.isPartial ? .partial : .linked
        }
    }

    var world: OracleWorld
    /// The objects that the document names, each as often as it does.
    private(set) var named: [Int] = []
    /// The entities that there are lists of.
    var lists: Set<String> = []
    /// The objects that have said that they are gone, by what identifies them.
    private(set) var tombstones: [(identity: [String: SQLValue], entity: OracleSchema.Entity)] = []
    /// Whether an object that a relationship leads to says itself what leads to it.
    private(set) var saysLinksTwice = false
    /// The owner of listed objects that name none.
    var listOwner: ListOwner?
    /// Whether what is mapped next is an element of a list, or the whole document.
    private var isElement = false
    var tally = OracleTally()
    /// Objects that must have all that is required when the document ends.
    var incomplete: Set<Int> = []
    /// Objects that must have a required owner when the document ends, unless they are references.
    var detached: Set<Int> = []

    private var schema: OracleSchema { world.schema }

    init(_ world: OracleWorld) { self.world = world }

    /// Maps a document and returns the objects that it stands for.
    mutating func map(document: OracleJSON, as entity: String) throws -> [Int] {
        var objects: [Int] = []
        if case .array(let elements) = document {
            objects = try map(elements, as: entity)
        } else {
            isElement = true
            objects = [try map(document, as: entity)].compactMap(\.self)
            if let column = listOwner?.column, let object = objects.first,
                !lists.contains(where: { schema.isEntity(column.owner, $0) })
            {
                try linkListed(object, document)
            }
        }
        try bury()
        for object in incomplete.sorted() where world.objects[object] != nil {
            if lacksSomething(object) { throw OracleRefusal("object \(object) stays incomplete") }
            world.complete(object)
        }
        for object in detached.sorted() where world.objects[object]?.isReference == false {
            if lacksSomething(object) { throw OracleRefusal("object \(object) is left alone") }
        }
        world.nulls = [:]
        try world.checkRules()
        // What a later element has deleted is none of a list's.
        if case .array = document { return objects.filter { world.objects[$0] != nil } }
        return objects
    }

    mutating func map(
        _ elements: [OracleJSON], as entity: String, owner: Owner? = nil, at place: Place = .top
    ) throws -> [Int] {
        var objects: [Int] = []
        for element in elements where element != .null {
            isElement = place == .top
            guard let object = try map(element, as: entity, owner: owner, at: place) else {
                continue
            }
            if place == .top { try linkListed(object, element) }
            if !objects.contains(object) { objects.append(object) }
        }
        return objects
    }

    private mutating func map(
        _ value: OracleJSON, as entity: String, owner: Owner? = nil, at place: Place = .top
    ) throws -> Int? {
        let isElement = isElement
        self.isElement = false
        switch value {
        case .null, .boolean, .array:
            throw OracleRefusal("neither an object nor an identity")
        case .number, .string:
            let object = try mapReference(value, to: schema[entity])
            if schema[entity].isWholeByIdentity { world.noteFetched(object) }
            link(object, to: owner)
            named.append(object)
            return object
        case .object where isGone(schema[entity].unwrapped(value), schema[entity]):
            return try mapTombstone(
                schema[entity].unwrapped(value), as: schema[entity], owner: owner, at: place)
        case .object:
            let object = try mapObject(
                value, as: schema[entity], owner: owner, at: place, isElement: isElement)
            named.append(object)
            return object
        }
    }

    private mutating func link(_ object: Int, to owner: Owner?) {
        guard let owner, world.objects[object]?.ones[owner.relationship.name] != owner.object else {
            return
        }
        world.objects[object]?.ones[owner.relationship.name] = owner.object
        tally.note(object, .updated, in: world)
    }

    /// Links a listed object that can't be without an owner, and names none, to the list's.
    private mutating func linkListed(_ object: Int, _ json: OracleJSON) throws {
        guard let owner = listOwner, world.objects[object] != nil,
            schema.isEntity(world.entity(of: object).name, owner.column.owner),
            world.objects[object]?.ones[owner.column.name] == nil
        else { return }
        let target = try self.object(of: owner)
        // Nor does an object own itself.
        guard target != object else { return }
        world.objects[object]?.ones[owner.column.name] = target
        // What names its identity alone waits for the object.
        if case .object = json, !lacksSomething(object) { world.complete(object) }
    }

    private mutating func object(of owner: ListOwner) throws -> Int {
        var saving = OracleSaving(world)
        defer { world = saving.world }
        return try saving.findOrRefer(to: owner.identity, as: owner.entity)
    }

    // MARK: Tombstones

    private func isGone(_ json: OracleJSON, _ entity: OracleSchema.Entity) -> Bool {
        guard let key = entity.tombstone, let value = try? json.value(at: key) else { return false }
        return switch value {
        case .null: false
        case .boolean(let value): value
        case .number(let text): Double(text) != 0
        case .string(let text, _): !["", "0", "false"].contains(text)
        case .array(let elements): !elements.isEmpty
        case .object(let members): !members.isEmpty
        }
    }

    /// What is gone and has never been there leads to nothing; what has been there is linked till it goes.
    private mutating func mapTombstone(
        _ json: OracleJSON, as given: OracleSchema.Entity, owner: Owner?, at place: Place
    ) throws -> Int? {
        let entity = picked(by: given, from: json).map { schema[$0] } ?? given
        var values: [String: SQLValue] = [:]
        for name in entity.identity {
            guard let attribute = entity.attribute(name), let key = attribute.key else { continue }
            if let value = try json.value(at: key) {
                values[name] = try OracleReading(attribute).value(of: value)
            }
            if values[name] ?? .null == .null, !attribute.isOptional { return nil }
        }
        let identity = Self.identity(in: values, of: entity)
        if identity.isEmpty { return nil }
        tombstones.append((identity, entity))
        guard place != .top, let known = buried(identity, entity),
            schema.isEntity(world.entity(of: known).name, given.name)
        else { return nil }
        link(known, to: owner)
        return known
    }

    private func buried(
        _ identity: [String: SQLValue], _ entity: OracleSchema.Entity
    ) -> Int? {
        guard let known = world.find(identity, as: entity) else { return nil }
        let name = world.entity(of: known).name
        return schema.isEntity(name, entity.name) || schema.isEntity(entity.name, name)
            ? known : nil
    }

    /// Deletes all that is gone, together, however often it is in the document besides.
    private mutating func bury() throws {
        try delete(tombstones.compactMap { buried($0.identity, $0.entity) })
    }

    // MARK: Objects

    private mutating func mapObject(
        _ json: OracleJSON, as given: OracleSchema.Entity, owner: Owner?, at place: Place,
        isElement: Bool
    ) throws -> Int {
        let json = given.unwrapped(json)
        let chosen = picked(by: given, from: json)
        var target = chosen.map { schema[$0] } ?? given
        if !schema.isAlone(given.name), let known = try find(json, as: target) {
            target = try settle(known, as: target, given: given)
        }
        if target.isAbstract { throw OracleRefusal("\(target.name) is abstract") }
        var (values, ones) = try parts(of: json, as: target)
        let arrays = try target.manys.compactMap { relationship in
            try relationship.description.key.flatMap { key throws in try json.value(at: key) }
                .map { (relationship, $0) }
        }
        if values.isEmpty, ones.isEmpty, arrays.isEmpty { throw OracleRefusal("nothing is mapped") }
        var links: [String: Int?] = [:]
        for relationship in target.ones {
            guard let value = ones.removeValue(forKey: relationship.name) else { continue }
            if case .array = value { throw OracleRefusal("an array for \(relationship.name)") }
            noteLinks(of: value, leadingBackBy: relationship)
            let object =
                value == .null
                ? nil
                : try map(
                    value, as: relationship.destination, at: Place(relationship.description))
            links[relationship.name] = .some(object)
        }
        // The owner says what it leads to, but what it names must be there all the same.
        try checkAreThere(links.values)
        if let owner { links[owner.relationship.name] = owner.object }
        if isElement, let listOwner, case let name = listOwner.column.name, links[name] == nil,
            schema.isEntity(target.name, listOwner.column.owner),
            Self.identity(in: values, of: target).isEmpty
        {
            // It would never be found again to be linked.
            links[name] = try object(of: listOwner)
        }
        try write(&values, links, as: target, into: json)
        let required = Set(schema.required(target)).subtracting(target.identity)
            .subtracting(owner.map { [$0.relationship.name] } ?? [])
        let isBare = required.isDisjoint(with: values.keys) && required.isDisjoint(with: links.keys)
        let isAlone =
            arrays.isEmpty && isNothingButIdentity(values, links, of: target, besides: owner)
        let stays = place == .partial && isAlone
        let object = try written(
            values, links, as: target, given: given, at: isBare ? place : .top,
            asReference: stays)
        if !isAlone { world.noteFetched(object) }
        for (relationship, value) in arrays { try mapArray(value, relationship, of: object) }
        return object
    }

    private func picked(
        by entity: OracleSchema.Entity, from json: OracleJSON
    ) -> String? {
        guard let mapper = entity.mapper, let value = try? json.value(at: mapper.key) else {
            return nil
        }
        switch value {
        case .string(let text, _): return mapper.values[text]
        case .number(let spelling): return mapper.values[spelling]
        case .boolean(let value): return mapper.values[value ? "true" : "false"]
        default: return nil
        }
    }

    /// Notes where an object says itself what leads to it.
    mutating func noteLinks(
        of json: OracleJSON, leadingBackBy relationship: OracleSchema.Relationship
    ) {
        guard let inverse = schema.inverse(of: relationship)?.description.key else { return }
        let json = schema[relationship.destination].unwrapped(json)
        if (try? json.value(at: inverse)) != nil { saysLinksTwice = true }
    }

    /// What the JSON has of an object's attributes and to-one relationships.
    private func parts(
        of json: OracleJSON, as entity: OracleSchema.Entity
    ) throws -> (values: [String: SQLValue], ones: [String: OracleJSON]) {
        var values: [String: SQLValue] = [:]
        for attribute in entity.attributes {
            guard let value = try attribute.key.flatMap({ key in try json.value(at: key) })
            else { continue }
            values[attribute.name] = try OracleReading(attribute).value(of: value)
        }
        var ones: [String: OracleJSON] = [:]
        for relationship in entity.ones {
            ones[relationship.name] = try relationship.description.key.flatMap { key in
                try json.value(at: key)
            }
        }
        return (values, ones)
    }

    /// Throws where something required is null.
    private func write(
        _ values: inout [String: SQLValue], _ links: [String: Int?],
        as entity: OracleSchema.Entity, into json: OracleJSON
    ) throws {
        for attribute in entity.attributes where values[attribute.name] == .null {
            if !attribute.isOptional { throw OracleRefusal("\(attribute.name) is null") }
        }
        for relationship in entity.ones where links[relationship.name] == .some(nil) {
            if !relationship.description.isOptional {
                throw OracleRefusal("\(relationship.name) is null")
            }
        }
    }

    /// Whether an object has nothing but its identity, where there is more to an object.
    private func isNothingButIdentity(
        _ values: [String: SQLValue], _ links: [String: Int?], of entity: OracleSchema.Entity,
        besides owner: Owner?
    ) -> Bool {
        !entity.isWholeByIdentity && !Self.identity(in: values, of: entity).isEmpty
            && values.keys.allSatisfy { entity.identity.contains($0) }
            && links.keys.allSatisfy { $0 == owner?.relationship.name }
    }

    /// Inserts or updates an object.
    ///
    /// - Parameter isReference: Whether it is a reference, unless it is known as an object.
    private mutating func written(
        _ values: [String: SQLValue], _ links: [String: Int?], as entity: OracleSchema.Entity,
        given: OracleSchema.Entity, at place: Place, asReference isReference: Bool
    ) throws -> Int {
        try checkAreThere(links.values)
        for name in entity.identity where values[name] == nil {
            if entity.attribute(name)?.isOptional == false {
                throw OracleRefusal("the identity \(name) is missing")
            }
        }
        let identity = Self.identity(in: values, of: entity)
        let known = world.find(identity, as: entity)
        let object: Int
        if let known {
            if !schema.isAlone(entity.name),
                try settle(known, as: entity, given: entity).name != entity.name
            {
                throw OracleRefusal("it has become another entity's")
            }
            object = known
            tally.note(
                object,
                world.set(values, links, of: object, asReference: isReference)
                    ? .updated : .unchanged, in: world)
        } else {
            object = world.add(
                OracleObject(entity: entity.name, values: [:], ones: [:], isReference: true))
            _ = world.set(values, links, of: object, asReference: isReference)
            tally.note(object, .inserted, in: world)
        }
        if lacksSomething(object) {
            if entity.identity.isEmpty || identity.isEmpty && !schema.isAlone(entity.name) {
                throw OracleRefusal("something required is missing")
            }
            let isKnown = known != nil || entity.identity.count != 1 || place == .partial
            if place == .top || identity.isEmpty || !isKnown { incomplete.insert(object) }
        }
        return object
    }

    private func checkAreThere(_ links: some Sequence<Int?>) throws {
        for case let link? in links where world.objects[link] == nil {
            throw OracleRefusal("a link to what was deleted by the same document")
        }
    }

    private func lacksSomething(_ object: Int) -> Bool {
        guard let known = world.objects[object] else { return false }
        return schema.required(schema[known.entity]).contains {
            known.values[$0] == nil && known.ones[$0] == nil
        }
    }

    /// The parts of an identity that are not empty.
    private static func identity(
        in values: [String: SQLValue], of entity: OracleSchema.Entity
    ) -> [String: SQLValue] {
        values.filter { entity.identity.contains($0.key) && $0.value != .null }
    }

    // MARK: Families

    private func find(_ json: OracleJSON, as entity: OracleSchema.Entity) throws -> Int? {
        var values: [String: SQLValue] = [:]
        for name in entity.identity {
            guard let attribute = entity.attribute(name), let key = attribute.key else { continue }
            if let value = try json.value(at: key) {
                values[name] = try OracleReading(attribute).value(of: value)
            }
            if values[name] ?? .null == .null, !attribute.isOptional { return nil }
        }
        return world.find(Self.identity(in: values, of: entity), as: entity)
    }

    /// The entity of an object once it is known to be one of a target: an object never changes its
    /// entity, but one of which nothing is known becomes one of whatever comes first.
    private mutating func settle(
        _ object: Int, as target: OracleSchema.Entity, given: OracleSchema.Entity
    ) throws -> OracleSchema.Entity {
        let known = world.entity(of: object)
        if schema.isEntity(known.name, target.name) { return known }
        if schema.isEntity(target.name, known.name), world.isOpen(object) {
            let wasInserted = tally.withdraw(object)
            world.settle(object, as: target)
            tally.note(object, wasInserted ? .inserted : .updated, in: world)
            return target
        }
        // What is to be one of another entity than the JSON says can't be told what it is.
        let isRefuted = target.name != given.name && world.isOpen(object)
        if schema.isEntity(known.name, given.name), !isRefuted { return known }
        throw OracleRefusal("the object is one of \(known.name)")
    }

    // MARK: References

    private mutating func mapReference(
        _ value: OracleJSON, to entity: OracleSchema.Entity
    ) throws -> Int {
        guard entity.identity.count == 1, let attribute = entity.attribute(entity.identity[0])
        else { throw OracleRefusal("\(entity.name) can't be referred to") }
        let identity = [attribute.name: try OracleReading(attribute).value(of: value)]
        if let known = world.find(identity, as: entity) {
            if !schema.isAlone(entity.name) { _ = try settle(known, as: entity, given: entity) }
            return known
        }
        let object = world.refer(to: identity, as: entity)
        tally.note(object, .inserted, in: world)
        return object
    }
}
