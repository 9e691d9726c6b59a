import Foundation
import HTTPTypes
import LarderClient
import LarderPromises

/// The network, with the server behind it: what befalls each exchange is said beforehand.
///
/// A request names its call by `User-Agent`, which tells no response from others.
final class HistoryNetwork: Transport {
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void

    /// What is to befall the exchanges of a call, the first first.
    struct Plan: Sendable {
        var fates: [HistoryStep.Fate] = []
        /// The changes before each exchange.
        var edits: [[HistoryStep.Edit]] = []
    }

    fileprivate struct Held {
        let call: Int
        let request: TransportRequest
        /// The answer, where it was made at once.
        let answer: HistoryAnswer?
        let completion: Completion
        /// Whether nobody waits for it any more.
        var isCancelled = false
    }

    fileprivate struct State {
        var server: HistoryServer
        var isUp = true
        var plans: [Int: Plan] = [:]
        var exchangeCount = 0
        var held: [Int: Held] = [:]
        var answers: [HistoryAnswer] = []
        /// What a cache on the way has, and since when.
        var onTheWay: [String: (serial: Int, time: Double)] = [:]
        var events: [HistoryEvent] = []
        /// The calls that have not settled, and what the others have settled as.
        var open: Set<Int> = []
        var settled: [Int: Result<Reading, any Error>] = [:]
        /// The number of the client's requests in flight.
        var requestCount = 0
        var waiter: (wait: Wait, continuation: CheckedContinuation<Bool, Never>)?
        var hasGivenUp = false
        /// The number of times that something was waited for.
        var waitCount = 0

        /// Whether nothing goes on but what is held.
        func isIdle(_ wait: Wait) -> Bool {
            let callsHeld = Set(held.values.map { $0.call })
            let waiting = held.values.filter { !$0.isCancelled }
            return open.isSubset(of: callsHeld) && open.isDisjoint(with: wait.calls)
                && wait.cancelled.isDisjoint(with: waiting.map { $0.call })
                // What is cancelled may be in flight for as long as it is held, or not.
                && (waiting.count...held.count).contains(requestCount)
                && requestCount <= wait.requestLimit
        }
    }

    /// What is waited for, besides that nothing goes on but what is held.
    struct Wait: Sendable {
        /// The calls that have to settle, though they may be held.
        var calls: Set<Int> = []
        /// The most requests that are in flight then.
        var requestLimit = Int.max
        /// The calls whose exchanges have to be cancelled.
        var cancelled: Set<Int> = []
    }

    /// What a call has settled as, read once nothing goes on.
    typealias Reading = @Sendable () throws -> HistoryOutcome

    fileprivate let state: Guarded<State>
    private let answersCancelled: Bool
    /// Whether arrivals are told by a witness behind a cache.
    private let hasWitness: Bool

    init(_ program: HistoryProgram) {
        state = Guarded(State(server: HistoryServer(program)))
        (answersCancelled, hasWitness) = (program.answersCancelled, program.hasCache)
    }

    static func call(of request: TransportRequest) -> Int {
        request.head.headerFields[.userAgent].flatMap { Int($0) } ?? 0
    }

    // MARK: The world

    var server: HistoryServer { state.withLock(\.server) }

    func change(_ body: (inout HistoryServer) -> Void) { state.withLock { body(&$0.server) } }

    func setUp(_ isUp: Bool) { state.withLock { $0.isUp = isUp } }

    func pass(_ seconds: Double) { state.withLock { $0.server.time += seconds } }

    func answer(_ serial: Int) -> HistoryAnswer { state.withLock { $0.answers[serial] } }

    // MARK: Calls

    func begin(_ call: Int, _ plan: Plan) {
        state.withLock { state in
            state.plans[call] = plan
            state.open.insert(call)
        }
    }

    func end(_ call: Int, _ result: Result<Reading, any Error>) {
        mutate { state in
            state.settled[call] = result
            state.open.remove(call)
        }
    }

    /// Whether a call has not settled.
    func isOpen(_ call: Int) -> Bool { state.withLock { $0.open.contains(call) } }

    func note(requestCount: Int) { mutate { $0.requestCount = requestCount } }

    /// Takes note of what comes to the client.
    func note(_ arrival: HistoryEvent.Arrival) {
        state.withLock { state in
            var arrival = arrival
            arrival.tick = state.server.tick
            state.events.append(.arrival(arrival))
        }
    }

    func takeEvents() -> [HistoryEvent] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    func takeSettled() -> [(call: Int, result: Result<Reading, any Error>)] {
        state.withLock { state in
            defer { state.settled = [:] }
            return state.settled.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    // MARK: Waiting

    /// Waits until nothing goes on but what is held; false where it was given up.
    func idle(_ wait: Wait = Wait()) async -> Bool {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state -> Bool? in
                state.waitCount += 1
                if state.hasGivenUp { return false }
                if state.isIdle(wait) { return true }
                state.waiter = (wait, continuation)
                return nil
            }
            if let isReady { continuation.resume(returning: isReady) }
        }
    }

    private func mutate(_ body: (inout State) -> Void) {
        let waiter = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            body(&state)
            guard let waiter = state.waiter, state.isIdle(waiter.wait) else {
                return nil
            }
            state.waiter = nil
            return waiter.continuation
        }
        waiter?.resume(returning: true)
    }

    /// The number of times that something was waited for, by which it is seen that nothing goes on any more.
    var waitCount: Int { state.withLock(\.waitCount) }

    var hasGivenUp: Bool { state.withLock(\.hasGivenUp) }

    func giveUp() {
        let waiter = state.withLock { state in
            state.hasGivenUp = true
            return state.waiter.take()
        }
        waiter?.continuation.resume(returning: false)
    }

    /// What is known of calls that don't settle.
    var complaint: String {
        state.withLock { state in
            "calls \(state.open.sorted()) don't settle, "
                + "\(state.requestCount) requests are in flight, \(state.held.count) of them held"
        }
    }

    // MARK: Exchanges that are held

    /// The number of the client's requests in flight.
    var requestCount: Int { state.withLock(\.requestCount) }

    /// The exchanges that are held, in the order in which they were sent, and their calls.
    var held: [(exchange: Int, call: Int)] {
        state.withLock { state in
            state.held.sorted { $0.key < $1.key }.map { ($0.key, $0.value.call) }
        }
    }

    func release(_ exchange: Int) {
        let end = state.withLock { state -> (Completion, TransportResponse, Int)? in
            guard let held = state.held.removeValue(forKey: exchange) else { return nil }
            let answer = held.answer ?? state.server.answer(held.request)
            return (held.completion, state.response(to: held.request, answer), held.call)
        }
        guard let (completion, response, call) = end else { return }
        finish(.success(response), call, completion)
    }

    /// Ends what is held, as with the process.
    func dropHeld() {
        for (exchange, _) in held {
            guard let held = state.withLock({ $0.held.removeValue(forKey: exchange) }) else {
                continue
            }
            finish(.failure(TransportError(.cancelled, "Gone.")), held.call, held.completion)
        }
    }

    private func cancel(_ exchange: Int) {
        guard !answersCancelled else {
            return mutate { $0.held[exchange]?.isCancelled = true }
        }
        guard let held = state.withLock({ $0.held.removeValue(forKey: exchange) }) else { return }
        finish(.failure(TransportError(.cancelled, "Cancelled.")), held.call, held.completion)
    }

    private func finish(
        _ result: Result<TransportResponse, TransportError>, _ call: Int,
        _ completion: Completion
    ) {
        state.withLock { $0.events.append(.end(of: call)) }
        if !hasWitness {
            switch result {
            case .success(let response): note(HistoryEvent.Arrival(of: call, response))
            case .failure(let error): note(HistoryEvent.Arrival(of: call, error))
            }
        }
        completion(result)
        // What was held may be all that was waited for.
        mutate { _ in }
    }

    // MARK: Transport

    func send(_ request: TransportRequest, completion: @escaping Completion) -> any TransportTask {
        let call = Self.call(of: request)
        var number = 0
        var result: Result<TransportResponse, TransportError>?
        mutate { state in
            state.exchangeCount += 1
            number = state.exchangeCount
            result = state.exchange(request, of: call, as: number, completion)
        }
        if let result { finish(result, call, completion) }
        let exchange = number
        return HistoryTask { self.cancel(exchange) }
    }
}

private struct HistoryTask: TransportTask {
    let stop: @Sendable () -> Void

    func cancel() { stop() }
}

extension HistoryNetwork.State {
    /// What an exchange comes to, nil where it is held.
    fileprivate mutating func exchange(
        _ request: TransportRequest, of call: Int, as number: Int,
        _ completion: @escaping HistoryNetwork.Completion
    ) -> Result<TransportResponse, TransportError>? {
        var plan = plans[call] ?? .init()
        let fate = plan.fates.isEmpty ? .good : plan.fates.removeFirst()
        let edits = plan.edits.isEmpty ? [] : plan.edits.removeFirst()
        plans[call] = plan
        for edit in edits { server.edit(edit) }
        events.append(.request(.init(of: call, request, tick: server.tick)))
        guard isUp else { return .failure(TransportError(.cannotConnect, "The network is down.")) }
        switch fate {
        case .good: return .success(response(to: request, server.answer(request)))
        case .refused: return .failure(TransportError(.cannotConnect, "It is refused."))
        case .lost:
            _ = server.answer(request)
            return .failure(TransportError(.connectionLost, "The answer is lost."))
        case .truncated:
            _ = server.answer(request)
            return .failure(TransportError(.truncatedBody, "The answer is cut off."))
        case .halved:
            var response = response(to: request, server.answer(request))
            guard response.head.status == .ok, response.body.count > 1 else {
                return .success(response)
            }
            response.body = response.body.prefix(response.body.count - 1)
            response.head.headerFields[HistoryEvent.Arrival.mark] = "1"
            return .success(response)
        case .portal:
            return .success(
                TransportResponse(
                    head: HTTPResponse(
                        status: .ok, headerFields: [.contentType: "text/html"]),
                    body: Data("<html>".utf8)))
        case .status(let code):
            var response = TransportResponse(
                head: HTTPResponse(status: .init(code: code)), body: Data("{}".utf8))
            response.head.headerFields[.contentType] = "application/json"
            return .success(response)
        case .old: return .success(oldResponse(to: request))
        case .held(let isMadeAtOnce):
            let answer = isMadeAtOnce ? server.answer(request) : nil
            held[number] = .init(
                call: call, request: request, answer: answer, completion: completion)
            return nil
        }
    }

    /// What a cache on the way has, where it is fresh; else what the server says.
    ///
    /// It is a second old at least: of what is younger nobody can tell that it is not of now.
    private mutating func oldResponse(to request: TransportRequest) -> TransportResponse {
        let key = key(of: request)
        if let old = onTheWay[key], request.head.method == .get,
            server.program.control == .fresh || server.program.control == .freshAndStale,
            case let age = max(Int(server.time - old.time), 1), age < HistoryServer.lifetime
        {
            var response = response(to: request, answers[old.serial], as: old.serial)
            response.head.headerFields[.age] = "\(age)"
            return response
        }
        return response(to: request, server.answer(request))
    }

    private func key(of request: TransportRequest) -> String {
        "\(request.head.headerFields[.authorization] ?? "") \(request.head.path ?? "")"
    }

    /// The response that is an answer, or a confirmation where that is asked for.
    ///
    /// - Parameter serial: The number of the answer, nil for a new one.
    fileprivate mutating func response(
        to request: TransportRequest, _ answer: HistoryAnswer, as serial: Int? = nil
    ) -> TransportResponse {
        var fields = answer.fields
        fields[.date] = server.date
        let conditions = request.head.headerFields
        let isKnown =
            if let tag = conditions[.ifNoneMatch] {
                tag == fields[.eTag]
            } else if let time = conditions[.ifModifiedSince] {
                time == fields[.lastModified]
            } else {
                false
            }
        if isKnown, answer.status == 200 {
            return TransportResponse(
                head: HTTPResponse(status: .notModified, headerFields: fields))
        }
        if answer.status == 200 {
            let serial = serial ?? answers.count
            if serial == answers.count {
                answers.append(answer)
                if request.head.method == .get {
                    onTheWay[key(of: request)] = (serial, server.time)
                }
            }
            fields[HistoryEvent.Arrival.serial] = "\(serial)"
        }
        if !answer.text.isEmpty { fields[.contentType] = "application/json" }
        return TransportResponse(
            head: HTTPResponse(status: .init(code: answer.status), headerFields: fields),
            body: Data(answer.text.utf8))
    }
}

extension HistoryEvent.Request {
    fileprivate init(of call: Int, _ request: TransportRequest, tick: Int) {
        let items = URLComponents(string: request.head.path ?? "")?.queryItems ?? []
        let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
        self.call = call
        isFirstPage =
            query["after"] == nil && (query["page"] ?? "1") == "1"
            && (query["offset"] ?? "0") == "0"
        since = query["since"]
        condition =
            request.head.headerFields[.ifNoneMatch]
            ?? request.head.headerFields[.ifModifiedSince]
        self.tick = tick
    }
}
