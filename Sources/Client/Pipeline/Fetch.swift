import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

/// One enqueued endpoint that the store may answer instead of the server.
///
/// What the server says goes its way as ever, to a promise of its own: who waits may have had the store's answer
/// by then.
final class Fetch<Value: Sendable>: Sendable {
    private struct State {
        /// What the server has been asked for is given up by this.
        var stop: (@Sendable () -> Void)?
        /// What the server's answer is told as.
        var end: RequestEvent.Kind?
        var isAsking = false
        var hasEnded = false
    }

    private let endpoint: any Endpoint
    private let request: TransportRequest
    private let key: KeptResponseKey
    private let policy: FetchPolicy
    private let serializer: ResponseSerializer<Value>
    private let client: Client
    private let caller: OpenTransaction?
    private let place: RequestRegistry.Place?
    private let trace: RequestTrace?
    private let resolver: Resolver<Value>
    /// The number of times that something had been made invalid when it was enqueued.
    private let turn: Int
    /// The session that it is of.
    private let session: Int
    private let state = Guarded(State())

    /// Creates it; nil where none but the server can answer.
    ///
    /// - Throws: ``ClientError`` where that is not to be asked.
    init?(
        _ endpoint: any Endpoint, as request: TransportRequest,
        _ serializer: ResponseSerializer<Value>, for client: Client, in caller: OpenTransaction?,
        at place: RequestRegistry.Place?, _ trace: RequestTrace?, of session: Int,
        to resolver: Resolver<Value>
    ) throws {
        let policy = client.configuration.fetchPolicy(of: endpoint)
        guard policy.isOn, serializer.replay != nil || policy.asking == .storeOnly else {
            return nil
        }
        let configuration = client.configuration
        guard
            let key = KeptResponseKey(
                of: request, for: endpoint, account: configuration.account,
                isOfSession: configuration.givesCredential(to: endpoint),
                isSecret: client.kept.secrets(by: configuration.redaction).contain)
        else {
            guard policy.asking == .storeOnly else { return nil }
            throw ClientError(.notCached).completed(
                by: request, configuration.redaction.adding(request.secretNames))
        }
        // Before its own turn, as what is on its way by then is not good.
        if key.isOfSession, !endpoint.interceptors.isEmpty {
            configuration.endSessions(with: client.kept, besides: endpoint.interceptors)
        }
        (self.endpoint, self.request, self.key, self.policy) = (endpoint, request, key, policy)
        (self.serializer, self.client, self.caller) = (serializer, client, caller)
        (self.place, self.trace, self.resolver) = (place, trace, resolver)
        (turn, self.session) = (client.kept.turn, session)
        if !key.isOfSession { client.kept.warnOfCookies(of: request, by: configuration) }
    }

    deinit { client.forget(place) }

    // MARK: The store

    func start() {
        guard let caller else { return lookUp() }
        // A store in memory has one connection, which the caller's transaction has.
        client.store.whenEnded(caller) { error in
            if let error {
                self.fail(ClientError(.notStored, underlying: error))
            } else {
                self.lookUp()
            }
        }
    }

    /// Looks for what is kept, and has the store answer where that is to be first.
    private func lookUp() {
        read { kept in
            switch self.policy.asking {
            case .storeFirst: !kept.isInvalid
            case .storeOnly: true
            case .fresh(let time):
                !kept.isInvalid && self.age(of: kept).map { $0 < time } ?? false
            case .network, .networkFirst, nil: false
            }
        } _: { kept, answer in
            if case .success(let replayed)? = answer { return self.answer(replayed) }
            if case .failure(let error as CancellationError)? = answer { return self.fail(error) }
            if self.policy.asking == .storeOnly {
                var error = ClientError(.notCached)
                if case .failure(let reason)? = answer { error.underlying = reason }
                return self.fail(error)
            }
            self.ask(kept, besides: kept, wasGood: kept?.isInvalid == false)
        }
    }

    /// Whether the session is going on that it was begun in: what is kept in another one is somebody else's.
    private var isCurrent: Bool {
        client.configuration.isOfSession(request.provenance.admissions, for: endpoint)
    }

    private func age(of kept: KeptResponse) -> Duration? {
        kept.age(at: client.configuration.now())
    }

    /// Reads what is kept, and makes a value of it where that is wanted.
    private func read(
        where isWanted: @escaping @Sendable (KeptResponse) -> Bool,
        _ proceed:
            @escaping @Sendable (
                _ kept: KeptResponse?, _ answer: Result<Replayed<Value>, any Error>?
            ) -> Void
    ) {
        guard !resolver.isCancelled else { return resolver.reject(CancellationError()) }
        // It is that of whoever has just logged out.
        guard !client.kept.isClearing(ofSession: key.isOfSession) else { return proceed(nil, nil) }
        let giveUp = client.store.read {
            [client, key, request, serializer]
            snapshot -> (KeptResponse?, Result<Replayed<Value>, any Error>?) in
            let options = client.configuration.decodingOptions
            let reading = serializer.way.map { way in { way.reading(options) } }
            guard
                let kept = try client.kept.find(key, in: snapshot.sideTables, reading: reading)
            else { return (nil, nil) }
            guard isWanted(kept) else { return (kept, nil) }
            let replay = Replay(
                kept: kept, request: request, snapshot: snapshot,
                options: options, source: .store,
                age: kept.age(at: client.configuration.now()))
            return (kept, Result { try serializer.replayed(replay) })
        } finish: { result in
            // By then it may be that of whoever has logged in since.
            guard self.isCurrent else { return proceed(nil, nil) }
            switch result {
            case .success(let (kept, answer)): proceed(kept, answer)
            // The store's failure is not the server's.
            case .failure(let error): proceed(nil, .failure(error))
            }
        }
        resolver.onCancel(giveUp)
    }

    /// Fulfills with the store's answer.
    private func answer(_ replayed: Replayed<Value>) {
        do { try client.session.check(session) } catch { return fail(error) }
        client.log(request) { "answered by the store: \($0)" }
        end(.fulfilled(Self.untyped(replayed.value), ImportReport()))
        resolver.fulfill(replayed.value)
    }

    /// Has the store answer in place of the server.
    private func fallBack(_ otherwise: @escaping @Sendable () -> Void) {
        read { _ in
            true
        } _: { _, answer in
            if case .success(let replayed)? = answer { self.answer(replayed) } else { otherwise() }
        }
    }

    // MARK: The server

    /// Asks the server, on the condition that what is kept is not good any more.
    ///
    /// - Parameter found: What is kept, where the server is asked on no condition, too.
    private func ask(_ kept: KeptResponse?, besides found: KeptResponse?, wasGood: Bool) {
        guard !resolver.isCancelled else { return resolver.reject(CancellationError()) }
        do { try client.session.check(session) } catch { return fail(error) }
        var request = request
        // A cache answers no request with a condition of its own, and makes others of them.
        let isCached =
            client.configuration.cache != nil
            && client.cachePolicy(of: endpoint).isOn
        let conditions = isCached ? [:] : kept?.conditions ?? [:]
        for field in conditions { request.head.headerFields.append(field) }
        if !conditions.isEmpty { request.provenance.condition = conditions }
        let (promise, inner) = Promise<Value>.pending()
        let exchange = KeptExchange(
            key: key, turn: turn, wasGood: wasGood, kept: conditions.isEmpty ? nil : kept,
            isCurrent: { [self] in isCurrent }, commit: { [self] in commit() },
            end: { [self] in note($0) })
        let delivery = Delivery(
            endpoint, as: request, serializer, for: client, in: caller, at: nil, trace,
            of: session, keeping: exchange, to: inner)
        _ = promise.handle { self.receive($0, of: exchange, besides: found) }
        resolver.onCancel { promise.cancel() }
        // Before the server can have answered.
        setDeadline()
        delivery.start()
    }

    private func setDeadline() {
        let isFirst = state.withLock { state in
            defer { state.isAsking = true }
            return !state.isAsking
        }
        guard isFirst, let time = policy.deadline else { return }
        let wait = client.configuration.wait(for: time)
        resolver.onCancel { wait.cancel() }
        _ = wait.then(on: .immediate) { [weak self] in
            guard let self, self.resolver.isPending else { return }
            self.fallBack {}
        }
        state.withLock { $0.stop = { wait.cancel() } }
    }

    private func receive(
        _ result: Result<Value, any Error>, of exchange: KeptExchange, besides found: KeptResponse?
    ) {
        switch result {
        case .success(let value):
            stopWaiting()
            let isNoted = exchange.isNoted.withLock(\.self)
            if isNoted { client.kept.observers.tell() }
            // Such as without content: what was kept is not what the server says now.
            forgetting(found, !isNoted) {
                if let kind = self.state.withLock({ $0.end.take() }) { self.end(kind) }
                self.resolver.fulfill(value)
            }
        case .failure(let error as ClientError) where error.underlying is ReplayError:
            // The server has not sent what is missing, and what is kept may be another one by now.
            read { _ in
                false
            } _: { kept, _ in
                self.ask(nil, besides: kept, wasGood: exchange.wasGood)
            }
        case .failure(let error) where policy.fallsBack && error.isServerAway:
            stopWaiting()
            fallBack { self.fail(error) }
        case .failure(let error):
            stopWaiting()
            forgetting(found, (error as? ClientError)?.isOfAbsence == true) { self.fail(error) }
        }
    }

    /// Has what was found of the request be gone first, where it is to be, off the thread that this is known on; later
    /// where a transaction may wait for what comes of it.
    private func forgetting(
        _ found: KeptResponse?, _ isToBe: Bool, _ proceed: @escaping @Sendable () -> Void
    ) {
        // What is kept by now is another session's.
        guard isToBe, isCurrent else { return proceed() }
        if let caller {
            proceed()
            return client.store.whenEnded(caller) { [client, key] _ in
                client.deliveryQueues.run { try? client.kept.remove(key, foundAs: found) }
            }
        }
        client.deliveryQueues.run { [client, key] in
            try? client.kept.remove(key, foundAs: found)
            proceed()
        }
    }

    private func stopWaiting() {
        state.withLock { $0.stop.take() }?()
    }

    /// Takes the point of no return of what the server has sent; where the store has answered already, that is
    /// stored all the same.
    private func commit() -> Bool { resolver.commit() || !resolver.isCancelled }

    private func note(_ kind: RequestEvent.Kind) { state.withLock { $0.end = kind } }

    // MARK: Ends

    private func fail(_ error: any Error) {
        var error = error
        if let own = error as? ClientError, own.url == nil {
            error = own.completed(
                by: request, client.configuration.redaction.adding(request.secretNames))
        }
        let noted = state.withLock { $0.end.take() }
        end(error is CancellationError ? .cancelled : noted ?? .failed(error))
        resolver.reject(error)
    }

    private func end(_ kind: RequestEvent.Kind) {
        let isFirst = state.withLock { state in
            defer { state.hasEnded = true }
            return !state.hasEnded
        }
        if isFirst, let trace { client.end(trace, kind, at: place, of: resolver) }
    }

    private static func untyped(_ value: Value) -> any Sendable {
        (value as? any UntypedResponse)?.untypedValue ?? value
    }
}

extension Client.Configuration {
    /// A promise that is fulfilled after a time.
    func wait(for time: Duration) -> Promise<Void> {
        guard let importClock else { return .delay(for: time) }
        return .delay(for: time, clock: importClock)
    }
}

extension Error {
    /// Whether it says that the server could not be asked, or that it is in no state to answer.
    fileprivate var isServerAway: Bool {
        guard let error = self as? ClientError else {
            return (self as? TransportError)?.isUnreachable == true
        }
        switch error.reason {
        case .transport: return error.underlying?.isServerAway == true
        case .unacceptableStatus: return error.status?.isOfServerAway ?? false
        default: return false
        }
    }
}
