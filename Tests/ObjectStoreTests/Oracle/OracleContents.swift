@testable import LarderObjectStore

/// What the tables of a store hold, with the oracle's numbers for rows.
struct OracleContents {
    /// A row of the table that is named after an entity.
    struct Place: Hashable {
        let root: String
        let row: Int64
    }

    private struct Found {
        let entity: String
        let values: [String: SQLValue]
    }

    private let world: OracleWorld
    private let store: Store
    private var found: [Place: Found] = [:]
    private(set) var places: [Int: Place] = [:]
    /// The rows that each list links, by owner.
    private var linked: [String: [Int64: [Int64]]] = [:]

    /// Reads the tables and finds out which row is which of a world's objects.
    ///
    /// - Throws: `OracleDisagreement` where there are other objects.
    init(of store: Store, as world: OracleWorld) throws {
        self.store = store
        self.world = world
        for root in store.plan.entities where root.description.parent == nil {
            try read(root)
            try match(root.name)
        }
        try readLinks()
    }

    private mutating func read(_ root: EntityPlan) throws {
        let members = root.family.members.map { store.plan.entities[$0] }
        let names = Set(members.flatMap(\.columnNames)).sorted()
        let columns = [root.rowid, root.entityColumn ?? "''"] + names.map(\.sqlName)
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM \(root.table) ORDER BY \(root.rowid)"
        for row in try store.withWriter({ try $0.allRows(sql) }) {
            guard case .integer(let number) = row[0], case .text(let name) = row[1] else {
                continue
            }
            let entity = name.isEmpty ? root.name : name
            let values = Dictionary(uniqueKeysWithValues: zip(names, row.dropFirst(2)))
                .filter { $0.value != .null }
            found[Place(root: root.name, row: number)] = Found(entity: entity, values: values)
        }
    }

    /// Objects are told by their identity, and those without one by their order.
    private mutating func match(_ root: String) throws {
        let identity = world.schema[root].identity
        let ours = world.ranked(
            world.objects.filter { world.schema.root(of: $0.value.entity) == root }.keys)
        let theirs = found.keys.filter { $0.root == root }.sorted { $0.row < $1.row }
        let expected = Dictionary(grouping: ours) { key in
            identity.map { world.objects[key]?.values[$0] ?? .null }
        }
        let stored = Dictionary(grouping: theirs) { place in
            identity.map { found[place]?.values[$0] ?? .null }
        }
        for key in Set(expected.keys).union(stored.keys) {
            let (expected, stored) = (expected[key] ?? [], stored[key] ?? [])
            guard expected.count == stored.count else {
                throw OracleDisagreement(
                    "\(root) \(key): expected \(expected.count) objects, found \(stored.count)")
            }
            for (object, place) in zip(expected, stored) {
                places[object] = place
            }
        }
    }

    // MARK: Comparing

    /// Throws where an object or a link is not as the oracle says.
    func compare() throws {
        for (key, object) in world.objects.sorted(by: { $0.key < $1.key }) {
            guard let place = places[key], let stored = found[place] else { continue }
            let name = "\(object.entity) \(place.row)"
            guard object.entity == stored.entity else {
                throw OracleDisagreement("\(name) is stored as one of \(stored.entity)")
            }
            let entity = world.schema[object.entity]
            for attribute in entity.attributes {
                try expect(
                    stored.values[attribute.name] ?? .null, object.values[attribute.name] ?? .null,
                    "\(name).\(attribute.name)")
            }
            for relationship in entity.ones {
                let row = object.ones[relationship.name].flatMap { places[$0]?.row }
                try expect(
                    stored.values[relationship.name] ?? .null, row.map(SQLValue.integer) ?? .null,
                    "\(name).\(relationship.name)")
            }
            for relationship in entity.manys {
                try compareLinks(of: key, at: place, relationship, name)
            }
        }
    }

    private func compareLinks(
        of key: Int, at place: Place, _ relationship: OracleSchema.Relationship, _ name: String
    ) throws {
        let list = "\(world.entity(of: key).name).\(relationship.name)"
        var rows = linked[list]?[place.row] ?? []
        var expected = world.linked(relationship, of: key).compactMap { places[$0]?.row }
        if !relationship.description.isOrdered {
            rows.sort()
            expected.sort()
        }
        try expect(rows, expected, "\(name).\(relationship.name)")
    }

    private mutating func readLinks() throws {
        for entity in store.plan.entities {
            for relationship in entity.toMany {
                let links = LinkQuery(relationship, in: store.plan)
                let scope = links.rowScope.map { " WHERE \($0)" } ?? ""
                let sql =
                    "SELECT l.\(links.source), l.\(links.target) FROM \(links.table) AS l\(scope)"
                    + " ORDER BY \(links.order)"
                var found: [Int64: [Int64]] = [:]
                for row in try store.withWriter({ try $0.allRows(sql) }) {
                    guard case .integer(let source) = row[0], case .integer(let target) = row[1]
                    else { continue }
                    found[source, default: []].append(target)
                }
                linked["\(entity.name).\(relationship.name)"] = found
            }
        }
    }

    private func expect<Value: Equatable>(
        _ value: Value, _ expected: Value, _ place: String
    ) throws {
        if value != expected {
            throw OracleDisagreement("\(place): expected \(expected), found \(value)")
        }
    }
}

/// Where store and oracle differ.
struct OracleDisagreement: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
