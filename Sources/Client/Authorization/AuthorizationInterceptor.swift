import Foundation
import HTTPTypes
public import LarderPromises

/// Gives requests a credential, and has it replaced once the server refuses it.
///
/// ```swift
/// let authorization = AuthorizationInterceptor(kept, onChange: keep) { old in
///     accounts.enqueue(Renewal(token: old.refreshToken)).then { (tokens: Tokens) in
///         .bearer(tokens.access, refreshToken: tokens.refresh)
///     }
/// }
/// configuration.interceptors = [RetryInterceptor(), authorization]
/// ```
///
/// However many requests are refused, with 401 unless told otherwise, there is one refresh; they wait for it
/// and are sent again, once each and whatever their method, as a server that refuses has not acted. The
/// new credential is kept even if all of them are cancelled meanwhile. Where the refresh fails, so do they, by
/// its error. What was sent before the refresh and refused after it is sent again without another one; what has
/// waited for a refresh and is refused with its credential takes the refusal for its answer; the first one of a
/// provider, which may have kept it for long, is replaced like any other.
///
/// Credentials go to their origins alone, which are the base URL's unless others are given, to no endpoint
/// whose ``Endpoint/needsAuthorization`` is false, and to no request that has such a field or item already.
/// Requests of the refresh's own, made by the closure itself or in tasks that it begins, go round it.
/// In a handler of a promise nobody can tell that they are: the endpoint says so by `needsAuthorization`, or
/// it waits until its timeout, as nobody waits for a refresh for longer than the request's, nor for longer than may
/// pass without anything moving (``Client/Configuration/idleTimeout``), which is what bounds downloads and streams.
///
/// It sees statuses whatever the validators of the client accept. Among the interceptors it belongs behind a
/// ``RetryInterceptor``: whatever is tried again is then given the credential of that moment, as long as nobody
/// has logged in or out meanwhile. A closure that holds a client which has the interceptor keeps both for good; hold another one, or this one weakly.
public final class AuthorizationInterceptor: Interceptor {
    private let state: Guarded<AuthorizationState>
    private let origins: Set<String>?
    /// The place of what was given as an origin and is none.
    private let unreadableOrigin: Int?
    private let statuses: StatusCodes
    private let refreshing: (@Sendable (Credential?) -> Promise<Credential>)?
    private let onChange: (@Sendable (Credential?) -> Void)?
    private let scheduler: Scheduler
    private let date: @Sendable () -> Date
    /// Those who keep what it has been given for.
    let keepers = Guarded(Keepers())
    /// Starts a stopwatch.
    private let stopwatch: @Sendable () -> Stopwatch
    private let limited:
        @Sendable (Promise<AuthorizationState.Pass>, Duration) -> Promise<AuthorizationState.Pass>

    init(
        _ state: AuthorizationState, origins: [String]?, statuses: StatusCodes,
        clock: some Clock<Duration>, date: @escaping @Sendable () -> Date,
        onChange: (@Sendable (Credential?) -> Void)?, on scheduler: Scheduler = .default,
        refreshing: (@Sendable (Credential?) -> Promise<Credential>)?
    ) {
        self.state = Guarded(state)
        self.origins = origins.map { Set($0.compactMap(Self.origin)) }
        unreadableOrigin = origins?.firstIndex { Self.origin(of: $0) == nil }
        self.statuses = statuses
        self.date = date
        self.onChange = onChange
        self.scheduler = scheduler
        self.refreshing = refreshing
        stopwatch = { Stopwatch(clock) }
        limited = { $0.timeout(after: $1, clock: clock) }
    }

    /// The credential that requests are given now; nil once logged out, and before a provider was asked.
    public var credential: Credential? { state.withLock(\.credential) }

    /// The names by which its credentials are known, those that it has no more included.
    var secretNames: Set<String> { state.withLock(\.names) }

    /// Gives requests another credential from now on, as of another person.
    ///
    /// Of the stores of clients that have it as an interceptor, goes what they could answer by without the server for
    /// requests with a credential, and the places and tokens of pulls, of all clients without a
    /// ``Client/Configuration/account``: also where those clients have gone, and from the store of one that is made later
    /// as long as the process lives. Objects stay, and so does all of that where nobody has been logged in, as at a
    /// launch, and in a store that a later process is the first to open: name the account, and log out by
    /// ``Client/logOut(keeping:)``, whose promise says when it is gone.
    ///
    /// What was sent with, or waits for, one of before is not sent again, but rejected with
    /// ``ClientError/Reason/loggedOut``, be it a refusal after which it would be or an interceptor before this one that
    /// tries again, and a refresh that is under way is cancelled. What was answered, and
    /// not refused, is the caller's all the same.
    public func logIn(_ credential: Credential) {
        start(credential)
    }

    /// Gives requests no credential from now on, until ``logIn(_:)``.
    ///
    /// The rest is as there, what stays in the store included: a refresh that has an answer later does not log in again.
    public func logOut() {
        start(nil)
    }

    private func start(_ credential: Credential?) {
        let change = beginChange(to: credential)
        change.release()
        change.tell()
    }

    /// Gives requests another credential, or none.
    ///
    /// - Parameter own: The responses of a client that sees to what it keeps.
    /// - Returns: What lets go of those who wait for a refresh, and what has `onChange` be told, which hears of no change
    ///   before that, nor before what else is kept of the session has gone; and what takes that a client's has gone.
    func beginChange(
        to credential: Credential?, besides own: KeptResponses? = nil
    ) -> (
        release: () -> Void, tell: @Sendable () -> Void,
        noteCleared: @Sendable (KeptResponses) -> Void
    ) {
        let isOfSomebody = state.withLock(\.isOfSomebody)
        // Before anybody asks by the next one, also of a client that is made meanwhile.
        let (endings, count) = keepers.withLock { keepers in
            // What could not go with a session before goes now.
            let ending = isOfSomebody ? keepers.endSession() : keepers.unfinished
            let begun = ending.compactMap { all -> (KeptResponses, [KeptResponses], Int)? in
                var others = all.filter { $0 !== own }
                guard let kept = others.popLast() else { return nil }
                return (kept, others, kept.beginEndingSession())
            }
            return (begun, keepers.endCount)
        }
        let release = state.withLock { state in
            state.beginHolding(1 + endings.count)
            return state.logIn(credential)
        }
        // Once that has gone: a process that ends before starts as the one whom it is of.
        let tell: @Sendable () -> Void = {
            self.state.withLock { $0.endHolding() }
            self.tellChanges()
        }
        for (kept, others, number) in endings {
            kept.endSession(
                number, of: others, cleared: { self.noteCleared(kept, of: count) }, finally: tell)
        }
        return (
            {
                release.dropped?.cancel()
                release.settle()
            }, tell, { self.noteCleared($0, of: count) }
        )
    }

    private static func origin(of text: String) -> String? {
        let text = text.contains("://") ? text : "https://" + text
        // A name in another script is written as it is for a base URL; a wildcard would be nobody's.
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        guard
            let reference = try? URLReference(
                isASCII ? text : URL(string: text)?.absoluteString ?? text),
            reference.authority?.contains("*") != true,
            (try? TransportRequest(
                head: HTTPRequest(
                    method: .get, scheme: reference.scheme, authority: reference.authority,
                    path: "/")
            ).validate()) != nil
        else { return nil }
        return reference.origin
    }

    // MARK: - Requests

    /// Sends the request with the credential that there is.
    public func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        guard endpoint.needsAuthorization else { return next(request) }
        if let unreadableOrigin {
            return .rejected(
                TransportError(
                    .invalidRequest,
                    "The credential's origins[\(unreadableOrigin)] is no origin, such as"
                        + " https://api.example.com."))
        }
        guard isCovered(request) else { return next(request) }
        let attempt = Attempt(request: request, stopwatch: stopwatch(), next: next)
        let now = date()
        let step = state.withLock { state -> AuthorizationState.Step? in
            let isPreceded =
                state.credential?.isPreceded(in: request)
                ?? request.head.headerFields.contains(.authorization)
            guard !isPreceded, !state.isRefreshing(oneOf: request.provenance.refreshes) else {
                return nil
            }
            let admissions = request.provenance.admissions
            guard state.covers(admissions, by: ObjectIdentifier(self)) else {
                return .fail(ClientError(.loggedOut))
            }
            return state.admit(at: now, canRefresh: refreshing != nil)
        }
        switch step {
        case .send(let pass)?: return send(attempt, pass, hasWaited: false)
        case .wait(let wait)?:
            return self.wait(wait, attempt).then(on: .immediate) {
                self.send(attempt, $0, hasWaited: true)
            }
        case .fail(let error)?: return .rejected(error)
        case .accept?, nil:
            var known = request
            known.secretNames.formUnion(secretNames)
            return next(known)
        }
    }

    /// Whether the session is going on, or none, that something was begun in.
    func covers(_ admissions: Admissions?) -> Bool {
        state.withLock { $0.covers(admissions, by: ObjectIdentifier(self)) }
    }

    /// Has what is begun now be of the session that is going on, if there is one.
    func admit(_ admissions: Admissions) {
        state.withLock { $0.admit(admissions, by: ObjectIdentifier(self)) }
    }

    private func isCovered(_ request: TransportRequest) -> Bool {
        guard let origin = try? URLReference(request.urlText).origin else { return false }
        return origins?.contains(origin) ?? (origin == request.provenance.origin)
    }

    private func send(
        _ attempt: Attempt, _ pass: AuthorizationState.Pass, hasWaited: Bool
    ) -> Promise<TransportResponse> {
        var request: TransportRequest
        do {
            request = try attempt.authorized(by: pass.credential)
        } catch {
            return .rejected(error)
        }
        if hasWaited { request.timeout = attempt.timeLeft }
        let sent = request
        guard let credential = pass.credential, refreshing != nil else { return attempt.next(sent) }
        let start = attempt.stopwatch.elapsed
        return ExchangeOutcome.of(attempt.next(sent))
            .then(on: .immediate) { outcome -> Promise<TransportResponse> in
                guard self.isRefused(outcome, credential, sent) else { return outcome.promise }
                let attempt = attempt.after(outcome, begun: start)
                return self.refused(outcome, attempt, pass, hasWaited: hasWaited)
            }
    }

    /// An error in an outcome's place, which says what came back.
    private func completing(_ error: any Error, by outcome: ExchangeOutcome) -> any Error {
        guard case .response(let response) = outcome, let error = error as? ClientError,
            error.url == nil
        else { return error }
        return error.completed(by: response)
    }

    /// Whether the server has refused this credential, in answer to a request that so did nothing else.
    private func isRefused(
        _ outcome: ExchangeOutcome, _ credential: Credential, _ request: TransportRequest
    ) -> Bool {
        let (status, sent): (HTTPResponse.Status?, SentRequest?)
        switch outcome {
        // One with a URL is of another request, which some interceptor has made.
        case .failure(let error as ClientError) where error.url == nil:
            (status, sent) = (error.status, error.sent)
        case .failure: return false
        case .response(let response): (status, sent) = (response.head.status, response.sent)
        }
        guard let status, statuses.contains(status.code) else { return false }
        guard let sent, !sent.redirects.isEmpty else { return true }
        let last = sent.request
        // A POST that has led to a GET may have been acted on.
        return isCovered(last) && credential.isBorne(by: last)
            && (request.isIdempotent || last.head.method == request.head.method)
    }

    private func refused(
        _ outcome: ExchangeOutcome, _ attempt: Attempt, _ pass: AuthorizationState.Pass,
        hasWaited: Bool
    ) -> Promise<TransportResponse> {
        switch state.withLock({ $0.refuse(pass, hasWaited: hasWaited) }) {
        case .send(let pass): return sendAgain(attempt, pass)
        case .wait(let wait):
            return self.wait(wait, attempt).then(on: .immediate) { self.sendAgain(attempt, $0) }
        case .fail(let error): return .rejected(completing(error, by: outcome))
        case .accept: return outcome.promise
        }
    }

    private func sendAgain(
        _ attempt: Attempt, _ pass: AuthorizationState.Pass
    ) -> Promise<TransportResponse> {
        do {
            var request = try attempt.authorized(by: pass.credential)
            request.timeout = attempt.timeLeft
            return attempt.next(request)
        } catch {
            return .rejected(error)
        }
    }

    // MARK: - Refreshes

    private func wait(
        _ wait: AuthorizationState.Wait, _ attempt: Attempt
    ) -> Promise<AuthorizationState.Pass> {
        wait.resolver.onCancel { [weak self] in self?.state.withLock { $0.forget(wait.id) } }
        if let refresh = wait.begun { begin(refresh, for: attempt.request) }
        return limited(wait.pass, attempt.patience).recover(only: PromiseError.self, on: .immediate)
        { error -> Promise<AuthorizationState.Pass> in
            guard case .timedOut = error else { return .rejected(error) }
            var late = TransportError(.timedOut, "The credential was not refreshed in time.")
            // Whoever has refused it has not acted on it either.
            late.isUnsent = true
            return .rejected(late)
        }
    }

    private func begin(_ refresh: AuthorizationState.Refresh, for request: TransportRequest) {
        let refreshes = request.provenance.refreshes.union([refresh.id])
        // On no thread of the transport's, and in nobody's transaction.
        let work = Promise.fulfilled(()).then(on: scheduler) {
            [refreshing] () -> Promise<Credential> in
            TransportRequest.Provenance.$refreshes.withValue(refreshes) {
                refreshing?(refresh.credential) ?? .rejected(PromiseError.abandoned)
            }
        }
        .handle { outcome in
            let result = outcome.mapError(Self.ofRefresh)
            let now = self.date()
            let release = self.state.withLock { $0.end(refresh.id, with: result, at: now) }
            if let release { self.finish(release) }
        }
        if !state.withLock({ $0.keep(work, of: refresh.id) }) { work.cancel() }
    }

    private func finish(_ release: AuthorizationState.Release) {
        // First of all, as what a server has replaced is worth nothing any more.
        tellChanges()
        release.settle()
    }

    /// Tells of changes in their order, whichever threads make them.
    private func tellChanges() {
        guard state.withLock({ $0.beginTelling() }) else { return }
        while let change = state.withLock({ $0.nextChange() }) { onChange?(change) }
    }
}
