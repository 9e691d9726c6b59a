/// The rules of what is shared, as one who keeps a list of it would tell them.
struct CoalescingRules {
    private struct Flight {
        let identity: String?
        let isWrite: Bool
        /// The number of writes that had begun or ended before.
        let writeCount: Int
        var sending: Int
        var waiting: [Int]
    }

    private(set) var record = CoalescingRecord()
    private var flights: [Flight] = []
    private var requestCount = 0
    private var writeCount = 0
    private let cancelsAtOnce: Bool

    init(cancelsAtOnce: Bool) {
        self.cancelsAtOnce = cancelsAtOnce
    }

    var openSendings: [Int] { flights.map(\.sending).sorted() }
    var openRequests: [Int] { (0..<requestCount).filter { record.outcomes[$0] == nil } }

    mutating func take(_ step: CoalescingStep) {
        switch step {
        case .request(let request): arrive(request)
        case .cancel(let number): cancel(number)
        case .answer(let sending, let answer): end(sending, answer)
        }
    }

    private mutating func arrive(_ request: CoalescingStep.Request) {
        let number = requestCount
        requestCount += 1
        // What nobody waits for any more can't be joined.
        let index = flights.firstIndex {
            request.isCompared && $0.identity != nil && $0.identity == request.identity
                && !$0.waiting.isEmpty && $0.writeCount == writeCount
        }
        switch (request.policy, index) {
        case (.refusing, _?): record.outcomes[number] = "duplicate"
        case (.joining, let index?): flights[index].waiting.append(number)
        default:
            flights.append(
                Flight(
                    identity: request.isCompared ? request.identity : nil,
                    isWrite: request.method == "POST", writeCount: writeCount,
                    sending: record.sent.count, waiting: [number]))
            if request.method == "POST" { writeCount += 1 }
            record.sent.append(request.target)
        }
    }

    private mutating func cancel(_ number: Int) {
        guard let index = flights.firstIndex(where: { $0.waiting.contains(number) }) else { return }
        let (identity, sending) = (flights[index].identity, flights[index].sending)
        if identity == nil, !cancelsAtOnce {
            // It goes on by itself, until the transport has stopped it.
            if !record.cancelled.contains(sending) { record.cancelled.append(sending) }
            return
        }
        flights[index].waiting.removeAll { $0 == number }
        record.outcomes[number] = "cancelled"
        guard flights[index].waiting.isEmpty else { return }
        record.cancelled.append(sending)
        if cancelsAtOnce { writeCount += flights.remove(at: index).isWrite ? 1 : 0 }
    }

    private mutating func end(_ sending: Int, _ answer: CoalescingStep.Answer) {
        guard let index = flights.firstIndex(where: { $0.sending == sending }) else { return }
        if answer == .redirect {
            // Who has cancelled is not led anywhere.
            guard !record.cancelled.contains(sending) else {
                return finish(flights.remove(at: index), "cancelled")
            }
            flights[index].sending = record.sent.count
            record.sent.append("GET /led")
            return
        }
        finish(flights.remove(at: index), "\(answer) of \(sending)")
    }

    private mutating func finish(_ flight: Flight, _ outcome: String) {
        if flight.isWrite { writeCount += 1 }
        for number in flight.waiting { record.outcomes[number] = outcome }
    }
}

/// Something that happens.
enum CoalescingStep {
    enum Policy: CaseIterable {
        case separate, joining, refusing
    }

    enum Answer {
        case success, failure, redirect
    }

    struct Request {
        var policy: Policy
        var method: String
        var path: String
        var user: String?
        var isReordered: Bool
        var body: String?
        /// Whether the body is a form, with a boundary of its own.
        var isForm: Bool
        var reportsProgress: Bool

        /// What is sent.
        var target: String { "\(method) \(path)" }

        /// Whether it is one of those that may be the same as others.
        var isCompared: Bool {
            switch policy {
            case .separate: false
            case .joining: !reportsProgress
            case .refusing: true
            }
        }

        /// What has to be the same; nil for what is never shared.
        var identity: String? {
            let content = body.map { isForm ? "a form of \($0)" : $0 } ?? "-"
            return method == "GET" ? "\(target) of \(user ?? "-") with \(content)" : nil
        }
    }

    case request(Request)
    case cancel(Int)
    /// The answer to what was sent as the n-th.
    case answer(Int, Answer)

    static func random(in rules: CoalescingRules, _ random: inout SplitMix) -> CoalescingStep {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: break
        case 5..<8:
            guard let sending = rules.openSendings.randomElement(using: &random) else { break }
            let answers: [Answer] = [.success, .success, .failure, .redirect]
            return .answer(sending, answers.randomElement(using: &random) ?? .success)
        default:
            guard let number = rules.openRequests.randomElement(using: &random) else { break }
            return .cancel(number)
        }
        return .request(
            Request(
                policy: [.separate, .joining, .joining, .joining, .refusing]
                    .randomElement(using: &random) ?? .joining,
                method: Int.random(in: 0..<6, using: &random) == 0 ? "POST" : "GET",
                path: "/\(Int.random(in: 0..<2, using: &random))",
                user: [nil, nil, "ann", "bob"].randomElement(using: &random) ?? nil,
                isReordered: .random(using: &random),
                body: Int.random(in: 0..<4, using: &random) == 0 ? "q" : nil,
                isForm: .random(using: &random),
                reportsProgress: Int.random(in: 0..<6, using: &random) == 0))
    }
}

/// What can be seen from outside.
struct CoalescingRecord: Equatable {
    /// What went to the transport.
    var sent: [String] = []
    /// The numbers of what was sent and then cancelled.
    var cancelled: [Int] = []
    var outcomes: [Int: String] = [:]
}
