import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

@testable import LarderClient

/// What breaks a law.
struct HistoryViolation: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// What came of a history.
struct HistoryResult: Sendable {
    /// What happened, line by line.
    var trace: [String] = []
    /// The step at which a law was broken, and how.
    var violation: (step: Int, what: String)?
    /// How often something has happened, by which it is seen that the laws were asked.
    var tally: [String: Int] = [:]
}

/// Plays a program with a client, and holds what it does against the rules.
final class HistoryRun<Object: HistoryObject> {
    let program: HistoryProgram
    let network: HistoryNetwork
    let clock = WallClock()
    let timer = ManualClock()
    let cache: ResponseCache?
    private let file: TemporaryFile?
    private(set) var store: Store
    /// What gives up each call.
    private var cancels: [Int: @Sendable () -> Void] = [:]
    var client: Client
    var ledger = HistoryLedger()
    var calls: [Int: HistoryCall] = [:]
    private var lastCall = 0
    /// What the last walk that came to its end has found.
    var lastVanished = PullReport.Vanished.notAsked
    var lastRows: [Int: HistoryRow] = [:]
    private(set) var account = HistoryServer.names[0]
    private(set) var session = 0
    private(set) var step = 0
    private(set) var result = HistoryResult()

    private init(_ program: HistoryProgram, _ network: HistoryNetwork) throws {
        (self.program, self.network) = (program, network)
        file = program.isFile ? try TemporaryFile(named: "place", Data()) : nil
        store = try Self.open(file)
        cache =
            program.hasCache
            ? ResponseCache(in: nil, now: { [clock] in clock.now }) : nil
        client = Client(baseURL: "http://test.invalid/", store: store)
        client = makeClient()
        watch()
    }

    /// Plays a program.
    static func play(_ program: HistoryProgram, over network: HistoryNetwork) async -> HistoryResult
    {
        let run: HistoryRun
        do {
            run = try HistoryRun(program, network)
        } catch {
            return HistoryResult(violation: (0, "\(error)"))
        }
        do {
            while run.step < program.steps.count {
                try await run.take(program.steps[run.step])
                run.step += 1
            }
            try await run.finish()
        } catch {
            run.result.violation = (run.step, "\(error)")
        }
        return run.result
    }

    // MARK: The client

    private static func open(_ file: TemporaryFile?) throws -> Store {
        var configuration = Store.Configuration()
        configuration.evictions = [Object.eviction]
        guard let file else {
            return try Store.inMemory(entities: Object.self, configuration: configuration)
        }
        let url = file.url.deletingLastPathComponent().appending(path: "store.sqlite")
        return try Store(at: url.path, entities: Object.self, configuration: configuration)
    }

    private func makeClient() -> Client {
        var configuration = Client.Configuration(transport: network, timeout: .seconds(600))
        if cache != nil { configuration.interceptors = [HistoryWitness(network: network)] }
        configuration.fetchPolicy = .networkFirst()
        configuration.now = { [clock] in clock.now }
        configuration.importClock = timer
        configuration.cache = cache
        logIn(&configuration)
        return Client(
            baseURL: "http://test.invalid/", store: store, configuration: configuration)
    }

    private func logIn(_ configuration: inout Client.Configuration) {
        configuration.account = account
        configuration.headerFields[.authorization] = account
    }

    /// Tells the network how many requests are in flight.
    private func watch() {
        Task { [network, counts = client.requestCounts()] in
            for await count in counts { network.note(requestCount: count) }
        }
    }

    // MARK: Steps

    func note(_ line: @autoclosure () -> String) { result.trace.append(line()) }

    func count(_ what: String) { result.tally[what, default: 0] += 1 }

    private func take(_ step: HistoryStep) async throws {
        note("\(self.step) \(step)")
        clock.pass(1)
        network.pass(1)
        switch step {
        case .load(let target, let policy, let asking, let isWhole, let fate):
            load(target, policy, asking, isWhole: isWhole, fate)
        case .walk(let walk): self.walk(walk)
        case .patch(let number, let fate): patch(number, fate)
        case .remove(let number, let fate): remove(number, fate)
        case .edit(let edits): network.change { server in edits.forEach { server.edit($0) } }
        case .network(let isUp): network.setUp(isUp)
        case .release(let index): return try await release(index)
        case .cancel(let index): return try await cancel(index)
        case .passDeadline: return try await passDeadline()
        case .jump(let seconds): clock.pass(seconds)
        case .pass(let seconds):
            clock.pass(seconds)
            network.pass(seconds)
        case .invalidate(let scope): try await invalidate(scope)
        case .flush:
            if let cache { try await cache.flush().value }
        case .evict(let stamp):
            try store.evict(at: Date(timeIntervalSince1970: Double(stamp)))
            ledger.evict(before: stamp)
            ledger.isClean = false
        case .deleteAll:
            try store.deleteAll()
            ledger.removeAll()
            ledger.isClean = false
        case .logOut: return try await logOut()
        case .reopen: return try await reopen()
        case .expireTokens: network.change { $0.expireTokens() }
        case .forgetPlaces: network.change { $0.forgetPlaces() }
        }
        try await settle()
    }

    /// Waits until nothing goes on but what is held, and holds what has come against the rules.
    func settle(_ wait: HistoryNetwork.Wait = .init()) async throws {
        guard await network.idle(wait) else { throw HistoryViolation(network.complaint) }
        try process()
        try checkRows()
    }

    func release(_ index: Int) async throws {
        let held = network.held
        guard !held.isEmpty else { return }
        let (exchange, number) = held[index % held.count]
        var wait = HistoryNetwork.Wait()
        // What was answered by the store, after its deadline, is stored all the same.
        let isStoredForNobody = !network.isOpen(number) && calls[number]?.isCancelled == false
        if isStoredForNobody { wait.requestLimit = network.requestCount - 1 }
        network.release(exchange)
        try await settle(wait)
    }

    private func cancel(_ index: Int) async throws {
        let open = Set(network.held.map { $0.call }).filter(network.isOpen).sorted()
        guard !open.isEmpty else { return }
        let number = open[index % open.count]
        calls[number]?.isCancelled = true
        cancels[number]?()
        try await settle(.init(calls: [number], cancelled: [number]))
    }

    private func passDeadline() async throws {
        let due = network.held.map { $0.call }.filter { number in
            network.isOpen(number) && calls[number]?.policy == .networkFirstWithin
        }
        // Nobody hears of it where the store can't answer.
        let targets = due.compactMap { calls[$0]?.target }
        guard !due.isEmpty, targets.allSatisfy(ledger.canAnswer) else { return }
        for number in due {
            guard let target = calls[number]?.target else { continue }
            calls[number]?.expectation = storeAnswer(to: target)
        }
        // Whoever waits for the deadline may not have begun yet.
        while due.contains(where: network.isOpen), !network.hasGivenUp {
            timer.advance(by: .seconds(4))
            await Task.yield()
        }
        try await settle(.init(calls: Set(due)))
    }

    private func invalidate(_ scope: HistoryStep.Scope) async throws {
        ledger.invalidate(scope)
        switch scope {
        case .type: try await client.invalidate(AdHocEndpoint.self).value
        case .tag: try await client.invalidate(tag: Self.tag).value
        case .target(let target):
            try await client.invalidate(endpoint(of: target, as: 0)).value
        }
    }

    /// Ends the session, and begins one of the other account.
    private func logOut() async throws {
        let open = network.held.map { $0.call }.filter(network.isOpen)
        for number in open { calls[number]?.isCancelled = true }
        let promise = client.logOut()
        session += 1
        ledger.logOut()
        try await promise.value
        try await settle(.init(calls: Set(open), cancelled: Set(open)))
        account = HistoryServer.names[session % HistoryServer.names.count]
        client = client.configured { logIn(&$0) }
    }

    /// Begins anew with the file that there is, as after the end of the process.
    private func reopen() async throws {
        guard file != nil else { return }
        let open = network.held.map { $0.call }.filter(network.isOpen)
        for number in open {
            calls[number]?.isCancelled = true
            cancels[number]?()
        }
        try await settle(.init(calls: Set(open), cancelled: Set(open)))
        network.dropHeld()
        try await settle()
        try store.close()
        store = try Self.open(file)
        client = makeClient()
        watch()
    }

    // MARK: Calls

    static var tag: String { "folder" }

    /// Begins a call.
    ///
    /// - Parameters:
    ///   - read: Reads the value once nothing goes on.
    ///   - send: Enqueues it.
    func begin<Value: Sendable>(
        _ kind: HistoryCall.Kind, _ plan: HistoryNetwork.Plan,
        _ change: (inout HistoryCall) -> Void = { _ in },
        reading read: @escaping @Sendable (Value) throws -> HistoryOutcome,
        sending send: (_ number: Int) -> Promise<Value>
    ) {
        lastCall += 1
        let number = lastCall
        var call = HistoryCall(
            number: number, kind: kind, session: session, turn: ledger.turn, step: step)
        call.tick = network.server.tick
        change(&call)
        calls[number] = call
        network.begin(number, plan)
        let promise = send(number)
        cancels[number] = { promise.cancel() }
        _ = promise.handle { [network] result in
            network.end(
                number, result.map { value -> HistoryNetwork.Reading in { try read(value) } })
        }
    }
}
