/// The identity of an object that is gone, its values in the order of the columns.
struct Tombstone {
    let entity: EntityPlan
    let identity: [SQLValue]
}

/// A row that a document has deleted, by the entity that its table is named after.
struct DeletedRow {
    let root: Int
    let row: Int64
}

/// The memory of the objects that an import has met: the row of each, and what has become of it.
///
/// Whoever maps asks here before asking the store. What is answered is true as long as nobody else writes;
/// what is not known costs a question to the store, nothing else. The shortcuts of the plan say which
/// questions are answered at all.
final class ImportMemory {
    private let plan: StorePlan
    /// Made once something is known of an entity: there are many where a model has many, and most documents have
    /// few.
    @exclusivity(unchecked) private var tallies: [MapperTally?]
    /// Made for the first object that may come again.
    @exclusivity(unchecked) private var repeated: RepeatedObjects?
    private let size: Int
    private let texts = WrittenTexts()

    /// The rows that have been deleted, in order, by the entities that their tables are named after.
    ///
    /// Objects that come anew may get the same numbers.
    private(set) var deletedRows: [DeletedRow] = []

    /// The objects that have said of themselves that they are gone.
    var tombstones: [Tombstone] = []

    /// Whether somebody asks what is met: the rows are kept, too, of objects that nothing else is asked about, and what
    /// objects name.
    var isRecorded = false

    /// How many rows had been deleted when the object was written that stands for itself, before its lists.
    var topWrittenAt = 0

    /// Whether objects have been deleted, and links to them been emptied, of which nothing is noted here.
    private(set) var hasDeleted = false

    /// - Parameter size: About how many bytes the document has.
    init(plan: StorePlan, size: Int) {
        self.plan = plan
        tallies = Array(repeating: nil, count: plan.entities.count)
        self.size = size
    }

    /// A report on the import so far.
    var report: ImportReport {
        var report = ImportReport()
        forEachTally { tally, entity in
            if tally.counts != .init() { report.entities[entity.name] = tally.counts }
        }
        return report
    }

    private func forEachTally(_ body: (MapperTally, EntityPlan) -> Void) {
        for (entity, tally) in zip(plan.entities, tallies) {
            if let tally { body(tally, entity) }
        }
    }

    @inline(__always)
    private func tally(of entity: EntityPlan) -> MapperTally {
        if let tally = tallies[entity.index] { return tally }
        let tally = MapperTally()
        tallies[entity.index] = tally
        return tally
    }

    // MARK: Which row is this already?

    /// The row of an object that nothing but one in just these words has been written to.
    @inline(__always)
    func row(
        repeating text: UnsafeBufferPointer<UInt8>, of entity: EntityPlan, in tape: JSONTape
    ) -> Int64? {
        guard plan.shortcuts.contains(.repeatedObjects), !hasDeleted,
            let object = repeated?.object(like: text, of: entity)
        else { return nil }
        let tally = tally(of: entity)
        if object.pointee.rewrittenCount != tally.rewrittenCount {
            // Where another object has been written to the row since, that one counts.
            guard isSource(text, of: object.pointee.row, in: tally, tape) else { return nil }
            object.pointee.rewrittenCount = tally.rewrittenCount
        }
        return object.pointee.row
    }

    /// Whether a row was last written from an object in just these words.
    func isWritten(
        _ row: Int64, from text: UnsafeBufferPointer<UInt8>, of entity: EntityPlan,
        in tape: JSONTape
    ) -> Bool {
        guard plan.shortcuts.contains(.writtenTexts), !hasDeleted,
            let tally = tallies[entity.index]
        else { return false }
        return isSource(text, of: row, in: tally, tape)
    }

    private func isSource(
        _ text: UnsafeBufferPointer<UInt8>, of row: Int64, in tally: MapperTally, _ tape: JSONTape
    ) -> Bool {
        let other: UnsafeBufferPointer<UInt8>
        switch tally.source(of: row) {
        case .none: return false
        case .node(let node): other = tape.containerText(node)
        case .text(let text): other = texts.text(text)
        }
        return other.count == text.count && other.hasSameBytes(as: text)
    }

    /// The row that an identity has led to.
    func row(of identity: TextKey, as entity: EntityPlan) -> Int64? {
        tallies[entity.index]?.row(of: identity)
    }

    /// Whether the document has had anything to do with a row.
    @inline(__always)
    func hasMet(_ row: Int64, of entity: EntityPlan) -> Bool {
        tallies[entity.index]?.hasMet(row) ?? false
    }

    /// The rows that the document has had anything to do with, by their entities, some of them twice.
    func forEachMet(_ body: (Int64, EntityPlan) -> Void) {
        forEachTally { tally, entity in tally.forEachMet { body($0, entity) } }
    }

    /// What the document has named of the objects of those entities of which it has named anything.
    func forEachNamed(_ body: (NamedFields, EntityPlan) -> Void) {
        forEachTally { tally, entity in
            if tally.named != NamedFields() { body(tally.named, entity) }
        }
    }

    /// Whether an object's row has been seen in the document and not been deleted since.
    func isKnown(_ row: Int64, of entity: EntityPlan) -> Bool {
        tallies[entity.index]?.isKnown(row) ?? false
    }

    // MARK: What has become of it?

    /// Counts an object that was written; one that is written twice counts once, as whichever says
    /// more.
    ///
    /// - Parameter source: What says all that was written.
    func note(_ outcome: RowOutcome, of entity: EntityPlan, from source: RowSource = .none) {
        tally(of: entity).note(outcome, from: source)
    }

    /// Counts an object that has no identity and no links, so that nothing can change it later.
    func noteNew(_ row: Int64, of entity: EntityPlan) {
        tally(of: entity).noteNew(isRecorded ? row : nil)
    }

    /// Keeps a row that a reference has led to, and counts it where that has made it.
    func noteReference(_ outcome: RowOutcome, to entity: EntityPlan) {
        if outcome.kind == .inserted {
            note(outcome, of: entity)
        } else {
            tally(of: entity).noteReference(outcome.row)
        }
    }

    /// Keeps the row that an identity has led to, whose text stays as long as the document's tape.
    func remember(_ row: Int64, of entity: EntityPlan, as identity: TextKey?) {
        guard plan.shortcuts.contains(.knownIdentities) else { return }
        tally(of: entity).remember(row, identity: identity)
    }

    /// Keeps the row of an object whose words say all that it is.
    func remember(_ row: Int64, of entity: EntityPlan, saying text: UnsafeBufferPointer<UInt8>) {
        // There is no room for another one that is most of the document.
        guard plan.shortcuts.contains(.repeatedObjects), text.count <= size / 2 else { return }
        let repeated = repeated ?? RepeatedObjects(size: size)
        self.repeated = repeated
        repeated.remember(
            text, of: entity, row: row, rewrittenCount: tally(of: entity).rewrittenCount)
    }

    /// Keeps which columns objects name, where somebody asks for that.
    @inline(__always)
    func noteNamed(_ columns: ColumnSet, of entity: EntityPlan) {
        if isRecorded { tally(of: entity).named.columns.formUnion(columns) }
    }

    /// Keeps that objects name a to-many relationship.
    func noteNamed(list index: Int, of entity: EntityPlan) {
        if isRecorded { tally(of: entity).named.lists.insert(index) }
    }

    /// Counts links of an entity's objects that have come and gone.
    func noteLinks(linked: Int, unlinked: Int, of entity: EntityPlan) {
        tally(of: entity).noteLinks(linked: linked, unlinked: unlinked)
    }

    /// Counts an object of which another object's relationship changed a column.
    func noteRelinked(_ row: Int64, of entity: EntityPlan) {
        tally(of: entity).noteRelinked(row)
    }

    /// Counts an object that has turned out to be of a more special entity as one of that.
    func noteSettled(_ row: Int64, from before: EntityPlan, to entity: EntityPlan) {
        guard before !== entity else { return }
        let kind = tally(of: before).withdraw(row)
        note(
            RowOutcome(row: row, kind: kind == .inserted ? .inserted : .updated), of: entity)
    }

    /// Counts and forgets objects that have been deleted; links to them have been emptied along.
    func noteDeleted(_ rows: [Int64], of entity: EntityPlan) {
        for row in rows {
            deletedRows.append(DeletedRow(root: entity.family.members[0], row: row))
            tally(of: entity).noteDeleted(row)
        }
        for index in entity.family.members { tallies[index]?.forgetIdentities() }
        hasDeleted = true
    }

    /// The rows of an entity's table that have been deleted since this many of all tables were.
    func deletedRows(of entity: EntityPlan, since count: Int) -> [Int64] {
        let root = entity.family.members[0]
        return deletedRows[count...].compactMap { $0.root == root ? $0.row : nil }
    }

    /// Whether the object of an element that stands for itself is there, though rows may have been deleted since
    /// a count, by the element's own lists.
    func isThere(_ row: Int64, of entity: EntityPlan, since count: Int) -> Bool {
        deletedRows.count == count || !deletedRows(of: entity, since: topWrittenAt).contains(row)
    }

    /// Adds the row of an element that stands for itself, and has deleted objects, to its list: elements
    /// before it that are among them, or the element itself, are none, whatever comes to their identity.
    func add(
        _ row: Int64, of entity: EntityPlan, to list: inout RowList, since count: Int
    ) {
        for row in deletedRows(of: entity, since: count) { list.remove(row) }
        if !deletedRows(of: entity, since: topWrittenAt).contains(row) { list.append(row) }
    }

    // MARK: Parts of a document

    /// Keeps what is known as far as it takes little room, before a tape goes.
    func leave(_ tape: JSONTape) {
        if !texts.hasRoom {
            for tally in tallies { tally?.forgetTexts() }
            texts.removeAll()
        }
        for tally in tallies { tally?.leave(tape, keeping: texts) }
    }
}
