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
