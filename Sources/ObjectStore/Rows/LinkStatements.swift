/// Reads and writes the links of one relationship with a table of its own.
///
/// Links are written when enough have come together, or by `WriteStatements.writeLinks()`, which
/// must come before anything that reads or deletes them.
final class LinkStatements {
    /// The links of one owner, in its order.
    struct Links: Equatable {
        var rows: [Int64] = []
        /// Whether their positions are 0, 1, 2 and so on.
        var areInPlace = true

        /// Whether these are the links to other rows, each named once, and in their order if there
        /// is one.
        func are(_ others: [Int64], inOrder isOrdered: Bool) -> Bool {
            guard rows.count == others.count else { return false }
            if isOrdered { return areInPlace && rows == others }
            return rows == others || RowList.difference(others, rows).isEmpty
        }

        fileprivate mutating func removeAll() {
            rows.removeAll(keepingCapacity: true)
            areInPlace = true
        }

        mutating func append(_ row: Int64, at position: Int64?) {
            if position != Int64(rows.count) { areInPlace = false }
            rows.append(row)
        }
    }

    let queue: LinkQueue
    /// Those that were read last, kept for their memory.
    private var links = Links()
    private let select: Statement
    private let deletion: Statement
    private let cursor: LinkCursor?
    private let table: LinkSide
    /// Whether the links have an order.
    var isOrdered: Bool { table.position != nil }
    private let changes: LinkChanges
    private let log: ChangeLog

    init(
        _ links: LinkSide, on connection: Connection, changes: LinkChanges,
        log: ChangeLog
    ) throws(StoreError) {
        table = links
        self.changes = changes
        self.log = log
        queue = LinkQueue(links, on: connection)
        // Only the side that comes first in the table's key has its links side by side.
        cursor = links.isOwner ? try LinkCursor(links, on: connection) : nil
        select = try Statement(
            "SELECT \(links.target), \(links.position ?? "0") FROM \(links.name)"
                + " WHERE \(links.source) = ? ORDER BY \(links.order(on: links.name))",
            on: connection)
        deletion = try Statement(
            "DELETE FROM \(links.name) WHERE \(links.source) = ? AND \(links.target) = ?",
            on: connection)
    }

    /// The links of an owner that have been written.
    func links(of owner: Int64) throws(StoreError) -> Links {
        links.removeAll()
        if let cursor {
            for link in try cursor.links(of: owner, changes: changes.count) {
                links.append(link.target, at: link.position)
            }
            return links
        }
        select.bind(owner, at: 1)
        defer { select.reset() }
        while try select.step() {
            links.append(
                select.integer(at: 0), at: select.isNull(at: 1) ? nil : select.integer(at: 1))
        }
        return links
    }

    /// Links a source to a target, at a place where the source's side has an order.
    func insert(_ source: Int64, _ target: Int64, position: Int64? = nil) throws(StoreError) {
        changes.note()
        log.noteLinks(table)
        try queue.append(source, target, position: position)
        if table.isSymmetric { try queue.append(target, source, position: nil) }
    }

    /// Gives the links of an owner their places; `before` are those it has had.
    func place(_ rows: [Int64], of owner: Int64, after before: Links) throws(StoreError) {
        for (position, row) in rows.enumerated() {
            let isThere =
                before.areInPlace && position < before.rows.count && before.rows[position] == row
            if !isThere { try insert(owner, row, position: Int64(position)) }
        }
    }

    /// Removes the link between a source and a target.
    func delete(_ source: Int64, _ target: Int64) throws(StoreError) {
        try queue.write()
        changes.note()
        log.noteLinks(table)
        try deleteOneWay(source, target)
        if table.isSymmetric, source != target { try deleteOneWay(target, source) }
    }

    private func deleteOneWay(_ source: Int64, _ target: Int64) throws(StoreError) {
        deletion.bind(source, at: 1)
        deletion.bind(target, at: 2)
        try deletion.run()
    }

    /// Ends reading ahead: from now on others may write.
    func close() { cursor?.close() }
}

/// Counts what is done to links, so that those which have been read ahead are known to be old.
final class LinkChanges {
    private(set) var count = 0

    /// Links are about to change.
    func note() { count &+= 1 }
}
