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
