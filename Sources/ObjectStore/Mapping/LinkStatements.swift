/// The statements that read and write the links of one relationship with a table of its own.
final class LinkStatements {
    let select: Statement
    let insert: Statement
    let delete: Statement

    init(
        _ links: ToManyPlan.LinkTable, on connection: Connection
    ) throws(StoreError) {
        let position = links.position ?? "0"
        select = try Statement(
            "SELECT \(links.target), \(position) FROM \(links.name) WHERE \(links.source) = ?"
                + (links.position.map { " ORDER BY \($0)" } ?? ""),
            on: connection)
        if let position = links.position {
            insert = try Statement(
                "INSERT INTO \(links.name) (\(links.source), \(links.target), \(position))"
                    + " VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET \(position) = excluded.\(position)",
                on: connection)
        } else {
            insert = try Statement(
                "INSERT INTO \(links.name) (\(links.source), \(links.target)) VALUES (?, ?)"
                    + " ON CONFLICT DO NOTHING",
                on: connection)
        }
        delete = try Statement(
            "DELETE FROM \(links.name) WHERE \(links.source) = ? AND \(links.target) = ?",
            on: connection)
    }
}
