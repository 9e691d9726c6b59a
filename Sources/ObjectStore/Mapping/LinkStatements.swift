/// The statements that read and write the links of one relationship with a table of its own.
///
/// Each row that is read has the target and its position; without an order all are at 0.
final class LinkStatements {
    let select: Statement
    private let insertion: Statement
    private let deletion: Statement
    private let isOrdered: Bool
    private let isSymmetric: Bool

    init(
        _ links: ToManyPlan.LinkTable, on connection: Connection
    ) throws(StoreError) {
        isOrdered = links.position != nil
        isSymmetric = links.isSymmetric
        select = try Statement(
            "SELECT \(links.target), \(links.position ?? "0") FROM \(links.name)"
                + " WHERE \(links.source) = ? ORDER BY \(links.order)",
            on: connection)
        if let position = links.position {
            insertion = try Statement(
                "INSERT INTO \(links.name) (\(links.source), \(links.target), \(position))"
                    + " VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET \(position) = excluded.\(position)"
                    + " WHERE \(position) <> excluded.\(position)"
                    + " OR \(position) IS NULL AND excluded.\(position) IS NOT NULL",
                on: connection)
        } else {
            insertion = try Statement(
                "INSERT INTO \(links.name) (\(links.source), \(links.target)) VALUES (?, ?)"
                    + " ON CONFLICT DO NOTHING",
                on: connection)
        }
        deletion = try Statement(
            "DELETE FROM \(links.name) WHERE \(links.source) = ? AND \(links.target) = ?",
            on: connection)
    }

    /// Links a source to a target, at a place where the source's side has an order.
    func insert(_ source: Int64, _ target: Int64, position: Int64? = nil) throws(StoreError) {
        try insertOneWay(source, target, position: position)
        if isSymmetric { try insertOneWay(target, source, position: nil) }
    }

    private func insertOneWay(
        _ source: Int64, _ target: Int64, position: Int64?
    ) throws(StoreError) {
        insertion.bind(source, at: 1)
        insertion.bind(target, at: 2)
        if let position {
            insertion.bind(position, at: 3)
        } else if isOrdered {
            insertion.bindNull(at: 3)
        }
        try insertion.run()
    }

    /// Removes the link between a source and a target.
    func delete(_ source: Int64, _ target: Int64) throws(StoreError) {
        deletion.bind(source, at: 1)
        deletion.bind(target, at: 2)
        try deletion.run()
        guard isSymmetric, source != target else { return }
        deletion.bind(target, at: 1)
        deletion.bind(source, at: 2)
        try deletion.run()
    }
}
