import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Random programs in which people log in and out by an interceptor: what has come by one's
/// credential answers nobody else, and answers that one for as long as the session is going on.
///
/// Rules that are written a second time say what may be kept of each request and each pull. There
/// is one possibility of it, but while that of a session before is being removed: until then nobody
/// may be answered by anything, and what comes meanwhile stays. What has come without a credential
/// is everybody's.
@Suite struct SessionLawTests {
    @Test(arguments: 0..<300)
    func `what is kept is of whoever is logged in, whatever has happened`(_ seed: UInt64)
        async throws
    {
        var random = SplitMix(seed: seed)
        let world = try SessionWorld(
            of: SessionStep.person(&random), isEndpoints: Int.random(in: 0..<4, using: &random) == 0
        )
        var program: [SessionStep] = []
        while program.count < 30 { program += SessionStep.random(&random) }
        for (index, step) in program.enumerated() {
            guard let complaint = try await world.take(step) else { continue }
            let steps = program[...index].map { "    \($0)" }.joined(separator: "\n")
            Issue.record("seed \(seed): \(complaint)\n\(world.setting)\n\(steps)")
            return
        }
    }
}

/// Clients of a store, and what they may have kept by the rules.
private final class SessionWorld {
    private enum Answer: Hashable {
        case server(String)
        case store(String)
        case failure(String)
    }

    private struct Key: Hashable {
        let path: String
        let account: String?

        /// Whether a response goes with the session that it has come in.
        var isOfSession: Bool { account == nil && path != "shared" }
    }

    private let server = SessionServer()
    private var authorization: AuthorizationInterceptor
    private let store: Store
    /// Whether the interceptor is the endpoints', rather than the clients'.
    private let isEndpoints: Bool
    private var clients: [Client] = []
    /// Whether the interceptor knows the store; those of endpoints do from the first request on.
    private var isKnown: Bool
    private var callCount = 0
    private var person: String?
    /// Whether what is kept of a session before may be under way to its end.
    private var isEnding = false
    /// Whose responses may be kept, and what may be known of pulls; nothing where nothing is said.
    private var kept: [Key: Set<String?>] = [:]
    private var pulls: [Key: Set<SessionPull>] = [:]

    /// What the program begins with.
    let setting: String

    init(of person: String?, isEndpoints: Bool) throws {
        (self.person, self.isEndpoints, isKnown) = (person, isEndpoints, !isEndpoints)
        authorization = AuthorizationInterceptor(person.map { Credential.bearer($0) })
        store = try TestClient.store()
        setting = "\(person ?? SessionServer.nobody) first" + (isEndpoints ? ", by endpoints" : "")
        try addClient()
    }

    /// Takes a step; what breaks a law by it.
    func take(_ step: SessionStep) async throws -> String? {
        switch step {
        case .ask(let target, let policy): return try await ask(target, policy)
        case .pull(let target): return try await pull(target)
        case .look(let target): return try await look(target)
        case .change(let next): change(to: next)
        case .late(let isPull, let next): return try await late(isPull: isPull, to: next)
        case .wait: try await wait()
        case .away(let isAway): server.isAway = isAway
        case .cut(let isCut): server.isCut = isCut
        case .another: try addClient()
        case .dismissal: clients = []
        case .restart:
            clients = []
            authorization = AuthorizationInterceptor(person.map { Credential.bearer($0) })
            isKnown = !isEndpoints
        }
        return nil
    }

    // MARK: Calls

    private func addClient() throws {
        let interceptors: [any Interceptor] = isEndpoints ? [] : [authorization]
        let transport = StubTransport { [server] request in try await server.answer(request) }
        let setting = try FetchSetting(in: store, over: transport) {
            $0.interceptors = interceptors
        }
        clients.append(setting.client)
    }

    private func client(for target: SessionTarget) throws -> Client {
        callCount += 1
        if clients.isEmpty { try addClient() }
        let account = target.isNamed ? person : nil
        return clients[callCount % clients.count].configured { $0.account = account }
    }

    private func endpoint(_ target: SessionTarget, isPaged: Bool = false) -> AdHocEndpoint {
        let path: URLPath = isPaged ? "pages/\(target.path)" : "\(target.path)"
        var endpoint = AdHocEndpoint.get(path)
        endpoint.needsAuthorization = target.needsAuthorization
        if isEndpoints { endpoint.interceptors = [authorization] }
        return endpoint
    }

    private func response(
        _ target: SessionTarget, _ policy: FetchPolicy
    ) throws -> Promise<Response<[User]>> {
        isKnown = isKnown || key(target).isOfSession
        return try client(for: target).fetching(policy)
            .enqueue(endpoint(target), as: Response<[User]>.self)
    }

    private func report(_ target: SessionTarget) throws -> Promise<PullReport> {
        isKnown = true
        let checkpoint = PullCheckpoint<SessionPage>.named(target.path)
            .token(query: "since") { $0.value.token }
        return try client(for: target).pull(
            endpoint(target, isPaged: true), as: SessionPage.self,
            by: .cursor(query: "after") { $0.next }, from: checkpoint)
    }

    private static func answer(of promise: Promise<Response<[User]>>) async -> Answer {
        do {
            let response = try await promise.value
            let owner = response.value.map(\.login).joined(separator: " and ")
            return response.source == .store ? .store(owner) : .server(owner)
        } catch {
            return .failure(HistoryFailure.name(of: error))
        }
    }

    // MARK: The rules

    private func key(_ target: SessionTarget) -> Key {
        Key(path: target.path, account: target.isNamed ? person : nil)
    }

    /// Whose the server's answer is.
    private func owner(of target: SessionTarget) -> String {
        target.needsAuthorization ? person ?? SessionServer.nobody : SessionServer.nobody
    }

    private func mayBeKept(_ key: Key) -> Set<String?> {
        var kept = kept[key] ?? [nil]
        if key.isOfSession, isEnding { kept.insert(nil) }
        return kept
    }

    private func rule(
        of target: SessionTarget, _ policy: FetchPolicy, keeping kept: String?
    ) -> Answer {
        let isStoresFirst = policy != .networkOnly && policy != .networkFirst()
        if let kept, isStoresFirst { return .store(kept) }
        if policy == .storeOnly { return .failure(ClientError.Reason.notCached.description) }
        if !server.isAway { return .server(owner(of: target)) }
        if let kept, policy != .networkOnly { return .store(kept) }
        return .failure(ClientError.Reason.transport.description)
    }

    private func ask(
        _ target: SessionTarget, _ policy: FetchPolicy
    ) async throws -> String? {
        let key = key(target)
        let due = Set(mayBeKept(key).map { rule(of: target, policy, keeping: $0) })
        let answer = await Self.answer(of: try response(target, policy))
        if let complaint = complaint(server.takeQuestions(), of: owner(of: target)) {
            return complaint
        }
        guard due.contains(answer) else { return "it is \(answer), and none of \(due)" }
        if case .server(let owner) = answer {
            kept[key] = [owner]
        }
        return nil
    }

    private func look(_ target: SessionTarget) async throws -> String? {
        let freshness = try await client(for: target).freshness(of: endpoint(target)).value
        let (isKnown, due) = (freshness != nil, mayBeKept(key(target)))
        return due.contains { ($0 != nil) == isKnown }
            ? nil : "it is \(isKnown ? "" : "not ")known, by \(due)"
    }

    private func pull(_ target: SessionTarget) async throws -> String? {
        let (key, owner) = (key(target), owner(of: target))
        var gone: Set<SessionPull> = []
        if key.account == nil, isEnding { gone.insert(SessionPull()) }
        let due = (pulls[key] ?? [SessionPull()]).union(gone)
            .map { $0.next(of: owner, isAway: server.isAway, isCut: server.isCut) }
        let promise = try report(target)
        let isDone = (try? await promise.value) != nil
        let questions = server.takeQuestions()
        if let complaint = complaint(questions, of: owner) { return complaint }
        let ends = due.filter { $0.questions == questions && $0.isDone == isDone }.map { $0.end }
        if ends.isEmpty { return "it asks \(questions), done \(isDone), and none of \(due)" }
        pulls[key] = Set(ends)
        return nil
    }

    private func complaint(_ questions: [SessionQuestion], of owner: String) -> String? {
        questions.first { $0.isForeign || $0.owner != owner }.map { "\($0) is not \(owner)'s" }
    }

    // MARK: Sessions

    private func change(to next: String?) {
        if person != nil {
            kept = kept.filter { !$0.key.isOfSession }
            pulls = pulls.filter { $0.key.account != nil }
            isEnding = true
        }
        person = next
        if let next { authorization.logIn(.bearer(next)) } else { authorization.logOut() }
    }

    private func wait() async throws {
        if clients.isEmpty { try addClient() }
        for client in clients {
            while client.kept.isClearing(ofSession: true) { await Task.yield() }
        }
        // What is there of a session before goes once it is known.
        if isKnown { isEnding = false }
    }

    /// What comes late is whose it was to be, and nothing of it is kept.
    private func late(isPull: Bool, to next: String?) async throws -> String? {
        // What is asked for by nobody is that of whoever is next, too.
        guard person != nil else {
            change(to: next)
            return nil
        }
        let target = SessionTarget.own
        let (old, before) = (owner(of: target), mayBeKept(key(target)))
        let held = server.hold()
        let pull = isPull ? try report(target) : nil
        let promise = isPull ? nil : try response(target, .networkOnly)
        try await held.isHere.wait()
        change(to: next)
        held.isFree.open()
        _ = try? await pull?.value
        if let promise {
            let answer = await Self.answer(of: promise)
            var due: Set<Answer> = [.server(old)]
            if server.isAway { due = [.failure(ClientError.Reason.transport.description)] }
            // What is kept is still good by the server's word, and gone by then; nobody asks again.
            if !server.isAway, before.contains(where: { $0 != nil }) {
                due.insert(.failure(ClientError.Reason.loggedOut.description))
            }
            guard due.contains(answer) else { return "late, it is \(answer), and none of \(due)" }
        }
        return complaint(server.takeQuestions(), of: old)
    }
}
