import LarderPromises

/// What has become of rows since somebody has begun to watch, where they don't tell themselves.
///
/// An object that one whole number identifies, and that comes again, has the row of the one that has gone: of such
/// tables it is noted what is deleted. In all others a row is noted that a list has brought of an object that nothing
/// identifies: the next list with the same brings another one.
///
/// Kept in memory, and for those alone who watch. What another process does, or another store of the same file,
/// is not seen.
final class NotedRows: Sendable {
    /// Rows, by what is noted of them.
    typealias Rows = [NotedRow.Note: Set<Int64>]

    /// The number of deleted rows that a transaction notes while nobody watches.
    ///
    /// Somebody may begin to before it ends; what it has deleted besides is not known then.
    static let limit = 1_000

    private struct State {
        /// What transactions have noted since the first of those watching has begun to, up to the next one's beginning.
        var commits: [Rows] = []
        /// The number of those before these.
        var firstNumber = 0
        /// The numbers of those that came next when each of those watching began to, in order.
        var starts: [Int] = []
    }

    private let state = Guarded(State())

    /// Whether anybody watches.
    var isWatched: Bool { state.withLock { !$0.starts.isEmpty } }

    func watch() -> RowWatch {
        let start = state.withLock { state in
            let start = state.firstNumber + state.commits.count
            state.starts.append(start)
            return start
        }
        return RowWatch(self, from: start)
    }

    /// Takes what a transaction has noted that is committed.
    func commit(_ noted: [NotedRow]) {
        guard isWatched else { return }
        var rows: Rows = [:]
        for noted in noted { rows[noted.note, default: []].insert(noted.row) }
        state.withLock { [rows] state in
            guard let latest = state.starts.last else { return }
            guard latest < state.firstNumber + state.commits.count else {
                return state.commits.append(rows)
            }
            // Nobody has begun since the last one: whoever sees that sees this.
            for (note, rows) in rows {
                state.commits[state.commits.count - 1][note, default: []].formUnion(rows)
            }
        }
    }

    fileprivate func rows(_ note: NotedRow.Note, since start: Int) -> Set<Int64> {
        state.withLock { state in
            var rows: Set<Int64> = []
            for commit in state.commits.dropFirst(start - state.firstNumber) {
                if let noted = commit[note] { rows.formUnion(noted) }
            }
            return rows
        }
    }

    fileprivate func end(watchFrom start: Int) {
        state.withLock { state in
            if let index = state.starts.firstIndex(of: start) { state.starts.remove(at: index) }
            let next = state.firstNumber + state.commits.count
            let first = state.starts.first ?? next
            state.commits.removeFirst(first - state.firstNumber)
            state.firstNumber = first
        }
    }
}

/// A row of which something is noted.
struct NotedRow {
    /// What is noted, of a table by the index of the entity that it is named after.
    enum Note: Hashable {
        /// It has been deleted, and its number may come again.
        case gone(root: Int)
        /// A list has brought it, of an object that nothing identifies.
        case brought(root: Int)
        /// It was one of those, and another list has taken its place.
        case replaced(root: Int)
        /// That list was the whole of a scope.
        case replacedIn(scope: String, root: Int)
    }

    let note: Note
    let row: Int64
}

/// The time since which somebody wants to know what has become of rows, for as long as it is held.
package final class RowWatch: Sendable {
    private let log: NotedRows
    private let start: Int

    fileprivate init(_ log: NotedRows, from start: Int) { (self.log, self.start) = (log, start) }

    deinit { log.end(watchFrom: start) }

    /// The rows of which committed transactions have noted something since.
    func rows(_ note: NotedRow.Note) -> Set<Int64> { log.rows(note, since: start) }
}
