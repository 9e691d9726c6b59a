@testable import LarderObjectStore

/// Makes a failing program smaller as long as it still fails.
struct OracleShrinker {
    private(set) var program: OracleProgram
    private var budget: Int

    init(_ program: OracleProgram, budget: Int = 6_000) {
        self.program = program
        self.budget = budget
    }

    /// Takes away what the failure does not need.
    mutating func shrink() {
        var isSmaller = true
        while isSmaller, budget > 0 {
            isSmaller = false
            for pass in [Self.fewerSteps, Self.smallerSteps, Self.smallerModel] {
                var index = 0
                // Where a candidate fails too, those at the same place of the smaller one are next.
                while budget > 0, case let candidates = pass(program), index < candidates.count {
                    budget -= 1
                    if Self.fails(candidates[index]) {
                        program = candidates[index]
                        isSmaller = true
                    } else {
                        index += 1
                    }
                }
            }
        }
    }

    private static func fails(_ program: OracleProgram) -> Bool {
        if case .disagreement = OracleRun.outcome(of: program) { true } else { false }
    }

    // MARK: Candidates

    private static func fewerSteps(_ program: OracleProgram) -> [OracleProgram] {
        let without = program.steps.indices.map { index in
            program.changed { $0.steps.remove(at: index) }
        }
        return without
            + program.evictions.indices.map { index in
                program.changed { $0.evictions.remove(at: index) }
            } + (program.isUnchecked ? [program.changed { $0.isUnchecked = false }] : [])
            + (program.shortcuts != .all ? [program.changed { $0.shortcuts = .all }] : [])
            + (program.hasRules ? [program.changed { $0.hasRules = false }] : [])
            + (program.longArray != nil ? [program.changed { $0.longArray = nil }] : [])
    }

    private static func smallerSteps(_ program: OracleProgram) -> [OracleProgram] {
        program.steps.indices.flatMap { index in
            smaller(program.steps[index]).map { step in
                program.changed { $0.steps[index] = step }
            }
        }
    }

    private static func smaller(_ step: OracleStep) -> [OracleStep] {
        switch step {
        case .insert(let entity, let json): return json.smaller.map { .insert(entity, $0) }
        case .insertEach(let entity, let elements):
            return OracleJSON.array(elements).smaller.compactMap {
                if case .array(let fewer) = $0 { .insertEach(entity, fewer) } else { nil }
            } + [.insert(entity, .array(elements))]
        case .complete(let entity, let json, let whole):
            return [.insert(entity, json)] + json.smaller.map { .complete(entity, $0, whole) }
        case .migrate(let changes):
            return changes.indices.map { index in
                var fewer = changes
                fewer.remove(at: index)
                return .migrate(fewer)
            }
        case .save(let save):
            var smaller: [OracleSave] = []
            for name in save.ones.keys.sorted() {
                var one = save
                one.ones[name] = nil
                smaller.append(one)
            }
            for name in save.manys.keys.sorted() {
                var one = save
                one.manys[name] = nil
                smaller.append(one)
                for index in save.manys[name, default: []].indices {
                    one = save
                    one.manys[name]?.remove(at: index)
                    smaller.append(one)
                }
            }
            return smaller.map { .save($0) }
        case .edit(var edit):
            guard case .add(let identities) = edit.action, identities.count > 1 else { return [] }
            return identities.map {
                edit.action = .add([$0])
                return .edit(edit)
            }
        case .update(var update):
            guard update.condition != nil else { return [] }
            update.condition = nil
            return [.update(update)]
        case .transaction(let steps, let isTakenBack):
            let fewer = steps.indices.map { index in
                var fewer = steps
                fewer.remove(at: index)
                return OracleStep.transaction(fewer, isTakenBack: isTakenBack)
            }
            let inner = steps.indices.flatMap { index in
                smaller(steps[index]).map { step in
                    var changed = steps
                    changed[index] = step
                    return OracleStep.transaction(changed, isTakenBack: isTakenBack)
                }
            }
            return fewer + inner
                + (isTakenBack ? [.transaction(steps, isTakenBack: false)] : [])
        case .delete, .evict, .reopen: return []
        }
    }

    private static func smallerModel(_ program: OracleProgram) -> [OracleProgram] {
        var smaller: [OracleProgram] = []
        for (index, entity) in program.entities.enumerated() {
            smaller.append(program.changed { $0.entities.remove(at: index) })
            for (place, relationship) in entity.relationships.enumerated() {
                smaller.append(
                    program.changed { $0.removeRelationship(relationship, of: entity.name) })
                smaller += relationship.plainer.map { plainer in
                    program.changed { $0.entities[index].relationships[place] = plainer }
                }
            }
            for (place, attribute) in entity.attributes.enumerated() {
                smaller.append(
                    program.changed { $0.entities[index].attributes.remove(at: place) })
                smaller += attribute.plainer.map { plainer in
                    program.changed { $0.entities[index].attributes[place] = plainer }
                }
            }
            if entity.mapper != nil {
                smaller.append(program.changed { $0.entities[index].mapper = nil })
            }
            if entity.transformer != nil {
                smaller.append(program.changed { $0.entities[index].transformer = nil })
            }
            if entity.hasFetchedAt {
                smaller.append(program.changed { $0.entities[index].hasFetchedAt = false })
            }
            if entity.tombstone != nil {
                smaller.append(program.changed { $0.entities[index].tombstone = nil })
            }
            if entity.isAbstract {
                smaller.append(program.changed { $0.entities[index].isAbstract = false })
            }
            if entity.parent != nil, entity.identity.isEmpty {
                smaller.append(program.changed { $0.entities[index].parent = nil })
            }
        }
        return smaller.filter(\.isWhole)
    }
}

extension OracleProgram {
    fileprivate func changed(_ change: (inout OracleProgram) -> Void) -> OracleProgram {
        var program = self
        change(&program)
        return program
    }

    fileprivate mutating func removeRelationship(
        _ relationship: RelationshipDescription, of owner: String
    ) {
        for index in entities.indices {
            let entity = entities[index].name
            entities[index].relationships.removeAll { other in
                entity == owner && other.name == relationship.name
                    || entity == relationship.destination && other.name == relationship.inverse
            }
        }
    }

    /// Whether its model is one and has all that its steps name.
    fileprivate var isWhole: Bool {
        guard let model else { return false }
        let schema = OracleSchema(model)
        return evictions.allSatisfy { eviction in
            schema.names.contains(eviction.entity)
                && eviction.attribute.map { schema[eviction.entity].attribute($0) != nil }
                    ?? schema[eviction.entity].hasFetchedAt
        }
            && steps.allSatisfy { $0.isWhole(in: schema) }
    }
}

extension OracleStep {
    /// Whether a model has all that the step names.
    fileprivate func isWhole(in schema: OracleSchema) -> Bool {
        switch self {
        case .insert(let entity, _), .insertEach(let entity, _):
            return schema.names.contains(entity)
        case .complete(let entity, _, let whole):
            guard schema.names.contains(entity) else { return false }
            switch whole.scope {
            case .found(let entity, let attribute, _):
                return schema.names.contains(entity)
                    && attribute.map { schema[entity].attribute($0) != nil } ?? true
            case .linked(let entity, let identity, let relationship):
                return schema.names.contains(entity)
                    && schema[entity].identity.count == identity.count
                    && schema[entity].manys.contains { $0.name == relationship }
            }
        case .delete(let entity, let attribute, _):
            return schema.names.contains(entity)
                && attribute.map { schema[entity].attribute($0) != nil } ?? true
        case .save(let save): return schema.names.contains(save.entity)
        case .edit(let edit):
            return schema.names.contains(edit.entity)
                && schema[edit.entity].identity.count == edit.identity.count
                && schema[edit.entity].relationships.contains { $0.name == edit.relationship }
        case .update(let update):
            return schema.names.contains(update.entity)
                && [update.attribute, update.condition?.attribute].allSatisfy { name in
                    name.map { schema[update.entity].attribute($0) != nil } ?? true
                }
        case .transaction(let steps, _): return steps.allSatisfy { $0.isWhole(in: schema) }
        case .evict, .reopen, .migrate: return true
        }
    }
}

extension OracleJSON {
    /// The value with something taken away, the largest parts first.
    fileprivate var smaller: [OracleJSON] {
        switch self {
        case .null, .boolean, .number: return []
        case .string(let text, let isEscaped):
            return isEscaped ? [.string(text)] : []
        case .array(let elements):
            let fewer = elements.indices.map { index in
                var fewer = elements
                fewer.remove(at: index)
                return OracleJSON.array(fewer)
            }
            let inner = elements.indices.flatMap { index in
                elements[index].smaller.map { element in
                    var changed = elements
                    changed[index] = element
                    return OracleJSON.array(changed)
                }
            }
            return fewer + inner
        case .object(let members):
            let fewer = members.indices.map { index in
                var fewer = members
                fewer.remove(at: index)
                return OracleJSON.object(fewer)
            }
            let inner = members.indices.flatMap { index in
                members[index].value.smaller.map { value in
                    var changed = members
                    changed[index].value = value
                    return OracleJSON.object(changed)
                }
            }
            return fewer + inner
        }
    }
}

extension RelationshipDescription {
    /// The relationship with less to say.
    fileprivate var plainer: [RelationshipDescription] {
        var plainer: [RelationshipDescription] = []
        func add(_ isPlainer: Bool, _ change: (inout RelationshipDescription) -> Void) {
            guard isPlainer else { return }
            var relationship = self
            change(&relationship)
            plainer.append(relationship)
        }
        add(deleteRule != .nullify) { $0.deleteRule = .nullify }
        add(policy != .set) { $0.policy = .set }
        add(isOrdered) { $0.isOrdered = false }
        add(isPartial) { $0.isPartial = false }
        add(!isToMany && !isOptional) { $0.isOptional = true }
        add(key?.contains(".") == true) { $0.key = $0.name }
        return plainer
    }
}

extension AttributeDescription {
    /// The attribute with less to say.
    fileprivate var plainer: [AttributeDescription] {
        var plainer: [AttributeDescription] = []
        func add(_ isPlainer: Bool, _ change: (inout AttributeDescription) -> Void) {
            guard isPlainer else { return }
            var attribute = self
            change(&attribute)
            plainer.append(attribute)
        }
        add(defaultValue != nil) { $0.defaultValue = nil }
        add(!isOptional && name != "id") { $0.isOptional = true }
        add(transformer == .string) { $0.transformer = nil }
        return plainer
    }
}
