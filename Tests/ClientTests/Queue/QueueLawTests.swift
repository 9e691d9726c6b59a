import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Random programs of requests, answers, failures, redirects, other attempts and cancellations, in exchanges with
/// a queue and in rules that are written a second time.
@Suite struct QueueLawTests {
    @Test(arguments: 0..<250)
    func `whatever happens in whichever order, the rules hold`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        let setting = QueueSetting(
            limit: Int.random(in: 1...6, using: &random),
            hostLimit: Int.random(in: 1...3, using: &random),
            cancelsAtOnce: Bool.random(using: &random))
        let world = World(setting)
        var rules = QueueRules(setting)
        var program: [String] = []
        for _ in 0..<80 {
            let step = QueueStep.random(in: rules, &random)
            program.append("\(step)")
            world.take(step)
            rules.take(step)
            guard world.record == rules.record, world.excess == [],
                world.queue.waitingCount == rules.waitingCount,
                world.queue.underWayCount == rules.underWayCount
            else {
                Issue.record(
                    """
                    seed \(seed): \(program)\n\(world.record)\nis not\n\(rules.record)
                    beyond the limits: \(world.excess)
                    """)
                return
            }
        }
        // Whatever is open is brought to its end.
        while let sending = rules.openSendings.first {
            world.take(.answer(sending, .success))
            rules.take(.answer(sending, .success))
        }
        #expect(world.record == rules.record, "seed \(seed): \(program)")
        #expect(rules.open.isEmpty && world.transport.open.isEmpty)
        #expect(world.queue.waitingCount == 0 && world.queue.underWayCount == 0)
    }
}

/// Exchanges in a queue, between requests and answers that the program gives.
private final class World: Sendable {
    private struct State {
        var outcomes: [Int: String] = [:]
        var exchanges: [RedirectedExchange] = []
        var tickets: [RequestQueue.Ticket] = []
        var requests: [TransportRequest] = []
    }

    let transport: HeldTransport
    let queue: RequestQueue
    private let configuration: Client.Configuration
    private let state = Guarded(State())
    private let beyond = Seen<String>()

    init(_ setting: QueueSetting) {
        let queue = RequestQueue(
            maximumRequests: setting.limit, maximumRequestsPerHost: setting.hostLimit,
            clock: ManualClock())
        let beyond = beyond
        transport = HeldTransport(cancelsAtOnce: setting.cancelsAtOnce) { transport, number in
            let open = transport.open.map { transport.requests[$0].head.authority ?? "" }
            let host = transport.requests[number].head.authority ?? ""
            if open.count > setting.limit || open.count(where: { $0 == host }) > setting.hostLimit {
                beyond.note("\(number) to \(host) beside \(open)")
            }
            if host == QueueSetting.instantHost {
                transport.end(number, .success(.json("success of \(number)")))
            }
        }
        self.queue = queue
        configuration = Client.Configuration(transport: transport)
    }

    /// What was sent while as many were under way as may be.
    var excess: [String] { beyond.values }

    var record: QueueRecord {
        QueueRecord(
            sent: transport.requests.map {
                "\($0.head.headerFields[.named("X-Attempt")] ?? "") to \($0.head.authority ?? "")"
            },
            cancelled: transport.cancelled, outcomes: state.withLock(\.outcomes))
    }

    func take(_ step: QueueStep) {
        switch step {
        case .request(let host, let priority):
            let request = TransportRequest(
                head: HTTPRequest(method: .get, scheme: "http", authority: host, path: "/"))
            begin(request, queue.ticket(RequestPriority(rawValue: priority)))
        case .again(let number):
            let (request, ticket) = state.withLock { ($0.requests[number], $0.tickets[number]) }
            begin(request, ticket)
        case .cancel(let number): exchange(number).cancel()
        case .raise(let number, let other):
            exchange(number).raise(to: state.withLock { $0.tickets[other] })
        case .answer(let sending, .success):
            transport.end(sending, .success(.json("success of \(sending)")))
        case .answer(let sending, .failure):
            transport.end(sending, .failure(TransportError(.connectionLost, "failed")))
        case .answer(let sending, .redirect(let host)):
            let fields: HTTPFields = [.location: "http://\(host)/"]
            transport.end(sending, .success(.json("", status: .found, headerFields: fields)))
        }
    }

    private func exchange(_ number: Int) -> RedirectedExchange {
        state.withLock { $0.exchanges[number] }
    }

    private func begin(_ request: TransportRequest, _ ticket: RequestQueue.Ticket) {
        let number = state.withLock { state in
            state.requests.append(request)
            state.tickets.append(ticket)
            return state.exchanges.count
        }
        var request = request
        // It goes along to other hosts.
        request.head.headerFields[.named("X-Attempt")] = "\(number)"
        var configuration = configuration
        configuration.sharedHeaderFields.insert(.named("X-Attempt"))
        configuration.redirects.limit = 1000
        let exchange = RedirectedExchange(
            over: configuration, ticket, onStep: { _ in },
            completion: { self.note($0, of: number) })
        state.withLock { $0.exchanges.append(exchange) }
        exchange.send(request)
    }

    private func note(_ result: Result<TransportResponse, any Error>, of number: Int) {
        let text: String
        switch result {
        case .success(let response): text = String(decoding: response.body, as: UTF8.self)
        case .failure(let error):
            let error = (error as? ClientError)?.underlying ?? error
            let isCancelled = (error as? TransportError)?.reason == .cancelled
            text = isCancelled ? "cancelled" : "\(error)"
        }
        let isSecond = state.withLock { $0.outcomes.updateValue(text, forKey: number) } != nil
        if isSecond { Issue.record("attempt \(number) has ended twice") }
    }
}
