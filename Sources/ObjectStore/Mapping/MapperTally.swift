/// What became of an object that was written.
struct MapperOutcome {
    enum Kind: UInt8 { case inserted, updated, unchanged }

    let row: Int64
    let kind: Kind
}

/// The objects of one entity that a document has had so far, and what became of them.
final class MapperTally {
    private(set) var counts = ImportReport.Counts()
    private var objects = RowTable()
    /// The rows of identities that are not themselves the row.
    private var rows: [TextKey: Int64] = [:]

    /// The row that an identity has led to in this document.
    func row(of identity: TextKey) -> Int64? { rows[identity] }

    /// Whether an object's row has been seen in this document and not been deleted since.
    func isKnown(_ row: Int64) -> Bool {
        objects[row].map { $0.state != .deleted } ?? false
    }

    /// Whether this document has had anything to do with a row.
    @inline(__always)
    func hasMet(_ row: Int64) -> Bool { objects[row] != nil }

    /// The node that a row was last written from, nil where that does not say all it holds.
    func node(of row: Int64) -> Int? {
        guard let node = objects[row]?.node, node >= 0 else { return nil }
        return Int(node)
    }

    /// Keeps the row that an identity led to.
    func remember(_ row: Int64, identity: TextKey?) {
        if let identity { rows[identity] = row }
    }

    /// Keeps a row that a reference led to, which was there before.
    func noteReference(_ row: Int64) {
        if objects[row] == nil { objects[row] = RowTable.Object(node: -1, state: .referenced) }
    }

    /// Counts an object that was written; one that is written twice counts once, as whichever
    /// says more.
    ///
    /// - Parameter node: Where it stands, -1 where its text does not say all that was written.
    func note(_ outcome: MapperOutcome, node: Int) {
        var kind = outcome.kind
        let before = objects[outcome.row].flatMap { Self.kind(of: $0.state) }
        if let before {
            if before == .inserted || kind == .unchanged { kind = before }
            count(before, -1)
        }
        count(kind, 1)
        objects[outcome.row] = RowTable.Object(
            node: Int32(truncatingIfNeeded: node), state: Self.state(of: kind))
    }

    /// Counts an object that has no identity and so can't come again.
    func noteNew() { counts.inserted += 1 }

    /// Counts an object of which another object's relationship changed a column.
    func noteRelinked(_ row: Int64) {
        note(MapperOutcome(row: row, kind: .updated), node: -1)
    }

    /// Forgets an object that has been deleted.
    func noteDeleted(_ row: Int64) {
        objects[row] = RowTable.Object(node: -1, state: .deleted)
        rows.removeAll()
    }

    func noteLinks(linked: Int, unlinked: Int) {
        counts.linked += linked
        counts.unlinked += unlinked
    }

    private func count(_ kind: MapperOutcome.Kind, _ change: Int) {
        switch kind {
        case .inserted: counts.inserted += change
        case .updated: counts.updated += change
        case .unchanged: counts.unchanged += change
        }
    }

    private static func kind(of state: RowTable.State) -> MapperOutcome.Kind? {
        switch state {
        case .inserted: .inserted
        case .updated: .updated
        case .unchanged: .unchanged
        case .referenced, .deleted: nil
        }
    }

    private static func state(of kind: MapperOutcome.Kind) -> RowTable.State {
        switch kind {
        case .inserted: .inserted
        case .updated: .updated
        case .unchanged: .unchanged
        }
    }
}
