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
                case .text(let table) = row[2], case .text(let sql) = row[3],
                // What others keep beside the objects is no part of the model.
                !table.hasPrefix(Schema.sidePrefix)
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

/// The columns, foreign keys, unique keys and kind of a table, whatever order and spelling made it:
/// two tables of one shape serve alike.
struct TableShape: Hashable {
    private let columns: Set<[SQLValue]>
    private let references: Set<[SQLValue]>
    private let keys: Set<[SQLValue]>
    private let kind: [SQLValue]

    /// Reads a table of a database.
    init(_ table: String, of connection: Connection) throws(StoreError) {
        let name = [SQLValue.text(table)]
        columns = Set(
            try connection.allRows(
                "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?)",
                name))
        references = Set(
            try connection.allRows(
                "SELECT \"table\", \"from\", \"to\", on_update, on_delete"
                    + " FROM pragma_foreign_key_list(?)",
                name))
        keys = Set(
            try connection.allRows(
                """
                SELECT list.origin, (
                  SELECT group_concat(name, '.') FROM (
                    SELECT name FROM pragma_index_info(list.name) ORDER BY seqno))
                FROM pragma_index_list(?) AS list
                WHERE list.origin <> 'c'
                """,
                name))
        kind =
            try connection.allRows(
                "SELECT type, wr, strict FROM pragma_table_list(?) WHERE schema = 'main'",
                name
            ).first ?? []
    }

    /// The columns that another shape has besides, as `ALTER TABLE ADD COLUMN` takes them; nil
    /// where they can't be added so.
    func columnsToAdd(for other: TableShape) -> [String]? {
        guard columns.isSubset(of: other.columns), references.isSubset(of: other.references),
            keys == other.keys, kind == other.kind
        else { return nil }
        return other.columns.subtracting(columns).map { column in
            var text = Self.text(column[0]).sqlName + " " + Self.text(column[1])
            if column[2] == .integer(1) { text += " NOT NULL" }
            if case .text(let value) = column[3] { text += " DEFAULT \(value)" }
            for reference in other.references where reference[1] == column[0] {
                text += " REFERENCES \(Self.text(reference[0]).sqlName)"
                if reference[4] != .text("NO ACTION") {
                    text += " ON DELETE \(Self.text(reference[4]))"
                }
                text += " DEFERRABLE INITIALLY DEFERRED"
            }
            return text
        }.sorted()
    }

    private static func text(_ value: SQLValue) -> String {
        if case .text(let text) = value { text } else { "" }
    }
}

extension Connection {
    /// Whether a table has a column.
    func hasColumn(_ column: String, of table: String) throws(StoreError) -> Bool {
        let count = try value(
            "SELECT count(*) FROM pragma_table_info(\(SQLValue.text(table).literal))"
                + " WHERE name = \(SQLValue.text(column).literal)")
        return count == .integer(1)
    }
}
