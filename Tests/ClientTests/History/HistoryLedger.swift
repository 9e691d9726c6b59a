import Foundation
import LarderClient
import LarderObjectStore

/// What the client's store is to have, by the rules in words: rows in a dictionary, and the lists that
/// the store can answer by.
struct HistoryLedger {
    /// A row, and the number of rows that were made before it.
    struct Entry: Equatable {
        var row: HistoryRow
        let incarnation: Int
    }

    /// What is kept of a response.
    struct Kept: Equatable {
        var numbers: [Int]
        /// What it has said of the objects, and of which rows; nil where nobody knows.
        var said: [Int: Entry]?
        /// Those that it has called gone, and that are.
        var gone: Set<Int> = []
        var fetched: Date
        /// When the server has made it, by its own clock.
        var date: Date?
        var confirmed: Date
        var isInvalid = false
        var condition: String?
        var token: String?
    }

    private(set) var entries: [Int: Entry] = [:]
    private var incarnationCount = 0
    /// The responses that are kept, by their targets.
    var kept: [HistoryStep.Target: Kept] = [:]
    /// The answers that have been stored as the server's of that moment.
    private var known: Set<Int> = []
    /// What has been made invalid, in order.
    private var invalidations: [HistoryStep.Scope] = []
    /// How often what may change something was sent, or has ended.
    private(set) var writeCount = 0
    /// Whether nothing was stored since somebody has logged in but what the server said at that moment,
    /// and nothing let go here alone.
    var isClean = true

    var rows: [Int: HistoryRow] { entries.mapValues(\.row) }
    /// When each row came to be.
    var incarnations: [Int: Int] { entries.mapValues(\.incarnation) }

    // MARK: Rows

    /// Takes what an answer says that comes at a time, in changes of the server's.
    ///
    /// - Returns: Whether it is no news.
    mutating func take(
        _ answer: HistoryAnswer, _ serial: Int, isOfNow: Bool, at tick: Int
    ) -> Bool {
        if answer.tick != tick { isClean = false }
        // What a cache has brings back what is missing, and nothing else.
        let isRestoring = !isOfNow
        if isOfNow { known.insert(serial) }
        for entry in answer.entries {
            switch entry {
            case .there(let number, let row):
                if isRestoring, entries[number] != nil { continue }
                put(number, row)
            case .gone(let number):
                if !isRestoring { entries[number] = nil }
            }
        }
        return isRestoring
    }

    /// Whether an answer has been stored as the server's.
    func knows(_ serial: Int) -> Bool { known.contains(serial) }

    /// What an answer has said that has just been taken.
    func said(by answer: HistoryAnswer) -> [Int: Entry] {
        var said: [Int: Entry] = [:]
        for case .there(let number, let row) in answer.entries {
            said[number] = entries[number].map { Entry(row: row, incarnation: $0.incarnation) }
        }
        return said
    }

    /// Those that an answer calls gone which has just been taken.
    func gone(by answer: HistoryAnswer) -> Set<Int> {
        var gone: Set<Int> = []
        for case .gone(let number) in answer.entries where entries[number] == nil {
            gone.insert(number)
        }
        return gone
    }

    private mutating func put(_ number: Int, _ row: HistoryRow) {
        incarnationCount += 1
        let old = entries[number]
        var row = row
        // A key that is missing leaves a value as it is.
        row.body = row.body ?? old?.row.body
        entries[number] = Entry(row: row, incarnation: old?.incarnation ?? incarnationCount)
    }

    mutating func remove(_ number: Int) { entries[number] = nil }

    /// Deletes all, and with it what the store could answer by.
    mutating func removeAll() { (entries, kept) = ([:], [:]) }

    /// Forgets all that was somebody's.
    mutating func logOut() {
        (entries, kept, isClean) = ([:], [:], true)
        invalidations.append(.type)
    }

    mutating func evict(before stamp: Int) {
        for (number, entry) in entries where entry.row.stamp < stamp { entries[number] = nil }
    }

    // MARK: What is kept

    /// The number of times that something was made invalid.
    var turn: Int { invalidations.count }

    mutating func noteWrite() { writeCount += 1 }

    /// Keeps a response, which is not good where it was made invalid since a turn.
    mutating func keep(_ new: Kept, for target: HistoryStep.Target, since turn: Int) {
        var new = new
        let later = invalidations.dropFirst(turn)
        new.isInvalid = new.isInvalid || later.contains { $0.covers(target) }
        kept[target] = new
    }

    mutating func invalidate(_ scope: HistoryStep.Scope) {
        invalidations.append(scope)
        for target in kept.keys where scope.covers(target) { kept[target]?.isInvalid = true }
    }

    /// Keeps nothing of a target any more, and what is on its way is not good; what has come since something was found
    /// stays.
    mutating func forget(_ target: HistoryStep.Target, found: Kept?) {
        if let kept = kept[target],
            kept.fetched != found?.fetched || kept.condition != found?.condition
        {
            return
        }
        invalidations.append(.target(target))
        kept[target] = nil
    }

    /// Whether the store can make the value again.
    func canAnswer(_ target: HistoryStep.Target) -> Bool {
        guard let kept = kept[target] else { return false }
        guard case .one = target else { return true }
        return kept.numbers.allSatisfy { entries[$0] != nil }
    }

    /// Whether the store has all that a response has said that is kept, as that has said it.
    ///
    /// - Parameter isOfRows: Whether an object that was gone and has come again is another one.
    func isWhole(_ kept: Kept, isOfRows: Bool) -> Bool {
        guard let said = kept.said, kept.gone.allSatisfy({ entries[$0] == nil }) else {
            return false
        }
        return kept.numbers.allSatisfy { number in
            guard var entry = entries[number], let then = said[number] else { return false }
            // What it has not said is anybody's to say.
            if then.row.body == nil { entry.row.body = nil }
            return entry.row == then.row && (!isOfRows || entry.incarnation == then.incarnation)
        }
    }
}

extension HistoryStep.Scope {
    /// Whether a target is meant; all folders have a tag.
    func covers(_ target: HistoryStep.Target) -> Bool {
        switch self {
        case .target(let other): other == target
        case .type: true
        case .tag: if case .folder = target { true } else { false }
        }
    }
}
