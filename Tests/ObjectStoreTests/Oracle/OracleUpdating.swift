@testable import LarderObjectStore

/// Changes an attribute of the objects that a query finds.
struct OracleUpdating {
    private(set) var world: OracleWorld
    private(set) var tally = OracleTally(isAdditive: true)
    private(set) var count = 0

    init(_ world: OracleWorld) { self.world = world }

    mutating func update(_ update: OracleUpdate) throws(OracleRefusal) {
        let schema = world.schema
        guard let attribute = schema[update.entity].attribute(update.attribute) else {
            throw OracleRefusal("there is no such attribute")
        }
        let identifies = schema.names.contains {
            schema.isEntity($0, update.entity) && schema[$0].identity.contains(attribute.name)
        }
        if identifies { throw OracleRefusal("\(attribute.name) identifies objects") }
        if case .set(.null) = update.change, !attribute.isOptional {
            throw OracleRefusal("\(attribute.name) is required")
        }
        for key in world.objects.keys.sorted() where isFound(key, by: update) {
            guard let object = world.objects[key] else { continue }
            let value = Self.value(object.values[attribute.name], changed: update.change, attribute)
            guard value != object.values[attribute.name] else { continue }
            world.objects[key]?.values[attribute.name] = value
            tally.note(key, .updated, in: world)
            count += 1
        }
        try world.checkRules()
    }

    private func isFound(_ key: Int, by update: OracleUpdate) -> Bool {
        guard world.isComplete(key),
            world.schema.isEntity(world.entity(of: key).name, update.entity)
        else { return false }
        return update.condition.map {
            world.objects[key]?.values[$0.attribute] ?? .null == $0.value
        } ?? true
    }

    private static func value(
        _ value: SQLValue?, changed change: OracleUpdate.Change, _ attribute: AttributeDescription
    ) -> SQLValue? {
        switch (value, change) {
        case (_, .set(.null)): nil
        case (_, .set(let value)): value
        case (.integer(let value), .increment(.integer(let number))): .integer(value + number)
        case (.real(let value), .increment(.real(let number))):
            attribute.name.hasPrefix(OracleNames.single)
                ? .real(Double(Float(value) + Float(number))) : .real(value + number)
        default: value
        }
    }
}
