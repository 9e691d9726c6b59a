import Foundation
import LarderClient

/// A value, and what came with it.
struct HistoryValue: Sendable {
    var numbers: [Int]
    var rows: [HistoryRow]
    var source: ResponseSource
    var missingCount = 0
    var token: String?
}

/// What a call has settled as, where it has not failed.
enum HistoryOutcome: Sendable {
    case value(HistoryValue)
    case empty
    case walk(pageCount: Int, vanished: PullReport.Vanished)
}

extension HistoryOutcome {
    static func read<Value>(
        _ response: Response<Value>, _ objects: [some HistoryObject], token: String? = nil
    ) -> HistoryOutcome {
        .value(
            HistoryValue(
                numbers: objects.map(\.number), rows: objects.map(\.row), source: response.source,
                missingCount: response.missingCount, token: token))
    }
}

/// A call as the rules know it.
struct HistoryCall {
    enum Kind: Sendable {
        case load(HistoryStep.Target)
        case patch(Int)
        case remove(Int)
        case walk(HistoryStep.Walk)
    }

    /// What it is to settle as.
    enum Expectation: Equatable {
        case value([Int], ResponseSource, token: String?)
        case empty
        case failure(String)
    }

    /// What is known of a walk.
    struct Walk {
        /// What the pages have named since the walk began.
        var named: Set<Int> = []
        var pageCount = 0
        /// Whether the walk is one of changes, or went on where another was left.
        var isChanges = false
        var isResumed = false
        /// Whether each page was made, or confirmed, when it was asked for.
        var isCurrent = true
        /// The change of the server's at which a second walk began.
        var secondTick: Int?
        /// Whether the last that came was a failure.
        var hasFailed = false
        var hasAsked = false
    }

    let number: Int
    let kind: Kind
    var policy = HistoryStep.Policy.none
    var asking = HistoryStep.Asking.asEver
    /// Whether its list is said to be the whole of its objects.
    var isWhole = false
    let session: Int
    let turn: Int
    /// The step that it was begun in.
    let step: Int
    var isCancelled = false
    /// Whether nobody is to be asked.
    var asksNobody = false
    /// What is kept, and asked about.
    var condition: HistoryLedger.Kept?
    /// What was kept when it was asked.
    var found: HistoryLedger.Kept?
    /// What the server has said is still good, and what was kept by then.
    var confirmed: (asked: HistoryLedger.Kept, last: HistoryLedger.Kept?)?
    /// The objects that may be found to have vanished, by their numbers, and when they became that.
    var candidates: [Int: Int] = [:]
    /// Their folders by then.
    var candidateFolders: [Int: Int] = [:]
    var tick = 0
    /// The number of writes by the time that it was sent last.
    var writeCount = 0
    var expectation: Expectation?
    var walk = Walk()

    /// The object that an answer may tell to be gone.
    var removed: Int? {
        switch kind {
        case .load(.one(let number)), .patch(let number), .remove(let number): number
        default: nil
        }
    }

    var target: HistoryStep.Target? {
        if case .load(let target) = kind { target } else { nil }
    }

    var walked: HistoryStep.Walk? {
        if case .walk(let walk) = kind { walk } else { nil }
    }

    /// Whether it may change something.
    var isWrite: Bool {
        switch kind {
        case .patch, .remove: true
        default: false
        }
    }

    var isRemoval: Bool {
        if case .remove = kind { true } else { false }
    }

    /// Takes what there is for what may be found to have vanished.
    mutating func takeCandidates(of ledger: HistoryLedger, at tick: Int) {
        candidates = ledger.incarnations
        candidateFolders = ledger.rows.mapValues(\.folder)
        self.tick = tick
    }

    /// The folder that its list is of.
    var folder: Int? {
        if case .load(.folder(let folder)) = kind { folder } else { nil }
    }
}

extension HistoryStep.Policy {
    var policy: FetchPolicy {
        switch self {
        case .networkOnly: .networkOnly
        case .none: .none
        case .networkFirst: .networkFirst()
        case .networkFirstWithin: .networkFirst(within: .seconds(3))
        case .storeFirst: .storeFirst
        case .storeOnly: .storeOnly
        case .fresh: .fresh(for: .seconds(Self.freshness))
        }
    }

    static var freshness: Double { 15.5 }

    /// Whether the store answers where the server does not.
    var fallsBack: Bool {
        switch self {
        case .networkFirst, .networkFirstWithin, .storeFirst, .fresh: true
        case .networkOnly, .none, .storeOnly: false
        }
    }
}
