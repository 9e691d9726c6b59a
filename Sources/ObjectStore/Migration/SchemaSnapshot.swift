/// The tables, indexes, triggers and views of a database, as `sqlite_schema` has them.
struct SchemaSnapshot: Hashable {
    /// A table.
    struct Table: Hashable {
        let name: String
        let sql: String
        let isVirtual: Bool
        let shape: TableShape

        static func == (left: Table, right: Table) -> Bool {
            left.name == right.name && left.isVirtual == right.isVirtual
                && (left.isVirtual ? left.sql == right.sql : left.shape == right.shape)
        }

        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// An index, a trigger or a view.
    struct Part: Hashable {
        let table: String
        let sql: String
    }

    private(set) var tables: [String: Table] = [:]
    private(set) var indexes: [String: Part] = [:]
    private(set) var triggers: [String: Part] = [:]
    private(set) var views: [String: Part] = [:]

    /// Reads the schema of a database.
    init(of connection: Connection) throws(StoreError) {
        let rows = try connection.allRows(
            """
            SELECT type, name, tbl_name, sql FROM sqlite_schema
            WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            """)
        // Asked for once: SQLite would list all tables for each of them.
        let kinds = Dictionary(
            try connection.allRows("SELECT name, type FROM pragma_table_list WHERE schema = 'main'")
                .map { ($0[0], $0[1]) }, uniquingKeysWith: { first, _ in first })
        for row in rows {
            guard case .text(let type) = row[0], case .text(let name) = row[1],
                case .text(let table) = row[2], case .text(let sql) = row[3]
            else { continue }
            switch type {
            case "table" where kinds[row[1]] != .text("shadow"):
                tables[name] = Table(
                    name: name, sql: sql, isVirtual: kinds[row[1]] == .text("virtual"),
                    shape: try TableShape(name, of: connection))
            case "index": indexes[name] = Part(table: table, sql: sql)
            case "view": views[name] = Part(table: table, sql: sql)
            case "trigger": triggers[name] = Part(table: table, sql: sql)
            default: continue
            }
        }
    }

    /// The schema of a new store of a model.
    static func fresh(_ plan: StorePlan) throws -> SchemaSnapshot {
        let connection = try Connection(
            path: ":memory:", creates: true, readOnly: false, busyTimeout: 0)
        try connection.execute(Schema.metadata)
        let schema = Schema(plan: plan)
        for entity in plan.entities {
            for statement in schema.statements(for: entity) { try connection.execute(statement) }
        }
        return try SchemaSnapshot(of: connection)
    }
}
