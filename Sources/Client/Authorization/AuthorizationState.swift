import Foundation
import LarderPromises

/// The credential that requests are given, and those of them that wait for the next one.
///
/// A session lasts from one log-in to the next or to a log-out. What happens, in each phase:
///
/// | | loggedOut | unasked | loggedIn | refreshing |
/// |---|---|---|---|---|
/// | request | sent without | **refresh**, waits | sent; expired: **refresh**, waits | waits |
/// | request, begun or sent in another session | fails | fails | fails | fails |
/// | the refresh's own request | sent without | – | – | sent without |
/// | refused, another session | fails | fails | fails | fails |
/// | refused, older credential | – | – | sent again | waits |
/// | refused, before a failure | – | – | fails as that | waits |
/// | refused, otherwise | – | – | **refresh**, waits | waits |
/// | refresh gives a credential | dropped | – | – | loggedIn; waiters are sent |
/// | refresh fails | dropped | – | – | as before it; waiters fail |
/// | log-in | loggedIn | loggedIn | loggedIn | loggedIn; waiters fail |
/// | log-out | – | loggedOut | loggedOut | loggedOut; waiters fail |
///
/// There is one refresh at a time, as only a phase without one begins one.
struct AuthorizationState: Sendable {
    /// What a request is sent with, and what was known when it was.
    struct Pass: Sendable {
        let credential: Credential?
        fileprivate let session: Int
        fileprivate let serial: Int
        fileprivate let failures: Int
        /// Whether the credential is the first that was asked for, which may be an old one that was kept.
        fileprivate var isFirst = false
    }

    /// A refresh, and the credential that it replaces.
    struct Refresh: Sendable {
        let id = UUID()
        let credential: Credential?
    }

    /// A request's turn to wait.
    struct Wait: Sendable {
        let id: Int
        let pass: Promise<Pass>
        let resolver: Resolver<Pass>
        /// The refresh that is to begin now.
        var begun: Refresh?
    }

    /// What a request does next.
    enum Step: Sendable {
        case send(Pass)
        case wait(Wait)
        case fail(any Error)
        /// Takes the refusal for its answer.
        case accept
    }

    /// Requests that wait no longer, and how it ended.
    struct Release: Sendable {
        fileprivate(set) var resolvers: [Resolver<Pass>] = []
        fileprivate(set) var result: Result<Pass, any Error>
        /// The refresh that nobody is to wait for any more.
        fileprivate(set) var dropped: Promise<Void>?

        /// Tells those who have waited.
        func settle() {
            for resolver in resolvers { resolver.resolve(with: result) }
        }
    }

    private enum Phase: Sendable {
        case loggedOut
        case unasked
        case loggedIn(Credential)
        case refreshing(Refresh, Promise<Void>?)
    }

    private var phase: Phase {
        didSet { names.formUnion(credential?.names ?? []) }
    }
    /// The names of the fields and items of all credentials so far.
    private(set) var names: Set<String>
    private var session = 0
    /// The number of credentials so far.
    private var serial = 0
    private var failures = 0
    private var lastFailure: (any Error)?
    private var waiters: [Int: Resolver<Pass>] = [:]
    private var nextID = 0
    /// What nobody has been told yet.
    private var changes: [Credential?] = []
    /// The number of those by whom nobody is told of changes yet.
    private var holdCount = 0
    private var isTelling = false

    /// Creates the state of somebody with a credential, or without.
    init(_ credential: Credential?) {
        phase = credential.map { .loggedIn($0) } ?? .loggedOut
        names = Set(credential?.names ?? [])
    }

    /// Creates the state of somebody whose credential is to be asked for.
    static var unasked: AuthorizationState {
        var state = AuthorizationState(nil)
        state.phase = .unasked
        return state
    }

    /// The credential that there is, the one that is being replaced included.
    var credential: Credential? {
        switch phase {
        case .loggedOut, .unasked: nil
        case .loggedIn(let credential): credential
        case .refreshing(let refresh, _): refresh.credential
        }
    }

    /// Whether somebody is logged in, or may be.
    var isOfSomebody: Bool { if case .loggedOut = phase { false } else { true } }

    /// Whether there is a refresh, and it is one of these.
    func isRefreshing(oneOf ids: Set<UUID>) -> Bool {
        guard case .refreshing(let refresh, _) = phase else { return false }
        return ids.contains(refresh.id)
    }

    // MARK: - Requests

    /// Whether a request is none that a session before this one has given a credential, or was to give one.
    func covers(_ admissions: Admissions?, by giver: ObjectIdentifier) -> Bool {
        guard let admissions else { return true }
        if case .loggedOut = phase { return admissions.first(by: giver) ?? session == session }
        return admissions.first(by: giver, noting: session) == session
    }

    /// Has what is begun be of this session, unless nobody is logged in: whoever is next may have it then.
    func admit(_ admissions: Admissions, by giver: ObjectIdentifier) {
        if case .loggedOut = phase { return }
        _ = admissions.first(by: giver, noting: session)
    }

    /// Lets a request in.
    mutating func admit(at date: Date, canRefresh: Bool) -> Step {
        switch phase {
        case .loggedOut: .send(pass(with: nil))
        case .unasked: begin(nil)
        case .refreshing: .wait(wait())
        case .loggedIn(let credential):
            if canRefresh, let expires = credential.expires, expires <= date {
                begin(credential)
            } else {
                .send(pass(with: credential))
            }
        }
    }

    /// Takes the server's refusal of a request; one that has waited for a refresh begins no other.
    mutating func refuse(_ pass: Pass, hasWaited: Bool) -> Step {
        guard pass.session == session else { return .fail(ClientError(.loggedOut)) }
        switch phase {
        case .loggedOut, .unasked: return .accept
        case .refreshing: return .wait(wait())
        case .loggedIn(let credential):
            if pass.serial < serial { return .send(self.pass(with: credential)) }
            if hasWaited, !pass.isFirst { return .accept }
            if pass.failures < failures, let lastFailure { return .fail(lastFailure) }
            return begin(credential)
        }
    }

    /// Lets go of a request that waits no longer.
    mutating func forget(_ id: Int) {
        waiters[id] = nil
    }

    private func pass(with credential: Credential?) -> Pass {
        Pass(credential: credential, session: session, serial: serial, failures: failures)
    }

    private mutating func wait() -> Wait {
        let (promise, resolver) = Promise<Pass>.pending()
        nextID += 1
        waiters[nextID] = resolver
        return Wait(id: nextID, pass: promise, resolver: resolver)
    }

    private mutating func begin(_ credential: Credential?) -> Step {
        let refresh = Refresh(credential: credential)
        phase = .refreshing(refresh, nil)
        var wait = wait()
        wait.begun = refresh
        return .wait(wait)
    }

    // MARK: - Refreshes

    /// Keeps the work of a refresh; false where the refresh is none any more.
    mutating func keep(_ work: Promise<Void>, of id: UUID) -> Bool {
        guard case .refreshing(let refresh, _) = phase, refresh.id == id else { return false }
        phase = .refreshing(refresh, work)
        return true
    }

    /// Takes what a refresh has come to; nil where the refresh is none any more.
    mutating func end(
        _ id: UUID, with result: Result<Credential, any Error>, at date: Date
    ) -> Release? {
        guard case .refreshing(let refresh, _) = phase, refresh.id == id else { return nil }
        switch result {
        case .success(var credential):
            changes.append(credential)
            // By another clock than this one, which would have each request refresh it.
            if let expires = credential.expires, expires <= date { credential.expires = nil }
            phase = .loggedIn(credential)
            serial += 1
            var pass = pass(with: credential)
            pass.isFirst = refresh.credential == nil
            return release(.success(pass))
        case .failure(let error):
            phase = refresh.credential.map { .loggedIn($0) } ?? .unasked
            failures += 1
            lastFailure = error
            return release(.failure(error))
        }
    }

    /// Begins a session, or ends one where there is no credential.
    mutating func logIn(_ credential: Credential?) -> Release {
        var dropped: Promise<Void>?
        if case .refreshing(_, let work) = phase { dropped = work }
        if case .loggedOut = phase, credential == nil {} else { changes.append(credential) }
        phase = credential.map { .loggedIn($0) } ?? .loggedOut
        session += 1
        serial += 1
        var release = release(.failure(ClientError(.loggedOut)))
        release.dropped = dropped
        return release
    }

    private mutating func release(_ result: Result<Pass, any Error>) -> Release {
        defer { waiters = [:] }
        return Release(
            resolvers: waiters.sorted { $0.key < $1.key }.map(\.value), result: result)
    }

    // MARK: - Changes

    /// Begins to tell of changes; false where somebody else does, who will tell of all.
    mutating func beginTelling() -> Bool {
        defer { isTelling = true }
        return !isTelling
    }

    /// Has nobody be told of changes, until ``endHolding()`` has been called as often.
    mutating func beginHolding(_ count: Int) { holdCount += count }

    mutating func endHolding() { holdCount -= 1 }

    /// Takes the next change to tell of; nil, and nobody tells any more, where there is none, or none to tell of yet.
    mutating func nextChange() -> Credential?? {
        guard !changes.isEmpty, holdCount == 0 else {
            isTelling = false
            return .none
        }
        return .some(changes.removeFirst())
    }
}
