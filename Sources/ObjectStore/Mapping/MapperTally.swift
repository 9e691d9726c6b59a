/// What became of an object that was written.
struct MapperOutcome {
    enum Kind { case inserted, updated, unchanged }

    let row: Int64
    let kind: Kind
}

/// The objects of one entity that a document has had so far, and what became of them.
struct MapperTally {
    /// An object that has been met.
    struct Known {
        let row: Int64
        /// The node it was last written from, -1 where only a reference was seen.
        var node: Int
        /// What became of it, nil where it was not written.
        var kind: MapperOutcome.Kind?
    }

    private(set) var counts = ImportReport.Counts()
    private var objects: [TextKey: Known] = [:]

    func known(_ identity: TextKey) -> Known? { objects[identity] }

    /// Keeps the row that a reference led to.
    mutating func remember(_ row: Int64, identity: TextKey) {
        objects[identity] = Known(row: row, node: -1, kind: nil)
    }

    /// Counts an object that was written; one that is written twice counts once, as whichever
    /// says more.
    mutating func note(_ outcome: MapperOutcome, node: Int, identity: TextKey?) {
        guard let identity else {
            count(outcome.kind, 1)
            return
        }
        var kind = outcome.kind
        if let before = objects[identity]?.kind {
            if before == .inserted || kind == .unchanged { kind = before }
            count(before, -1)
        }
        count(kind, 1)
        objects[identity] = Known(row: outcome.row, node: node, kind: kind)
    }

    mutating func noteLinks(linked: Int, unlinked: Int) {
        counts.linked += linked
        counts.unlinked += unlinked
    }

    private mutating func count(_ kind: MapperOutcome.Kind, _ change: Int) {
        switch kind {
        case .inserted: counts.inserted += change
        case .updated: counts.updated += change
        case .unchanged: counts.unchanged += change
        }
    }
}
