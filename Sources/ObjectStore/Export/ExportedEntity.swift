/// The statements and JSON keys for writing an entity's objects, made once for a connection.
final class ExportedEntity {
    let plan: EntityPlan
    /// The JSON keys of all fields.
    let tree: ExportTree
    /// The JSON keys of the attributes that identify an object.
    let identityTree: ExportTree
    /// The relationships behind the fields that follow the attributes.
    let relationships: [ExportedRelationship]
    private let select: Statement
    private let links: [Statement]

    init(_ plan: EntityPlan, in store: StorePlan, connection: Connection) throws(StoreError) {
        self.plan = plan
        let description = plan.description
        let attributes = description.attributes.map(\.key)
        let values = Self.entityValues(of: plan, in: store)
        tree = ExportTree(
            keyPaths: attributes + description.toOneRelationships.map(\.key)
                + description.relationships.filter(\.isToMany).map(\.key),
            entityValues: values)
        identityTree = ExportTree(
            keyPaths: attributes.enumerated().map {
                plan.identifying.contains($0) ? $1 : nil
            }, entityValues: values)
        relationships =
            description.toOneRelationships.enumerated().map { index, relationship in
                ExportedRelationship(
                    relationship, of: plan,
                    to: store.entities[plan.columns[plan.attributeCount + index].destination])
            }
            + description.relationships.filter(\.isToMany).enumerated().map { index, relationship in
                ExportedRelationship(
                    relationship, of: plan, to: store.entities[plan.toMany[index].destination])
            }
        let columns = (plan.columnNames + [EntityPlan.referenceColumn]).map(\.sqlName)
        select = try Statement(
            "SELECT \(columns.joined(separator: ", ")) FROM \(plan.table)"
                + " WHERE \(plan.rowid) = ?", on: connection)
        var links: [Statement] = []
        for relationship in plan.toMany {
            let query = LinkQuery(relationship, in: store)
            links.append(
                try Statement(
                    "SELECT l.\(query.target) FROM \(query.table) AS l WHERE l.\(query.source) = ?"
                        + (query.rowScope.map { " AND \($0)" } ?? "")
                        + " ORDER BY \(query.order)",
                    on: connection))
        }
        self.links = links
    }

    /// Returns the values of a row's columns and, last, its reference mark, null for an object; nil
    /// where there is no such row.
    func values(in row: Int64) throws(StoreError) -> [SQLValue]? {
        select.bind(row, at: 1)
        defer { select.reset() }
        guard try select.step() else { return nil }
        return (0...plan.columnCount).map { select.value(at: Int32($0)) }
    }

    /// The rows that a to-many relationship links, in its order.
    func rows(of index: Int, owner: Int64) throws(StoreError) -> [Int64] {
        links[index].bind(owner, at: 1)
        defer { links[index].reset() }
        var rows: [Int64] = []
        while try links[index].step() { rows.append(links[index].integer(at: 0)) }
        return rows
    }

    /// Returns the discriminators, with their key paths, by which the mappers of an entity and its
    /// ancestors know it, the highest mapper's first: at one key path it is the one that counts.
    private static func entityValues(
        of plan: EntityPlan, in store: StorePlan
    ) -> [(keyPath: String, value: String)] {
        let line = plan.family.ancestors.reversed() + [plan.index]
        return line.compactMap { index in
            guard let mapper = store.entities[index].description.mapper,
                let value = mapper.values.filter({ $0.value == plan.name }).keys.min()
            else { return nil }
            return (mapper.key, value)
        }
    }
}

/// A relationship as it is followed when objects are written as JSON.
struct ExportedRelationship {
    /// An identifier of a relationship: its name, and the table that a whole family shares.
    struct Key: Hashable {
        let table: String
        let name: String
    }

    let key: Key
    /// The one that leads back.
    let inverse: Key?
    let destination: EntityPlan

    init(_ relationship: RelationshipDescription, of owner: EntityPlan, to destination: EntityPlan)
    {
        key = Key(table: owner.table, name: relationship.name)
        inverse = relationship.inverse.map { Key(table: destination.table, name: $0) }
        self.destination = destination
    }
}

extension EntityPlan.Column {
    /// Writes the JSON of an attribute's value, which is not empty; false where it has none.
    ///
    /// - Throws: What a transformer's closure throws, or `StoreError` where JSON has no such value,
    ///   as for a number that is infinite: left out it would stay what it is in who reads the JSON,
    ///   as `null` it would be cleared there.
    func writeJSON(of value: SQLValue, to output: inout JSONOutput) throws -> Bool {
        if let json = converter?.json {
            guard let made = try json(value) else { return false }
            output.append(made)
            return true
        }
        guard let coder = converter?.plainCoder ?? coder else { return false }
        guard coder.writeJSON(of: value, to: &output) else {
            throw StoreError(.unexpectedValue, "JSON has no such value")
        }
        return true
    }
}
