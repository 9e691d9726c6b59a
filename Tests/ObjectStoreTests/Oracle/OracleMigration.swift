@testable import LarderObjectStore

extension OracleWorld {
    /// The world under a changed model: what both models have stays, an object has the default of a
    /// new attribute.
    func migrated(to model: Model) -> OracleWorld {
        var world = OracleWorld(model, continuing: self)
        for (key, object) in objects {
            let (old, new) = (schema[object.entity], world.schema[object.entity])
            var values: [String: SQLValue] = [:]
            let defaults = object.isReference ? [:] : new.defaults()
            for attribute in new.attributes {
                if old.attribute(attribute.name) != nil {
                    values[attribute.name] = object.values[attribute.name]
                } else if let name = attribute.renamedFrom, old.attribute(name) != nil {
                    values[attribute.name] = object.values[name]
                } else {
                    values[attribute.name] = defaults[attribute.name]
                }
            }
            world.objects[key]?.values = values
            if !new.hasFetchedAt { world.objects[key]?.fetched = nil }
            if new.isWholeByIdentity { world.complete(key) }
            world.objects[key]?.ones = object.ones.filter { name, _ in
                new.ones.contains { $0.name == name }
            }
        }
        let keys = Set(world.schema.entities.values.flatMap { $0.manys.map(\.key) })
        world.lists = lists.filter { keys.contains($0.key) }
        return world
    }
}
