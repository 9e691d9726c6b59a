/// The statements that make the tables of a model.
struct Schema {
    /// Marks a database file as a store of Larder ("Lrdr"), by `PRAGMA application_id`.
    static let applicationID: Int64 = 0x4C72_6472
    /// The version of the tables' layout, by `PRAGMA user_version`.
    static let version: Int64 = 3
    /// The first layout in which the rows of references hold no defaults.
    static let versionWithoutDefaults: Int64 = 3

    let plan: StorePlan

    /// The tables beside those of the objects: the model, and the numbers of rows that have gone.
    static let metadata =
        "CREATE TABLE \"$store\" (key TEXT PRIMARY KEY, value TEXT) STRICT; \(numbers)"

    /// The beginning of the names of tables that are not the model's.
    static let sidePrefix = "$side."

    /// The table of the responses by which a store answers.
    static let keptResponses = sidePrefix + "kept"

    /// The table of the places at which pulls go on.
    static let pulls = sidePrefix + "pulls"

    /// Those that hold numbers of rows, and are emptied by a migration that gives rows others.
    static let sideTablesWithRows = [keptResponses]

    /// The table of the largest numbers of rows that have been deleted.
    static let numbersTable = "$numbers"

    /// Creates that table.
    static let numbers =
        "CREATE TABLE \(numbersTable.sqlName)"
        + " (name TEXT PRIMARY KEY, last INTEGER NOT NULL) STRICT"

    /// Creates the tables and indexes of an entity; those of a family come with its root.
    func statements(for entity: EntityPlan) -> [String] {
        guard entity.family.ancestors.isEmpty else { return linkTables(of: entity) }
        return [table(of: entity)] + indexes(of: entity) + linkTables(of: entity)
            + (plan.search(of: entity)?.statements ?? []) + fetchTimes(of: entity)
    }

    /// The table of when a family's objects were fetched, and what keeps it to those that are there.
    ///
    /// It stands beside theirs so that an object which comes again as it is costs a few bytes, not its row.
    private func fetchTimes(of root: EntityPlan) -> [String] {
        guard plan.members(beside: root).contains(where: \.keepsFetchTimes) else { return [] }
        let (table, row) = (root.fetchTable, root.rowid)
        func trigger(_ name: String, _ event: String, _ statement: String) -> String {
            "CREATE TRIGGER \("\(root.family.fetchTableName)\(name)".sqlName) AFTER \(event)"
                + " BEGIN \(statement); END"
        }
        return [
            "CREATE TABLE \(table) (row INTEGER PRIMARY KEY, at REAL NOT NULL) STRICT",
            trigger(
                "Deleted", "DELETE ON \(root.table)",
                "DELETE FROM \(table) WHERE row = old.\(row)"),
            trigger(
                "Renumbered",
                "UPDATE OF \(row) ON \(root.table) WHEN old.\(row) IS NOT new.\(row)",
                "UPDATE OR REPLACE \(table) SET row = new.\(row) WHERE row = old.\(row)"),
        ]
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
                index("\(entity.name).\(name)", on: root.table, name.sqlName).statement
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

    /// A table of links is made with the entity that gives it its name.
    private func linkTables(of entity: EntityPlan) -> [String] {
        plan.linkTables.filter { $0.owner.entity == entity.index }.flatMap { table -> [String] in
            let destination = plan.entities[table.inverse.entity]
            let columns =
                [
                    "source INTEGER NOT NULL REFERENCES \(entity.table)"
                        + " ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
                    "target INTEGER NOT NULL REFERENCES \(destination.table)"
                        + " ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED",
                ] + table.positions.map { "\($0) INTEGER" } + ["PRIMARY KEY (source, target)"]
            let creation =
                "CREATE TABLE \(table.name.sqlName) (\n  \(columns.joined(separator: ",\n  "))\n)"
                + " STRICT, WITHOUT ROWID"
            guard table.inverse.relationship != nil else { return [creation] }
            return [creation, inverseIndex(of: table).statement]
        }
    }

    // MARK: Indexes that are made when they are needed

    /// An index and the statement that makes it.
    typealias Index = (name: String, statement: String)

    /// The indexes without which each deleted object would cost a look at a whole table.
    ///
    /// A store that nothing is ever deleted from is spared them, and so is importing into it.
    ///
    /// - Parameter goals: The indices of the entities of which objects are deleted.
    func deletionIndexes(leadingTo goals: Set<Int>) -> [Index] {
        let columns = plan.entities.flatMap { entity in
            entity.columns.indices.filter { goals.contains(entity.columns[$0].destination) }
                .map { column in
                    let name = entity.columnNames[column]
                    // The first of a family that has a column gives its index the name.
                    let owner = plan.members(beside: entity).first { $0.columnNames.contains(name) }
                    return index(
                        "\((owner ?? entity).name).\(name)", on: entity.table, name.sqlName)
                }
        }
        return columns
            + plan.linkTables.filter { goals.contains($0.inverse.entity) }.map(inverseIndex)
    }

    private func inverseIndex(of table: LinkTable) -> Index {
        index(table.inverseIndex, on: table.name.sqlName, "target")
    }

    private func index(_ name: String, on table: String, _ column: String) -> Index {
        (name, "CREATE INDEX \(name.sqlName) ON \(table) (\(column))")
    }
}

// MARK: Full-text indexes

extension SearchPlan {
    /// Creates the index and what keeps it.
    var statements: [String] {
        let source = zip(attributes, columnNames).map { "\($0.sqlName) AS \($1)" }
        return [
            "CREATE VIEW \(textView.sqlName) AS SELECT \(rowid) AS row,"
                + " \(source.joined(separator: ", ")) FROM \(content.sqlName)",
            "CREATE VIRTUAL TABLE \(table) USING fts5(\(columnNames.joined(separator: ", ")),"
                + " content=\(SQLValue.text(textView).literal), content_rowid='row',"
                + " tokenize='unicode61 remove_diacritics 2')",
            "CREATE TABLE \(pending) (row INTEGER PRIMARY KEY) STRICT",
        ] + triggers
    }

    private var triggers: [String] {
        let changes = ([rowid] + attributes.map(\.sqlName)).map { "old.\($0) IS NOT new.\($0)" }
        let columns = [rowid] + attributes.map(\.sqlName).filter { $0 != rowid }
        return [
            trigger("inserted", after: "INSERT", [noting]),
            trigger("deleted", after: "DELETE", removal),
            trigger(
                "updated", after: "UPDATE OF \(columns.joined(separator: ", "))",
                when: changes.joined(separator: " OR "), removal + [noting]),
        ]
    }

    private func trigger(
        _ name: String, after event: String, when condition: String? = nil, _ body: [String]
    ) -> String {
        "CREATE TRIGGER \("\(content).$\(name)".sqlName) AFTER \(event) ON \(content.sqlName)"
            + (condition.map { " WHEN \($0)" } ?? "")
            + " BEGIN \(body.map { "\($0); " }.joined())END"
    }

    /// Notes that a row is to be indexed.
    private var noting: String { "INSERT OR IGNORE INTO \(pending) VALUES (new.\(rowid))" }

    /// Takes a row out of the index, which FTS5 needs the old text for.
    private var removal: [String] {
        let values = attributes.map { "old.\($0.sqlName)" }.joined(separator: ", ")
        return [
            "INSERT INTO \(table) (\(table), rowid, \(columnNames.joined(separator: ", ")))"
                + " SELECT 'delete', old.\(rowid), \(values) WHERE NOT EXISTS"
                + " (SELECT 1 FROM \(pending) WHERE row = old.\(rowid))",
            "DELETE FROM \(pending) WHERE row = old.\(rowid)",
        ]
    }
}
