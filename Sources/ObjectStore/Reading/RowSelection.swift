/// Rows that are looked for, and found by one walk through their table, in the order of their numbers.
///
/// SQLite would sort rows by the order that they are asked for in with all that they hold. Here their places are
/// noted as they are found.
final class RowSelection {
    /// The numbers of the rows, ascending.
    let numbers: [Int64]
    /// The places of these among those that were asked for; nil where they are asked for in this order.
    private let places: [Int]?
    /// The index of the number to be found next.
    private var next = 0
    /// The places of those that were found, in the order of their numbers.
    private var found: [Int] = []

    /// Creates a selection; nil of less than two rows, and where one is asked for twice.
    init?(_ rows: [Int64]) {
        guard rows.count > 1 else { return nil }
        if Self.isAscending(rows) {
            (numbers, places) = (rows, nil)
            return
        }
        let places =
            rows.first ?? 0 > rows.last ?? 0 && Self.isAscending(rows.reversed())
            ? Array(rows.indices.reversed()) : rows.indices.sorted { rows[$0] < rows[$1] }
        (numbers, self.places) = (places.map { rows[$0] }, places)
        guard Self.isAscending(numbers) else { return nil }
    }

    private static func isAscending(_ rows: some BidirectionalCollection<Int64>) -> Bool {
        zip(rows, rows.dropFirst()).allSatisfy { $0 < $1 }
    }

    /// The first number and the last, where to walk through all rows between them takes less than to look up each.
    var range: ClosedRange<Int64>? {
        guard let first = numbers.first, let last = numbers.last else { return nil }
        let (distance, overflows) = last.subtractingReportingOverflow(first)
        return overflows || distance / 2 >= numbers.count ? nil : first...last
    }

    /// The range that rows are, one behind the other; nil where they are none.
    static func unbroken(_ rows: [Int64]) -> ClosedRange<Int64>? {
        guard let first = rows.first, let last = rows.last, first <= last,
            zip(rows, rows.dropFirst()).allSatisfy({ $0 < .max && $0 + 1 == $1 })
        else { return nil }
        return first...last
    }

    /// Whether a row that the walk has come to is one of them.
    func takes(_ row: Int64) -> Bool {
        while next < numbers.count, numbers[next] < row { next += 1 }
        guard next < numbers.count, numbers[next] == row else { return false }
        if let places { found.append(places[next]) }
        next += 1
        return true
    }

    /// The objects that were made of the rows that were found, in the order that these were asked for in; nil where
    /// others were made.
    func inOrder<Object>(_ objects: [Object]) -> [Object]? {
        guard places != nil else { return objects }
        guard objects.count == found.count else { return nil }
        var indices = [Int?](repeating: nil, count: numbers.count)
        for (index, place) in found.enumerated() { indices[place] = index }
        return indices.compactMap { index in index.map { objects[$0] } }
    }
}
