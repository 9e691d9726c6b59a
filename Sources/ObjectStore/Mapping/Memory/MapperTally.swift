/// The objects of one entity that a document has had so far, and what became of them.
final class MapperTally {
    private(set) var counts = ImportReport.Counts()
    private var objects = RowTable()
    /// The largest row that something is known of: most documents bring objects by ascending rows.
    private var largest = Int64.min
    /// The number of times that a row was written to again, withdrawn or deleted.
    private(set) var rewrittenCount: Int32 = 0
    /// The states of objects in parts of the document that have been left behind.
    private var earlier: RowStates?
    /// The rows of objects of which nothing else is kept, where somebody asks for them.
    private var new: [Int64] = []
    /// The rows of identities that are not themselves the row.
    private var rows: [TextKey: Int64] = [:]
    /// What objects have named, where somebody asks for that.
    var named = NamedFields()

    /// The row that an identity has led to in this document.
    func row(of identity: TextKey) -> Int64? { rows[identity] }

    /// Whether an object's row has been seen in this document and not been deleted since.
    func isKnown(_ row: Int64) -> Bool {
        state(of: row).map { $0 != .deleted } ?? false
    }

    /// Whether this document has had anything to do with a row.
    @inline(__always)
    func hasMet(_ row: Int64) -> Bool { state(of: row) != nil }

    /// The rows that the document has had anything to do with, some of them twice.
    func forEachMet(_ body: (Int64) -> Void) {
        objects.forEach { row, _ in body(row) }
        earlier?.forEach(body)
        new.forEach(body)
    }

    @inline(__always)
    private func state(of row: Int64) -> RowTable.State? {
        row > largest ? nil : objects[row]?.state ?? earlier?[row]
    }

    @inline(__always)
    private func set(
        _ state: RowTable.State, of row: Int64, from source: RowSource = .none
    ) {
        largest = max(largest, row)
        objects[row] = RowTable.Object(state, from: source)
    }

    /// The source that a row was last written from, if that says all it holds.
    func source(of row: Int64) -> RowSource { objects[row]?.source ?? .none }

    /// Keeps the row that an identity led to.
    func remember(_ row: Int64, identity: TextKey?) {
        if let identity { rows[identity] = row }
    }

    /// Keeps a row that a reference led to, which was there before.
    func noteReference(_ row: Int64) {
        if state(of: row) == nil { set(.referenced, of: row) }
    }

    /// Counts an object that was written; one that is written twice counts once, as whichever
    /// says more.
    ///
    /// - Parameter source: What says all that was written.
    func note(_ outcome: RowOutcome, from source: RowSource = .none) {
        var kind = outcome.kind
        let before = state(of: outcome.row).flatMap { Self.kind(of: $0) }
        if let before {
            rewrittenCount &+= 1
            if before == .inserted || kind == .unchanged { kind = before }
            counts.note(before, -1)
        }
        counts.note(kind)
        set(Self.state(of: kind), of: outcome.row, from: source)
    }

    /// Counts an object that has no identity and no links, so that nothing can change it later; keeps its row where
    /// somebody asks for it.
    func noteNew(_ row: Int64?) {
        counts.inserted += 1
        if let row { new.append(row) }
    }

    /// Counts an object of which another object's relationship changed a column.
    func noteRelinked(_ row: Int64) {
        note(RowOutcome(row: row, kind: .updated))
    }

    /// Hands an object over to the tally of another entity; nil where it was not counted here.
    func withdraw(_ row: Int64) -> RowOutcome.Kind? {
        guard let state = state(of: row) else { return nil }
        set(.deleted, of: row)
        guard let kind = Self.kind(of: state) else { return nil }
        counts.note(kind, -1)
        rewrittenCount &+= 1
        return kind
    }

    /// Forgets the rows that identities led to.
    func forgetIdentities() { rows.removeAll() }

    /// Counts and forgets an object that has been deleted.
    func noteDeleted(_ row: Int64) {
        counts.deleted += 1
        rewrittenCount &+= 1
        set(.deleted, of: row)
        rows.removeAll()
    }

    func noteLinks(linked: Int, unlinked: Int) {
        counts.linked += linked
        counts.unlinked += unlinked
    }

    // MARK: Parts of a document

    /// Forgets where objects stand on a tape that is about to go, but not what became of them.
    func leave(_ tape: JSONTape, keeping texts: WrittenTexts) {
        var kept = RowTable()
        var states = earlier ?? RowStates()
        earlier = nil
        objects.forEach { row, object in
            states[row] = object.state
            var source = object.source
            switch source {
            case .none: return
            case .node(let node):
                guard let text = texts.keep(tape.containerText(node)) else { return }
                source = .text(text)
            case .text: break
            }
            kept[row] = RowTable.Object(object.state, from: source)
        }
        earlier = states
        objects = kept
        var keptRows: [TextKey: Int64] = [:]
        for (key, row) in rows {
            if let key = key.kept(in: texts) { keptRows[key] = row }
        }
        rows = keptRows
    }

    /// Forgets the texts of objects that have been left behind.
    func forgetTexts() {
        var states = earlier ?? RowStates()
        earlier = nil
        var kept = RowTable()
        objects.forEach { row, object in
            states[row] = object.state
            if case .node = object.source { kept[row] = object }
        }
        earlier = states
        objects = kept
        rows.removeAll()
    }

    private static func kind(of state: RowTable.State) -> RowOutcome.Kind? {
        switch state {
        case .inserted: .inserted
        case .updated: .updated
        case .unchanged: .unchanged
        case .referenced, .deleted: nil
        }
    }

    private static func state(of kind: RowOutcome.Kind) -> RowTable.State {
        switch kind {
        case .inserted: .inserted
        case .updated: .updated
        case .unchanged: .unchanged
        }
    }
}
