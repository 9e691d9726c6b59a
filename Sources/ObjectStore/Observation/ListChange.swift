/// The difference between a list of objects and the one before it, by their places.
///
/// Tables take it in one batch: delete, insert and move, then show the updated objects anew.
public struct ListChange<Object: Entity>: Sendable {
    /// An object that has changed its place among those which stay.
    public struct Move: Hashable, Sendable {
        /// Its place in the list before.
        public let from: Int
        /// Its place in the new list.
        public let to: Int
    }

    /// The new list.
    public let objects: [Object]
    /// The places in the list before of the objects that are gone, in order.
    public let deletions: [Int]
    /// The places in the new list of the objects that have come, in order.
    public let insertions: [Int]
    /// The places in the new list of the objects that have other attributes or to-one
    /// relationships than before, in order; they may have moved too.
    public let updates: [Int]
    /// The fewest objects that must move so that those which stay are in the new order, by their
    /// new places.
    public let moves: [Move]

    private let store: Store
    private let oldRows: [Int64]
    private let newRows: [Int64]

    /// The objects that are gone, in the order of the list before.
    public var deleted: [One<Object>] { deletions.map { One(row: oldRows[$0], store: store) } }

    /// The objects that have come, in the order of the new list.
    public var inserted: [One<Object>] { insertions.map { One(row: newRows[$0], store: store) } }

    /// The objects that have changed, in the order of the new list.
    public var updated: [One<Object>] { updates.map { One(row: newRows[$0], store: store) } }

    init(from old: LiveList<Object>?, to new: LiveList<Object>) {
        let old = old ?? LiveList(store: new.store)
        let difference = RowDifference(from: old.rows, to: new.rows)
        objects = new.objects
        deletions = difference.deletions
        insertions = difference.insertions
        moves = difference.moves.map { Move(from: $0.from, to: $0.to) }
        updates = difference.places.indices.filter { place in
            let before = difference.places[place]
            return before >= 0 && old.fingerprints[before] != new.fingerprints[place]
        }
        store = new.store
        oldRows = old.rows
        newRows = new.rows
    }
}
