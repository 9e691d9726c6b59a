/// The statements that make the tables of a model.
struct Schema {
    /// Marks a database file as a store of Larder ("Lrdr"), by `PRAGMA application_id`.
    static let applicationID: Int64 = 0x4C72_6472
    /// The version of the tables' layout, by `PRAGMA user_version`.
    static let version: Int64 = 2

    let plan: StorePlan

    /// The tables beside those of the objects: the model, and the numbers of rows that have gone.
    static let metadata =
        "CREATE TABLE \"$store\" (key TEXT PRIMARY KEY, value TEXT) STRICT; \(RowNumbers.schema)"

    /// Creates the tables and indexes of an entity; those of a family come with its root.
    func statements(for entity: EntityPlan) -> [String] {
        guard entity.family.ancestors.isEmpty else { return linkTables(of: entity) }
        return [table(of: entity)] + indexes(of: entity) + linkTables(of: entity)
            + (plan.search(of: entity)?.statements ?? [])
    }

    private func table(of root: EntityPlan) -> String {
        var lines: [String] = []
        if root.hasOwnNumbers { lines.append("\(root.rowid) INTEGER PRIMARY KEY") }
        if let column = root.entityColumn {
            lines.append("\(column) TEXT NOT NULL DEFAULT \(SQLValue.text(root.name).literal)")
        }
        lines.append("\(EntityPlan.referenceColumn.sqlName) INTEGER")
        var named: Set<String> = []
        for entity in root.family.members.map({ plan.entities[$0] }) {
            for (index, name) in entity.columnNames.enumerated() where named.insert(name).inserted {
                lines.append(column(index, of: entity))
            }
        }
        if case .unique(let columns) = root.identity, root.family.uniqueScope == nil {
            lines.append("UNIQUE (\(names(of: columns, in: root)))")
        }
        return "CREATE TABLE \(root.table) (\n  \(lines.joined(separator: ",\n  "))\n) STRICT"
    }

    private func column(_ index: Int, of entity: EntityPlan) -> String {
        let name = entity.columnNames[index].sqlName
        let column = entity.columns[index]
        guard index < entity.attributeCount else {
            let destination = plan.entities[column.destination]
            // What can't be without the other end keeps it from being deleted.
            return "\(name) INTEGER REFERENCES \(destination.table)"
                + (column.isOptional ? " ON DELETE SET NULL" : "")
                + " DEFERRABLE INITIALLY DEFERRED"
        }
        let attribute = entity.description.attributes[index]
        var line = "\(name) \(attribute.type.columnType)"
        if name == entity.rowid { line += " PRIMARY KEY" }
        // A sub-entity's default is not one of the table: other entities' objects don't have it.
        if let value = attribute.defaultValue, entity.family.ancestors.isEmpty {
            line += " DEFAULT \(value.sqlValue.literal)"
        }
        return line
    }

    private func names(of columns: [Int], in entity: EntityPlan) -> String {
        columns.map { entity.columnNames[$0].sqlName }.joined(separator: ", ")
    }

    /// The indexes of a family; those of columns that entities share are made once.
    private func indexes(of root: EntityPlan) -> [String] {
        var named: Set<String> = []
        return root.family.members.map { plan.entities[$0] }.flatMap { entity -> [String] in
            let indexed =
                entity.description.attributes.filter(\.isIndexed).map(\.name)
                + zip(entity.columns, entity.columnNames).filter { $0.0.inverse != nil }.map(\.1)
            let indexes = indexed.filter { named.insert($0).inserted }.map { name in
                "CREATE INDEX \("\(entity.name).\(name)".sqlName)"
                    + " ON \(root.table) (\(name.sqlName))"
            }
            return indexes + identityIndex(of: entity)
        }
    }

    /// The index that keeps an identity unique that not all of a family have.
    private func identityIndex(of entity: EntityPlan) -> [String] {
        guard case .unique(let columns) = entity.identity, let scope = entity.family.uniqueScope,
            let column = entity.entityColumn, isIdentified(entity)
        else { return [] }
        return [
            "CREATE UNIQUE INDEX \("\(entity.name).$identity".sqlName)"
                + " ON \(entity.table) (\(names(of: columns, in: entity)))"
                + " WHERE \(column) IN \(scope.sqlList)"
        ]
    }

    /// Whether the entity itself names attributes of its identity.
    private func isIdentified(_ entity: EntityPlan) -> Bool {
        plan.model[entity: entity.name]?.identity.isEmpty == false
    }

    /// A link table is made with the side that gives it its name.
    private func linkTables(of entity: EntityPlan) -> [String] {
        plan.ownToMany(of: entity).flatMap { relationship -> [String] in
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
