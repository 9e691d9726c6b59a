/// The statements that make the tables of a model.
struct Schema {
    /// Marks a database file as a store of Larder ("Lrdr"), by `PRAGMA application_id`.
    static let applicationID: Int64 = 0x4C72_6472
    /// The version of the tables' layout, by `PRAGMA user_version`.
    static let version: Int64 = 1

    let plan: StorePlan

    /// The table that keeps the model beside the objects.
    static let metadata = "CREATE TABLE \"$store\" (key TEXT PRIMARY KEY, value TEXT) STRICT"

    /// Creates the tables and indexes of an entity.
    func statements(for entity: EntityPlan) -> [String] {
        [table(of: entity)] + indexes(of: entity) + linkTables(of: entity)
    }

    private func table(of entity: EntityPlan) -> String {
        var lines: [String] = []
        if entity.rowid == "$id".sqlName { lines.append("\(entity.rowid) INTEGER PRIMARY KEY") }
        for attribute in entity.description.attributes {
            var line = "\(attribute.name.sqlName) \(attribute.type.columnType)"
            if attribute.name.sqlName == entity.rowid { line += " PRIMARY KEY" }
            if let value = attribute.defaultValue { line += " DEFAULT \(value.sqlValue.literal)" }
            lines.append(line)
        }
        for (column, name) in zip(entity.columns, entity.columnNames)
        where column.destination >= 0 {
            let destination = plan.entities[column.destination]
            // What can't be without the other end keeps it from being deleted.
            lines.append(
                "\(name.sqlName) INTEGER REFERENCES \(destination.table)"
                    + (column.isOptional ? " ON DELETE SET NULL" : "")
                    + " DEFERRABLE INITIALLY DEFERRED")
        }
        if case .unique(let columns) = entity.identity {
            let names = columns.map { entity.columnNames[$0].sqlName }
            lines.append("UNIQUE (\(names.joined(separator: ", ")))")
        }
        return "CREATE TABLE \(entity.table) (\n  \(lines.joined(separator: ",\n  "))\n) STRICT"
    }

    private func indexes(of entity: EntityPlan) -> [String] {
        let indexed =
            entity.description.attributes.filter(\.isIndexed).map(\.name)
            + zip(entity.columns, entity.columnNames).filter { $0.0.inverse != nil }.map(\.1)
        return indexed.map { name in
            "CREATE INDEX \("\(entity.name).\(name)".sqlName)"
                + " ON \(entity.table) (\(name.sqlName))"
        }
    }

    /// A link table is made with the side that gives it its name.
    private func linkTables(of entity: EntityPlan) -> [String] {
        entity.toMany.flatMap { relationship -> [String] in
            guard case .table(let links) = relationship.storage, links.source == "source" else {
                return []
            }
            let destination = plan.entities[relationship.destination]
            let inverse = destination.toMany.first { other in
                if case .table(let back) = other.storage {
                    back.name == links.name && back.source == "target"
                } else {
                    false
                }
            }
            var columns = [
                "source INTEGER NOT NULL REFERENCES \(entity.table)"
                    + " ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
                "target INTEGER NOT NULL REFERENCES \(destination.table)"
                    + " ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
            ]
            if links.position != nil { columns.append("position INTEGER") }
            if case .table(let back)? = inverse?.storage, back.position != nil {
                columns.append("inversePosition INTEGER")
            }
            columns.append("PRIMARY KEY (source, target)")
            var statements = [
                "CREATE TABLE \(links.name) (\n  \(columns.joined(separator: ",\n  "))\n)"
                    + " STRICT, WITHOUT ROWID"
            ]
            if inverse != nil {
                let name = "\(entity.name).\(relationship.name).inverse".sqlName
                statements.append("CREATE INDEX \(name) ON \(links.name) (target)")
            }
            return statements
        }
    }
}
