@testable import LarderObjectStore

/// Makes random programs.
struct OraclePrograms {
    private var random: OracleRandom
    /// Draws what was thought of later, so that the rest of a seed's program stays what it was.
    private var later: OracleRandom
    /// The same, of what was thought of still later.
    private var last: OracleRandom
    /// The same, of which attributes have twins.
    private var twins: OracleRandom
    private let shortcuts: MapperShortcuts

    init(seed: UInt64) {
        random = OracleRandom(seed: seed)
        later = OracleRandom(seed: seed &* 0x9E37_79B9 &+ 7)
        last = OracleRandom(seed: seed &* 0x85EB_CA6B &+ 11)
        twins = OracleRandom(seed: seed &* 0xC2B2_AE35 &+ 13)
        // A quarter of the programs do without some of them, or all.
        shortcuts = seed % 4 == 3 ? MapperShortcuts(rawValue: Int(seed / 4 % 15)) : .all
    }

    private mutating func fork() -> OracleRandom {
        OracleRandom(seed: UInt64(random.number(1 << 48)))
    }

    mutating func program() -> OracleProgram {
        var models = OracleModels(fork())
        var program = OracleProgram(entities: models.make(), steps: [])
        for index in program.entities.indices where later.chance(12) {
            program.entities[index].tombstone = later.chance(70) ? "gone" : "more.gone"
        }
        for index in program.entities.indices {
            program.entities[index].hasFetchedAt = last.chance(30)
        }
        if twins.chance(30) {
            var models = OracleModels(twins)
            models.addTwins(to: &program.entities)
        }
        guard let model = program.model else { return program }
        program.shortcuts = shortcuts
        program.isUnchecked = random.chance(30)
        program.hasRules = random.chance(15)
        if random.chance(15) { program.longArray = random.pick([0, 0, 20, 100]) }
        program.evictions = evictions(of: program.entities)
        var schema = OracleSchema(model)
        var documents = OracleDocuments(schema, fork())
        let hasFile = random.chance(8)
        var entities = program.entities
        for _ in 0..<2 + random.number(6) {
            switch random.number(100) {
            case 0..<8: program.steps.append(transaction(schema, &documents, depth: 0))
            case 8..<16 where !program.evictions.isEmpty:
                program.steps.append(.evict(at: Double(random.number(12))))
            case 93..<96 where hasFile: program.steps.append(.reopen)
            case 96... where hasFile:
                let changes = (0..<1 + random.number(2)).map { change(of: entities, &models, $0) }
                program.steps.append(.migrate(changes))
                var changed = entities
                for change in changes { change.apply(to: &changed) }
                guard let model = program.model(of: changed) else { continue }
                entities = changed
                schema = OracleSchema(model)
                documents = OracleDocuments(schema, fork())
            default:
                program.steps += step(schema, &documents).map { [whole($0, schema)] } ?? []
            }
        }
        return program
    }

    /// The same step, or one that takes its document for the whole of something.
    private mutating func whole(_ step: OracleStep, _ schema: OracleSchema) -> OracleStep {
        guard case .insert(let name, let json) = step, later.chance(35) else { return step }
        let random = random
        defer { self.random = random }
        self.random = OracleRandom(seed: UInt64(later.number(1 << 48)))
        let isWhole = later.chance(85)
        let owners = schema.names.map { schema[$0] }.filter {
            !$0.identity.isEmpty && !$0.manys.isEmpty
        }
        if later.chance(40), !owners.isEmpty {
            let owner = later.pick(owners)
            return .complete(
                name, json,
                OracleWhole(
                    scope: .linked(
                        owner.name, identity(of: owner),
                        relationship: later.pick(owner.manys).name), isWhole: isWhole))
        }
        let entity = schema[later.chance(70) ? name : later.pick(schema.names)]
        var scope = OracleWhole.Scope.found(entity.name, attribute: nil, .null)
        if later.chance(40), case .delete(_, let attribute, let value) = deletion(of: entity) {
            scope = .found(entity.name, attribute: attribute, value)
        }
        return .complete(name, json, OracleWhole(scope: scope, isWhole: isWhole))
    }

    // MARK: Steps

    /// A step that a transaction may have; nil where there is none of the kind that came up.
    private mutating func step(
        _ schema: OracleSchema, _ documents: inout OracleDocuments
    ) -> OracleStep? {
        let entity = schema[random.pick(schema.names)]
        return switch random.number(100) {
        case 0..<12: deletion(of: entity)
        case 12..<24: entity.isAbstract ? nil : .save(save(entity, schema))
        case 24..<36: edit(entity, schema).map { .edit($0) }
        case 36..<43: update(entity).map { .update($0) }
        case 43..<51: .insertEach(entity.name, documents.elements(of: entity.name))
        default: .insert(entity.name, documents.document(of: entity.name))
        }
    }

    private mutating func transaction(
        _ schema: OracleSchema, _ documents: inout OracleDocuments, depth: Int
    ) -> OracleStep {
        var steps: [OracleStep] = []
        for _ in 0..<1 + random.number(4) {
            if depth < 2, random.chance(15) {
                steps.append(transaction(schema, &documents, depth: depth + 1))
            } else {
                steps += step(schema, &documents).map { [$0] } ?? []
            }
        }
        return .transaction(steps, isTakenBack: random.chance(30))
    }

    private mutating func update(_ entity: OracleSchema.Entity) -> OracleUpdate? {
        guard !entity.attributes.isEmpty else { return nil }
        let attribute = random.pick(entity.attributes)
        var change = OracleUpdate.Change.set(
            attribute.isOptional && random.chance(20) ? .null : value(of: attribute, entity))
        if random.chance(50) {
            if attribute.type == .integer { change = .increment(.integer(Int64(random.number(3)))) }
            if attribute.type == .double {
                change = .increment(
                    .real(
                        attribute.name.hasPrefix(OracleNames.single) ? Double(Float(0.2)) : 0.2))
            }
        }
        var update = OracleUpdate(entity: entity.name, attribute: attribute.name, change: change)
        let others = entity.attributes.filter { $0.type == .integer || $0.type == .string }
        if random.chance(60), !others.isEmpty {
            let other = random.pick(others)
            update.condition = .init(attribute: other.name, value: value(of: other, entity))
        }
        return update
    }

    private mutating func evictions(of entities: [EntityDescription]) -> [Eviction] {
        entities.filter { $0.attributes.contains { $0.name == "seen" } }.map { entity in
            let count = random.chance(60) ? random.number(3) : nil
            let age = count == nil || random.chance(40) ? Duration.seconds(random.number(8)) : nil
            let isByFetching = entity.hasFetchedAt && last.chance(40)
            return Eviction(
                entity: entity.name, by: isByFetching ? nil : "seen", olderThan: age,
                keeping: count)
        }
    }

    private mutating func deletion(of entity: OracleSchema.Entity) -> OracleStep {
        let attributes = entity.attributes.filter { $0.type == .integer || $0.type == .string }
        if random.chance(30) || attributes.isEmpty {
            return .delete(entity.name, attribute: nil, .null)
        }
        let attribute = random.pick(attributes)
        return .delete(entity.name, attribute: attribute.name, value(of: attribute, entity))
    }

    private mutating func save(
        _ entity: OracleSchema.Entity, _ schema: OracleSchema
    ) -> OracleSave {
        var save = OracleSave(entity: entity.name, values: [:], ones: [:], manys: [:])
        for attribute in entity.attributes {
            let isEmpty = random.chance(attribute.isOptional ? 30 : 2)
            save.values[attribute.name] = isEmpty ? .null : value(of: attribute, entity)
        }
        for relationship in entity.ones {
            let isEmpty = relationship.description.isOptional && random.chance(40)
            let destination = schema[relationship.destination]
            save.ones[relationship.name] =
                isEmpty || destination.identity.isEmpty ? .some(nil) : identity(of: destination)
        }
        for relationship in entity.manys where random.chance(40) {
            let destination = schema[relationship.destination]
            if destination.identity.isEmpty { continue }
            save.manys[relationship.name] = identities(of: destination)
        }
        return save
    }

    private mutating func edit(
        _ entity: OracleSchema.Entity, _ schema: OracleSchema
    ) -> OracleEdit? {
        let relationships = entity.relationships.filter {
            !schema[$0.destination].identity.isEmpty
        }
        if entity.identity.isEmpty || relationships.isEmpty { return nil }
        let relationship = random.pick(relationships)
        let destination = schema[relationship.destination]
        let action: OracleEdit.Action
        if !relationship.description.isToMany {
            action = .lead(random.chance(30) ? nil : identity(of: destination))
        } else {
            switch random.number(6) {
            case 0, 1: action = .add(identities(of: destination))
            case 2: action = .remove(identity(of: destination))
            case 3: action = .removeAll
            case 4: action = .set(identities(of: destination))
            default: action = .move(identity(of: destination), to: random.number(4))
            }
        }
        return OracleEdit(
            entity: entity.name, identity: identity(of: entity), relationship: relationship.name,
            action: action)
    }

    private mutating func change(
        of entities: [EntityDescription], _ models: inout OracleModels, _ index: Int
    ) -> OracleChange {
        let position = random.number(entities.count)
        let entity = entities[position]
        let attributes = entity.attributes.map(\.name).filter {
            $0 != "id" && $0 != "part" && $0 != "seen"
        }
        let name = "n\(random.number(1000))\(index)"
        switch random.number(8) {
        case 0 where !attributes.isEmpty:
            return .removeAttribute(entity: entity.name, name: random.pick(attributes))
        case 1 where !attributes.isEmpty:
            return .makeOptional(entity: entity.name, name: random.pick(attributes))
        case 2 where !attributes.isEmpty:
            let old = random.pick(attributes)
            let prefix = old.hasPrefix(OracleNames.single) ? OracleNames.single : ""
            return .rename(entity: entity.name, name: old, to: prefix + name)
        case 3 where !entity.relationships.isEmpty:
            return .deleteRule(
                entity: entity.name, relationship: random.pick(entity.relationships).name,
                random.pick(DeleteRule.allCases))
        case 7 where !attributes.isEmpty:
            let changed = random.pick(attributes)
            let value: DefaultValue? =
                switch entity.attributes.first(where: { $0.name == changed })?.type {
                case .integer: .integer(Int64(random.number(3)))
                case .boolean: .boolean(random.chance(50))
                case .string: .string("default\(index)")
                default: nil
                }
            return .changeDefault(
                entity: entity.name, name: changed, random.chance(30) ? nil : value)
        case 6 where !attributes.isEmpty:
            return .search(entity: entity.name, name: random.pick(attributes))
        case 4:
            var relationship = models.many(name, to: 0)
            relationship.destination = random.pick(entities).name
            return .addRelationship(entity: entity.name, relationship)
        default:
            var attribute = models.attribute(name)
            if attribute.defaultValue == nil { attribute.isOptional = true }
            return .addAttribute(entity: entity.name, attribute)
        }
    }

    // MARK: Values

    private mutating func identities(of entity: OracleSchema.Entity) -> [[SQLValue]] {
        (0..<random.number(4)).map { _ in identity(of: entity) }
    }

    private mutating func identity(of entity: OracleSchema.Entity) -> [SQLValue] {
        entity.identity.compactMap { entity.attribute($0) }.map { value(of: $0, entity) }
    }

    private mutating func value(
        of attribute: AttributeDescription, _ entity: OracleSchema.Entity
    ) -> SQLValue {
        let isIdentity = entity.identity.contains(attribute.name)
        return switch attribute.type {
        case .integer where isIdentity && random.chance(8):
            .integer(random.pick(OracleDocuments.ends))
        case .integer: .integer(Int64(random.number(isIdentity ? 4 : 3)))
        case .double:
            .real(
                attribute.name.hasPrefix(OracleNames.single)
                    ? Double(Float(random.pick([0.1, 2.5]))) : random.pick([0.1, 2.5]))
        case .boolean: .integer(Int64(random.number(2)))
        case .date: .real(Double(random.number(10)))
        default: .text(random.pick(isIdentity ? OracleDocuments.names : OracleDocuments.texts))
        }
    }
}
