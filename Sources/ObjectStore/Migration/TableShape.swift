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
