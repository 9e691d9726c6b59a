@testable import LarderObjectStore

extension OracleWorld {
    /// Gives an object values and links, empty ones too; true where something is different then.
    ///
    /// - Parameter isReference: Whether a reference stays one, whatever it has.
    mutating func set(
        _ values: [String: SQLValue], _ links: [String: Int?], of key: Int,
        asReference isReference: Bool = false
    ) -> Bool {
        guard var object = objects[key] else { return false }
        for (name, value) in values { object.values[name] = value == .null ? nil : value }
        for (name, link) in links { object.ones[name] = link }
        let empty = nulls[key, default: []].subtracting(values.keys)
            .union(values.filter { $0.value == .null }.keys)
        if !isReference, !lacksSomething(object) { complete(&object, besides: empty) }
        nulls[key] = object.isReference ? empty : nil
        let isChanged = object != objects[key]
        objects[key] = object
        return isChanged
    }

    /// Makes an object of a reference.
    mutating func complete(_ key: Int) {
        guard var object = objects[key] else { return }
        complete(&object, besides: nulls[key, default: []])
        objects[key] = object
    }

    /// A reference that becomes an object takes the defaults of what is empty, unless it has been
    /// said to be so.
    private func complete(_ object: inout OracleObject, besides nulls: Set<String>) {
        guard object.isReference else { return }
        object.isReference = false
        let defaults = schema[object.entity].defaults().filter { !nulls.contains($0.key) }
        object.values.merge(defaults) { known, _ in known }
    }

    /// Makes an object of which only the identity is known.
    mutating func refer(to identity: [String: SQLValue], as entity: OracleSchema.Entity) -> Int {
        let object = add(
            OracleObject(entity: entity.name, values: identity, ones: [:], isReference: true))
        if entity.isWholeByIdentity { complete(object) }
        return object
    }

    /// Throws where an object breaks a rule: none did before.
    func checkRules() throws(OracleRefusal) {
        guard hasRules else { return }
        for (key, object) in objects where isComplete(key) {
            let entity = schema[object.entity]
            let twos = entity.attributes.filter {
                $0.type == .integer && !entity.identity.contains($0.name)
                    && object.values[$0.name] == .integer(2)
            }
            if twos.count > 1 { throw OracleRefusal("object \(key) breaks the rule") }
        }
    }

    /// Whether an object lacks something that is required of it.
    func lacksSomething(_ object: OracleObject) -> Bool {
        schema.required(schema[object.entity]).contains {
            object.values[$0] == nil && object.ones[$0] == nil
        }
    }

    /// Whether nothing is known of an object that would say which entity it is of.
    func isOpen(_ key: Int) -> Bool {
        guard let object = objects[key] else { return false }
        return object.isReference || schema[object.entity].isAbstract
    }

    /// Makes an object one of an entity below its own.
    mutating func settle(_ key: Int, as entity: OracleSchema.Entity) {
        objects[key]?.entity = entity.name
        if entity.isWholeByIdentity { complete(key) }
    }
}

extension OracleSchema.Entity {
    /// Whether JSON has nothing to say of an object itself but its identity.
    var isWholeByIdentity: Bool {
        !isAbstract && !hasSubEntities
            && attributes.allSatisfy {
                identity.contains($0.name)
                    || $0.key == nil && ($0.isOptional || $0.defaultValue != nil)
            } && ones.allSatisfy { $0.description.key == nil && $0.description.isOptional }
    }

    /// What an object has that is inserted without values.
    func defaults() -> [String: SQLValue] {
        var values: [String: SQLValue] = [:]
        for attribute in attributes where !identity.contains(attribute.name) {
            values[attribute.name] =
                switch attribute.defaultValue {
                case .integer(let value): .integer(value)
                case .double(let value): .real(value)
                case .boolean(let value): .integer(value ? 1 : 0)
                case .string(let value): .text(value)
                case nil: nil
                }
        }
        return values
    }
}
