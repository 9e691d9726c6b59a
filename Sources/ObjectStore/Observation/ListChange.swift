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

/// The deletions, insertions and moves that make one list of rows another.
struct RowDifference {
    /// The place in the old list of each row of the new one, -1 for those it does not have.
    private(set) var places: [Int] = []
    private(set) var deletions: [Int] = []
    private(set) var insertions: [Int] = []
    private(set) var moves: [(from: Int, to: Int)] = []

    init(from old: [Int64], to new: [Int64]) {
        let common = min(old.count, new.count)
        var start = 0
        while start < common, old[start] == new[start] { start += 1 }
        var end = 0
        while end < common - start, old[old.count - 1 - end] == new[new.count - 1 - end] {
            end += 1
        }
        places = Array(repeating: -1, count: new.count)
        for place in 0..<start { places[place] = place }
        for place in new.count - end..<new.count { places[place] = place + old.count - new.count }
        compare(old, new, start..<old.count - end, start..<new.count - end)
    }

    private mutating func compare(
        _ old: [Int64], _ new: [Int64], _ oldRange: Range<Int>, _ newRange: Range<Int>
    ) {
        if oldRange.isEmpty && newRange.isEmpty { return }
        var oldPlaces: [Int64: Int] = [:]
        for place in oldRange { oldPlaces[old[place]] = place }
        for place in newRange {
            if let before = oldPlaces.removeValue(forKey: new[place]) {
                places[place] = before
            } else {
                insertions.append(place)
            }
        }
        deletions = oldPlaces.values.sorted()
        findMoves(newRange)
    }

    /// All but a longest run of rows that are in the same order in both lists have moved.
    private mutating func findMoves(_ range: Range<Int>) {
        let stayed = range.filter { places[$0] >= 0 }
        // The best runs so far: for each length the run that ends with the smallest old place.
        var ends: [Int] = []
        var previous = Array(repeating: -1, count: stayed.count)
        for index in stayed.indices {
            let before = places[stayed[index]]
            var low = 0
            var high = ends.count
            while low < high {
                let middle = (low + high) / 2
                if places[stayed[ends[middle]]] < before { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : -1
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var isInPlace = Array(repeating: false, count: stayed.count)
        var last = ends.last ?? -1
        while last >= 0 {
            isInPlace[last] = true
            last = previous[last]
        }
        for index in stayed.indices where !isInPlace[index] {
            moves.append((from: places[stayed[index]], to: stayed[index]))
        }
    }
}

/// The places in an old list of the rows of a new one.
struct RowPlaces {
    /// The place of each row in the old list; any place for those that are missing.
    private(set) var old: [Int] = []
    /// The places in the new list of rows which the old one does not have, or not as they are now.
    private(set) var missing: [Int] = []

    init(of rows: [Int64], in oldRows: [Int64], changed: Set<Int64>) {
        // Most lists differ in few places.
        let common = min(rows.count, oldRows.count)
        var start = 0
        while start < common, rows[start] == oldRows[start] { start += 1 }
        var end = 0
        while end < common - start, rows[rows.count - 1 - end] == oldRows[oldRows.count - 1 - end] {
            end += 1
        }
        var places: [Int64: Int] = [:]
        for place in start..<oldRows.count - end { places[oldRows[place]] = place }
        let shift = oldRows.count - rows.count
        let areSame = rows.count == oldRows.count && start == rows.count
        if !areSame { old.reserveCapacity(rows.count) }
        let few = changed.count <= 8 ? Array(changed) : nil
        for (place, row) in rows.enumerated() {
            var isMissing = few?.contains(row) ?? changed.contains(row)
            if !areSame {
                let before =
                    place < start
                    ? place : place >= rows.count - end ? place + shift : places[row]
                if before == nil { isMissing = true }
                old.append(before ?? 0)
            }
            if isMissing { missing.append(place) }
        }
    }
}
