@testable import LarderObjectStore

/// What reading a store by its own calls must find.
struct OracleReadings {
    let world: OracleWorld
    let contents: OracleContents
    let store: Store

    /// Throws where a call finds something else than the oracle says.
    func compare() throws {
        // A migration has given the types other descriptions.
        try OracleSlots.with(store.model) { try compareAll() }
    }

    private func compareAll() throws {
        try compareFetchTimes()
        for name in world.schema.names {
            let objects = world.ranked(
                world.objects.keys.filter {
                    world.schema.isEntity(world.entity(of: $0).name, name) && world.isComplete($0)
                })
            let records = try store.fetch(DynamicQuery(name))
            try expect(records.map(\.row), objects.compactMap(row), "all of \(name)")
            try expect(try store.count(DynamicQuery(name)), objects.count, "the number of \(name)")
            for relationship in world.schema[name].relationships {
                if relationship.description.isToMany {
                    try compareMany(relationship, of: name, objects, records)
                } else {
                    try compareOne(relationship, of: objects)
                }
            }
        }
    }

    /// When objects were fetched is told by the steps that did it.
    private func compareFetchTimes() throws {
        for root in store.plan.fetchedRoots {
            let sql = "SELECT row, at FROM \(root.fetchTable)"
            let found = try store.withWriter { try $0.allRows(sql) }.map { [$0[0], $0[1]] }
            let expected = world.objects.compactMap { key, object -> [SQLValue]? in
                guard world.schema.root(of: object.entity) == root.name, let row = row(of: key),
                    let step = object.fetched
                else { return nil }
                return [.integer(row), .real(Double(step))]
            }
            try expect(Set(found), Set(expected), "when objects of \(root.name) were fetched")
        }
    }

    private func row(of object: Int) -> Int64? { contents.places[object]?.row }

    private func compareMany(
        _ relationship: OracleSchema.Relationship, of entity: String, _ objects: [Int],
        _ records: [DynamicObject]
    ) throws {
        for (object, record) in zip(objects, records) {
            let linked = world.linked(relationship, of: object)
            let place = "\(entity) \(record.row).\(relationship.name)"
            var rows = try record.many(relationship.name).map(\.row)
            var expected = linked.filter(world.isComplete).compactMap(row)
            if !relationship.description.isOrdered {
                rows.sort()
                expected.sort()
            }
            try expect(rows, expected, "\(place) as read")
            try expect(
                try store.count(of: relationship.name, owner: record.row, entity: entity),
                linked.count, "\(place) as counted")
        }
    }

    /// Reads what all objects lead to in one go: a reference is nil, and spoils nothing.
    private func compareOne(
        _ relationship: OracleSchema.Relationship, of objects: [Int]
    ) throws {
        func fetch<Place: OraclePlace>(_ place: Place.Type, _ rows: [Int64?]) throws -> [Bool] {
            let links = rows.map { $0.map { One<OracleSlot<Place>>(row: $0, store: store) } }
            return try store.fetch(links).map { $0 != nil }
        }
        let linked = objects.map { world.objects[$0]?.ones[relationship.name] }
        let found = try fetch(
            OracleSlots.place(of: relationship.destination), linked.map { $0.flatMap(row) })
        try expect(
            found, linked.map { $0.map(world.isComplete) ?? false },
            "\(relationship.key) of all, read together")
    }

    private func expect<Value: Equatable>(
        _ value: Value, _ expected: Value, _ place: String
    ) throws {
        if value != expected {
            throw OracleDisagreement("\(place): expected \(expected), found \(value)")
        }
    }
}
