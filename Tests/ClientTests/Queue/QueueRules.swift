/// The rules of the queue, as one who stands at its door would tell them: whenever anything has happened, the
/// first in the line who may go in goes in, and then the next.
struct QueueRules {
    private struct Attempt {
        let number: Int
        var host: String
        var priority: Int
        var arrival: Int
        /// What it has sent last, where it is under way.
        var sending: Int?
        var isCancelled = false
    }

    private(set) var record = QueueRecord()
    private var attempts: [Attempt] = []
    private var attemptCount = 0
    /// The priority and arrival of each attempt's request.
    private var ranks: [(priority: Int, arrival: Int)] = []
    private var hosts: [String] = []
    private var arrivals = 0
    private let setting: QueueSetting

    init(_ setting: QueueSetting) {
        self.setting = setting
    }

    var openSendings: [Int] { attempts.compactMap(\.sending).sorted() }
    var open: [Int] { attempts.map(\.number).sorted() }
    var ended: [Int] { (0..<attemptCount).filter { number in !open.contains(number) } }
    var waitingCount: Int { attempts.count { $0.sending == nil } }
    var underWayCount: Int { attempts.count { $0.sending != nil } }

    mutating func take(_ step: QueueStep) {
        switch step {
        case .request(let host, let priority):
            arrivals += 1
            begin(host, (priority, arrivals))
        case .again(let number): begin(hosts[number], ranks[number])
        case .cancel(let number): cancel(number)
        case .raise(let number, let other):
            guard let index = index(of: number) else { return }
            let (own, better) = (attempts[index], ranks[other])
            guard (better.priority, -better.arrival) > (own.priority, -own.arrival) else { return }
            (attempts[index].priority, attempts[index].arrival) = better
        case .answer(let sending, let answer): end(sending, answer)
        }
        fill()
    }

    private func index(of number: Int) -> Int? { attempts.firstIndex { $0.number == number } }

    private func underWay(_ host: String) -> Int {
        attempts.count { $0.sending != nil && $0.host == host }
    }

    private mutating func begin(_ host: String, _ rank: (priority: Int, arrival: Int)) {
        attempts.append(
            Attempt(
                number: attemptCount, host: host, priority: rank.priority, arrival: rank.arrival))
        attemptCount += 1
        ranks.append(rank)
        hosts.append(host)
    }

    private mutating func fill() {
        while underWayCount < setting.limit {
            let line = attempts.indices.filter { attempts[$0].sending == nil }.sorted {
                let (left, right) = (attempts[$0], attempts[$1])
                return (-left.priority, left.arrival, left.number)
                    < (-right.priority, right.arrival, right.number)
            }
            let first = line.first { underWay(attempts[$0].host) < setting.hostLimit }
            guard let first else { return }
            send(first)
        }
    }

    private mutating func send(_ index: Int) {
        let sending = record.sent.count
        attempts[index].sending = sending
        record.sent.append("\(attempts[index].number) to \(attempts[index].host)")
        if attempts[index].host == QueueSetting.instantHost { end(sending, .success) }
    }

    private mutating func cancel(_ number: Int) {
        guard let index = index(of: number) else { return }
        attempts[index].isCancelled = true
        if let sending = attempts[index].sending {
            if !record.cancelled.contains(sending) { record.cancelled.append(sending) }
            // Its room is taken until the transport has let go.
            guard setting.cancelsAtOnce else { return }
        }
        finish(index, "cancelled")
    }

    private mutating func end(_ sending: Int, _ answer: QueueStep.Answer) {
        guard let index = attempts.firstIndex(where: { $0.sending == sending }) else { return }
        guard case .redirect(let host) = answer else {
            return finish(index, answer == .success ? "success of \(sending)" : "failed")
        }
        if attempts[index].isCancelled { return finish(index, "cancelled") }
        let isFull = host != attempts[index].host && underWay(host) >= setting.hostLimit
        attempts[index].host = host
        attempts[index].sending = nil
        // It has waited already.
        if !isFull { send(index) }
    }

    private mutating func finish(_ index: Int, _ outcome: String) {
        record.outcomes[attempts.remove(at: index).number] = outcome
    }
}

struct QueueSetting {
    /// A host that answers at once, before it is known to have been asked.
    static let instantHost = "instant"

    var limit: Int
    var hostLimit: Int
    var cancelsAtOnce: Bool
}

/// Something that happens.
enum QueueStep {
    enum Answer: Equatable {
        case success, failure
        case redirect(String)
    }

    case request(host: String, priority: Int)
    /// Another attempt of what has ended.
    case again(Int)
    case cancel(Int)
    /// One who waits is joined by what is as another request is.
    case raise(Int, Int)
    case answer(Int, Answer)

    static func random(in rules: QueueRules, _ random: inout SplitMix) -> QueueStep {
        let hosts = ["a", "a", "a", "b", "b", "c", QueueSetting.instantHost]
        let host = hosts.randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8: break
        case 8..<14:
            guard let sending = rules.openSendings.randomElement(using: &random) else { break }
            let answers: [Answer] = [.success, .success, .failure, .redirect(host)]
            return .answer(sending, answers.randomElement(using: &random) ?? .success)
        case 14..<16:
            guard let number = rules.ended.randomElement(using: &random) else { break }
            return .again(number)
        case 16:
            guard let number = rules.open.randomElement(using: &random),
                let other = (rules.open + rules.ended).randomElement(using: &random)
            else { break }
            return .raise(number, other)
        default:
            guard let number = rules.open.randomElement(using: &random) else { break }
            return .cancel(number)
        }
        let priority = [0, 0, 0, -100, 100, 7].randomElement(using: &random) ?? 0
        return .request(host: host, priority: priority)
    }
}

/// What can be seen from outside.
struct QueueRecord: Equatable {
    /// The attempts and the hosts that they went to.
    var sent: [String] = []
    /// The numbers of what was sent and then cancelled.
    var cancelled: [Int] = []
    var outcomes: [Int: String] = [:]
}
