import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Random programs of requests, answers, failures, redirects and cancellations, in shared exchanges and in
/// rules that are written a second time.
@Suite struct CoalescingLawTests {
    @Test(arguments: 0..<250)
    func `whatever happens in whichever order, the rules hold`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        let cancelsAtOnce = Bool.random(using: &random)
        let world = World(cancelsAtOnce: cancelsAtOnce)
        var rules = CoalescingRules(cancelsAtOnce: cancelsAtOnce)
        var program: [String] = []
        for _ in 0..<60 {
            let step = CoalescingStep.random(in: rules, &random)
            program.append("\(step)")
            world.take(step)
            rules.take(step)
            guard world.record == rules.record else {
                Issue.record("seed \(seed): \(program)\n\(world.record)\nis not\n\(rules.record)")
                return
            }
        }
        // Whatever is open is brought to its end.
        while let sending = rules.openSendings.first {
            world.take(.answer(sending, .success))
            rules.take(.answer(sending, .success))
        }
        #expect(world.record == rules.record, "seed \(seed): \(program)")
        #expect(rules.openRequests.isEmpty && world.transport.open.isEmpty)
        #expect(world.foreign == [], "seed \(seed): \(program)")
        #expect(world.configuration.exchangesInFlight.count == 0)
    }
}

/// Exchanges between requests and answers that the program gives.
private final class World: Sendable {
    private struct State {
        var outcomes: [Int: String] = [:]
        var exchanges: [any Exchange] = []
        var foreign: [Int] = []
    }

    let transport: HeldTransport
    let configuration: Client.Configuration
    private let state = Guarded(State())

    init(cancelsAtOnce: Bool) {
        transport = HeldTransport(cancelsAtOnce: cancelsAtOnce)
        configuration = Client.Configuration(transport: transport)
    }

    /// The requests that were given the answer to one that differs from them.
    var foreign: [Int] { state.withLock(\.foreign) }

    var record: CoalescingRecord {
        CoalescingRecord(
            sent: transport.requests.map { "\($0.head.method) \($0.head.path ?? "")" },
            cancelled: transport.cancelled, outcomes: state.withLock(\.outcomes))
    }

    func take(_ step: CoalescingStep) {
        switch step {
        case .request(let request): send(request)
        case .cancel(let number): state.withLock { $0.exchanges[number] }.cancel()
        case .answer(let sending, .success):
            let request = transport.requests[sending]
            var response = TransportResponse.json("success of \(sending)")
            // What was asked, where it is the first that was sent.
            response.head.headerFields[.named("X-Asked")] =
                request.head.path == "/led" ? nil : request.identity
            transport.end(sending, .success(response))
        case .answer(let sending, .failure):
            transport.end(
                sending, .failure(TransportError(.connectionLost, "failure of \(sending)")))
        case .answer(let sending, .redirect):
            transport.end(
                sending,
                .success(.json("", status: .seeOther, headerFields: [.location: "/led"])))
        }
    }

    private func send(_ described: CoalescingStep.Request) {
        var fields: HTTPFields = [.accept: "b"]
        if described.isReordered { fields = [.userAgent: "a", .accept: "b"] }
        if !described.isReordered { fields[.userAgent] = "a" }
        if let user = described.user { fields[.authorization] = user }
        let number = state.withLock(\.exchanges.count)
        var body = described.body
        if described.isForm, let content = body {
            let boundary = "boundary-\(1000 + number)"
            fields[.contentType] = "multipart/form-data; boundary=\(boundary)"
            body = "--\(boundary) \(content) --\(boundary)--"
        }
        let onProgress: @Sendable (TransferProgress) -> Void = { _ in }
        let request = TransportRequest(
            head: HTTPRequest(
                method: .init(described.method) ?? .get, scheme: "http", authority: "a.invalid",
                path: described.path, headerFields: fields),
            body: body.map { Data($0.utf8) },
            onProgress: described.reportsProgress ? onProgress : nil)
        let policy: Coalescing =
            switch described.policy {
            case .separate: .separate
            case .joining: .joining
            case .refusing: .refusing
            }
        let completion: @Sendable (Result<TransportResponse, any Error>) -> Void = { result in
            self.note(result, of: number, request)
        }
        let exchange: any Exchange =
            policy.covers(request)
            ? CoalescedExchange(
                over: configuration, policy, nil, onStep: { _ in }, completion: completion)
            : RedirectedExchange(
                over: configuration, nil, onStep: { _ in }, completion: completion)
        state.withLock { $0.exchanges.append(exchange) }
        exchange.send(request)
    }

    private func note(
        _ result: Result<TransportResponse, any Error>, of number: Int, _ request: TransportRequest
    ) {
        let text: String
        switch result {
        case .success(let response):
            text = String(decoding: response.body, as: UTF8.self)
            let asked = response.head.headerFields[.named("X-Asked")]
            let isOwn = response.redirects.isEmpty && response.sent?.request.head != request.head
            if isOwn || asked != nil && asked != request.identity {
                state.withLock { $0.foreign.append(number) }
            }
        case .failure(let error as ClientError) where error.reason == .duplicate:
            text = "duplicate"
        case .failure(let error as ClientError): text = "\(error.underlying ?? error)"
        case .failure(let error as TransportError):
            text = error.reason == .cancelled ? "cancelled" : error.message
        case .failure(let error): text = "\(error)"
        }
        let isSecond = state.withLock { $0.outcomes.updateValue(text, forKey: number) } != nil
        if isSecond { Issue.record("request \(number) has ended twice") }
    }
}

extension TransportRequest {
    /// All that is asked, in one line, but for the boundary of a form.
    fileprivate var identity: String {
        let fields = head.headerFields.map { "\($0.name): \($0.value)" }.sorted()
        let content = body.map { String(decoding: $0, as: UTF8.self) } ?? "-"
        return "\(head.method) \(urlText) \(fields) \(content)"
            .replacing(/boundary-[0-9]+/, with: "boundary")
    }
}
