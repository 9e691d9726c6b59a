import Foundation
import HTTPTypes
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Random programs of requests, answers, refreshes, cancellations, log-ins and log-outs, in the interceptor
/// and in rules that are written a second time.
@Suite struct AuthorizationLawTests {
    @Test(arguments: 0..<400)
    func `whatever happens in whichever order, the rules hold`(_ seed: UInt64) {
        var random = SplitMix(seed: seed)
        let hasProvider = Bool.random(using: &random)
        let world = World(hasProvider: hasProvider)
        var rules = AuthorizationRules(hasProvider: hasProvider)
        var program: [String] = []
        for _ in 0..<60 {
            let step = AuthorizationStep.random(in: rules, &random)
            program.append("\(step)")
            world.take(step)
            rules.take(step)
            guard world.record == rules.record, world.refreshesUnderWay <= 1 else {
                Issue.record("seed \(seed): \(program)\n\(world.record)\nis not\n\(rules.record)")
                return
            }
        }
        // Whatever is open is brought to its end.
        while let step = AuthorizationStep.last(in: rules) {
            world.take(step)
            rules.take(step)
        }
        #expect(world.record == rules.record, "seed \(seed): \(program)")
        #expect(rules.isOver)
        for (number, sent) in Dictionary(grouping: rules.record.sent, by: \.request) {
            #expect(sent.count <= 2, "seed \(seed): request \(number), \(program)")
        }
        #expect(world.credential == rules.record.kept.last ?? nil)
    }
}

private let past = Date(timeIntervalSince1970: 0)

extension Credential {
    /// The value of its field, which in these programs is a token.
    fileprivate var token: String { fields.first?.value ?? "" }
}

/// The interceptor, between requests and answers that the program gives.
private final class World: Sendable {
    private struct NoCredential: Error {
        let number: Int
    }

    private struct State {
        var record = AuthorizationRecord()
        var exchanges: [Resolver<TransportResponse>] = []
        var refreshes: [(promise: Promise<Credential>, resolver: Resolver<Credential>)] = []
        var requests: [Promise<Void>] = []
        var tokens = 0
    }

    private final class Log: Sendable {
        let state = Guarded(State())
    }

    private let log = Log()
    private let interceptor: AuthorizationInterceptor

    init(hasProvider: Bool) {
        interceptor = AuthorizationInterceptor(
            hasProvider ? .unasked : AuthorizationState(nil), origins: ["http://a.invalid"],
            statuses: [401], clock: ManualClock(), date: { past },
            onChange: { [log] change in
                log.state.withLock { $0.record.kept.append(change?.token) }
            }, on: .immediate
        ) { [log] old in
            let (promise, resolver) = Promise<Credential>.pending()
            log.state.withLock {
                $0.record.refreshes.append(old?.token)
                $0.refreshes.append((promise, resolver))
            }
            return promise
        }
    }

    var record: AuthorizationRecord { log.state.withLock(\.record) }
    var credential: String? { interceptor.credential?.token }

    var refreshesUnderWay: Int {
        log.state.withLock { state in state.refreshes.count { $0.promise.isPending } }
    }

    func take(_ step: AuthorizationStep) {
        switch step {
        case .request: request()
        case .answer(let index, let code):
            let exchange = log.state.withLock { $0.exchanges[index] }
            exchange.fulfill(.json("", status: .init(code: code)))
        case .refreshed(let index, let isExpired):
            refresh(index).fulfill(newCredential(isExpired))
        case .notRefreshed(let index): refresh(index).reject(NoCredential(number: index))
        case .cancel(let number): log.state.withLock { $0.requests[number] }.cancel()
        case .logIn(let isExpired): interceptor.logIn(newCredential(isExpired))
        case .logOut: interceptor.logOut()
        }
    }

    private func refresh(_ index: Int) -> Resolver<Credential> {
        log.state.withLock { $0.refreshes[index].resolver }
    }

    private func newCredential(_ isExpired: Bool) -> Credential {
        let number = log.state.withLock { state in
            state.tokens += 1
            return state.tokens
        }
        return .apiKey("t\(number)", field: .named("X-Key")).expiring(isExpired ? past : nil)
    }

    private func request() {
        let number = log.state.withLock { $0.requests.count }
        let request = TransportRequest(
            head: HTTPRequest(
                method: .post, scheme: "http", authority: "a.invalid", path: "/\(number)"))
        let promise = interceptor.intercept(request, for: Resource("x")) { [log] request in
            let (promise, resolver) = Promise<TransportResponse>.pending()
            log.state.withLock {
                $0.record.sent.append(
                    .init(request: number, token: request.head.headerFields[.named("X-Key")]))
                $0.exchanges.append(resolver)
            }
            return promise
        }
        let outcome = promise.handle { [log] result in
            let text: String
            switch result {
            case .success(let response): text = "\(response.head.status.code)"
            case .failure(let error as ClientError): text = error.reason.description
            case .failure(let error): text = "\(error)"
            }
            log.state.withLock { $0.record.outcomes[number] = text }
        }
        log.state.withLock { $0.requests.append(outcome) }
    }
}

extension Credential {
    fileprivate func expiring(_ date: Date?) -> Credential {
        var credential = self
        credential.expires = date
        return credential
    }
}
