/// Reads the links of owners that come in ascending order, in one pass over their table.
///
/// One query that is kept open costs a fraction of one for each owner. An owner that comes out of
/// order, or behind a gap, begins a new pass.
final class LinkCursor {
    /// A link of an owner, and its place where there is an order and it has one.
    struct Link {
        let target: Int64
        let position: Int64?
    }

    private let statement: Statement
    private let isOrdered: Bool
    /// The owner of the link that the statement is at, nil behind the last.
    private var current: Int64?
    /// The last owner that was asked for in this pass, nil where there is none.
    private var last: Int64?
    /// The count of changes to links when the pass began.
    private var changes = 0
    private var links: [Link] = []

    /// The number of links of other owners that are passed over before a new pass is begun.
    private static let gap = 8

    init(_ table: LinkSide, on connection: Connection) throws(StoreError) {
        isOrdered = table.position != nil
        statement = try Statement(
            "SELECT source, target, \(table.position ?? "0") FROM \(table.name)"
                + " WHERE source >= ? ORDER BY source, target",
            on: connection)
    }

    /// The links of an owner, in its order.
    ///
    /// - Parameter changes: A number that is another one whenever links have changed.
    func links(of owner: Int64, changes: Int) throws(StoreError) -> [Link] {
        links.removeAll(keepingCapacity: true)
        if last.map({ owner <= $0 }) ?? true || changes != self.changes {
            try begin(at: owner, changes: changes)
        } else {
            try advance(to: owner)
        }
        last = owner
        var isSorted = true
        while current == owner {
            let position = readPosition()
            if let before = links.last, position < before.position ?? .max { isSorted = false }
            links.append(
                Link(target: statement.integer(at: 1), position: position == .max ? nil : position))
            try step()
        }
        // They come by target.
        if isOrdered, !isSorted { sort() }
        return links
    }

    /// Ends the pass.
    func close() {
        guard last != nil else { return }
        statement.reset()
        current = nil
        last = nil
    }

    private func begin(at owner: Int64, changes: Int) throws(StoreError) {
        close()
        self.changes = changes
        statement.bind(owner, at: 1)
        try step()
    }

    private func advance(to owner: Int64) throws(StoreError) {
        var passed = 0
        while let current, current < owner {
            if passed == Self.gap { return try begin(at: owner, changes: changes) }
            passed += 1
            try step()
        }
    }

    private func step() throws(StoreError) {
        current = try statement.step() ? statement.integer(at: 0) : nil
    }

    private func readPosition() -> Int64 {
        statement.isNull(at: 2) ? .max : statement.integer(at: 2)
    }

    /// Puts the links in the order of their positions, those without one last.
    private func sort() {
        links.sort { left, right in
            (left.position ?? .max, left.target) < (right.position ?? .max, right.target)
        }
    }
}
