/// Links, which are in a to-one column or in a table of their own.
extension RowWriter {
    /// Has a to-one column of a row lead to another row, or to none; false where it did.
    func point(
        _ column: Int, of row: Int64, in entity: EntityPlan, to target: Int64?
    ) throws -> Bool {
        let name = entity.columnNames[column].sqlName
        let update = try connection.prepare(
            "UPDATE \(entity.table) SET \(name) = ?1"
                + " WHERE \(entity.rowid) = ?2 AND \(name) IS NOT ?1")
        if let target { update.bind(target, at: 1) } else { update.bindNull(at: 1) }
        update.bind(row, at: 2)
        try update.run()
        guard connection.changeCount > 0 else { return false }
        var columns = ColumnSet()
        columns.insert(column)
        statements.changes.noteUpdate(of: row, in: entity, columns: columns)
        return true
    }

    /// The rows of an entity, and of those below it, of which a to-one column leads to a row.
    func rows(of entity: EntityPlan, leadingTo target: Int64, by column: Int) throws -> [Int64] {
        let select = try connection.prepare(
            "SELECT \(entity.rowid) FROM \(entity.table)"
                + " WHERE \(entity.columnNames[column].sqlName) = ?"
                + (entity.rowScope(entity.table).map { " AND \($0)" } ?? ""))
        select.bind(target, at: 1)
        defer { select.reset() }
        var rows: [Int64] = []
        while try select.step() { rows.append(select.integer(at: 0)) }
        return rows
    }

    /// Has the links of an owner in a table be these, in this order where the table has one.
    ///
    /// - Parameter before: Those that there are.
    func link(
        _ after: [Int64], to owner: Int64, insteadOf before: LinkStatements.Links,
        by links: LinkStatements
    ) throws -> LinkDifference {
        let difference = LinkDifference(from: before.rows, to: after)
        for row in difference.gone { try links.delete(owner, row) }
        if links.isOrdered {
            try links.place(after, of: owner, after: before)
        } else {
            for row in difference.new { try links.insert(owner, row) }
        }
        return difference
    }
}

/// The rows whose links go, and those whose links come.
struct LinkDifference {
    let gone: [Int64]
    let new: [Int64]

    init(from before: [Int64], to after: [Int64]) {
        gone = RowList.difference(before, after)
        new = RowList.difference(after, before)
    }
}
