/// The SQL that copies the links of a relationship into the new model's table for them.
struct LinkCopy {
    /// The entity whose relationship gives the table its name.
    let entity: String
    /// The table's name.
    let name: String
    /// Statements that give the old links.
    let sources: [String]
    /// The new numbers of a link's ends.
    let source: String
    let target: String
    /// The columns of places that the new table has.
    let positions: [String]
    let isSymmetric: Bool
    /// Whether the old table holds the same links in the same columns.
    let isUnchanged: Bool

    /// Counts the old links.
    var count: String {
        sources.isEmpty
            ? "SELECT 0"
            : "SELECT count(*) FROM (\(sources.joined(separator: " UNION ALL ")))"
    }

    /// Fills a table with the links.
    func statements(into table: String) -> [String] {
        sources.flatMap { links in
            let statement = insertion(of: links, into: table)
            guard isSymmetric else { return [statement] }
            // Each link of a relationship that is its own inverse stands in both directions.
            let swapped =
                "SELECT target AS source, source AS target, NULL AS position,"
                + " NULL AS inversePosition FROM (\(links))"
            return [statement, insertion(of: swapped, into: table)]
        }
    }

    private func insertion(of links: String, into table: String) -> String {
        let columns = (["source", "target"] + positions).joined(separator: ", ")
        let updates = positions.map {
            "\($0) = coalesce(min(\($0), excluded.\($0)), \($0), excluded.\($0))"
        }
        return "INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM ("
            + "SELECT \(source) AS source, \(target) AS target, position, inversePosition"
            + " FROM (\(links)) AS link) WHERE source IS NOT NULL AND target IS NOT NULL"
            + " ON CONFLICT DO "
            + (updates.isEmpty ? "NOTHING" : "UPDATE SET \(updates.joined(separator: ", "))")
    }
}
