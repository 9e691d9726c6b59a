import LarderPromises
import Synchronization

/// Plays a program with promises, and writes down what is seen.
final class OraclePromises: Sendable {
    private struct Board: Sendable {
        var promises: [Int: Promise<Int>] = [:]
        var resolvers: [Int: Resolver<Int>] = [:]
        var findings = OracleFindings()
    }

    struct Failure: Error {
        let text: String
    }

    private let board = Mutex(Board())
    private let manual = ManualScheduler()
    private let standard: Scheduler
    private let clock = ManualClock()
    private let executor = OracleExecutor()
    /// Whether what runs on `standard` is isolated to the main actor, where an operator knows of it.
    private let isOnMainActor: Bool

    init(standard: Scheduler = .default, isOnMainActor: Bool = false) {
        self.standard = standard
        self.isOnMainActor = isOnMainActor
    }

    /// Plays the actions of a program on the calling thread, or, for one whose handlers have a
    /// thread of their own, on that of `scheduler`.
    static func findings(
        of program: OracleProgram, on standard: Scheduler = .default,
        isOnMainActor: Bool = false
    ) async -> OracleFindings {
        let promises = OraclePromises(standard: standard, isOnMainActor: isOnMainActor)
        for action in program.actions {
            guard program.usesStandard else {
                promises.perform(action)
                continue
            }
            // There, so that its handlers come after and not beside the action.
            let performed = Promise.fulfilled().then(on: standard) { promises.perform(action) }
            _ = await performed.result
            await drained(standard)
            // Tasks that have been woken by handlers on the scheduler.
            while case .success(true) = await Promise.fulfilled().then(
                on: standard, { promises.executor.run() }
            ).result {
                await drained(standard)
            }
        }
        return promises.close()
    }

    #if DEBUG
    /// Plays a program whose threads `relay` runs.
    static func findings(of program: OracleProgram, _ relay: Relay) -> OracleFindings {
        weak var left: OraclePromises?
        var findings = play(program, relay) { left = $0 }
        findings.leaks = left != nil
        return findings
    }

    private static func play(
        _ program: OracleProgram, _ relay: Relay, _ watch: (OraclePromises) -> Void
    ) -> OracleFindings {
        let promises = OraclePromises()
        watch(promises)
        for action in program.actions { promises.perform(action) }
        relay.run(
            program.threads.map { actions in
                { for action in actions { promises.perform(action) } }
            })
        for action in program.ending { promises.perform(action) }
        return promises.close()
    }
    #endif

    /// Reads the outcomes, and lets go of everything.
    private func close() -> OracleFindings {
        var last = board.withLock { board in
            let last = board
            board.promises = [:]
            board.resolvers = [:]
            return last
        }
        for (id, promise) in last.promises where !promise.isPending {
            last.findings.outcomes[id] = Self.outcome(of: promise)
        }
        let findings = last.findings
        executor.whileActing { last = Board() }
        // They hold what has not run, and that holds them.
        for _ in 0..<4 {
            executor.whileActing {
                manual.discard()
                clock.advance(by: .seconds(1_000))
            }
        }
        return findings
    }

    /// The outcome of a promise that has one.
    private static func outcome(of promise: Promise<Int>) -> OracleFindings.Outcome? {
        if promise.isCancelled { return .cancelled }
        let heard = Mutex<OracleFindings.Outcome?>(nil)
        promise.tap(on: .immediate) { result in heard.withLock { $0 = outcome(of: result) } }
        return heard.withLock { $0 }
    }

    private static func outcome(of result: Result<Int, any Error>) -> OracleFindings.Outcome {
        switch result {
        case .success(let value): .value(value)
        case .failure(let error): .error(text(of: error))
        }
    }

    private static func text(of error: any Error) -> String {
        switch error {
        case let failure as Failure: failure.text
        case is CancellationError: "cancelled"
        case PromiseError.abandoned: "abandoned"
        case PromiseError.noPromises: "no promises"
        case PromiseError.invalid: "invalid"
        case PromiseError.timedOut: "timed out"
        case let none as NoneFulfilled: "none: \(none.errors.map(text(of:)))"
        default: "\(error)"
        }
    }

    private func perform(_ action: OracleProgram.Action) {
        executor.whileActing { act(action) }
    }

    private func act(_ action: OracleProgram.Action) {
        switch action {
        case .make(let id, let operation):
            let promise = make(id, operation)
            board.withLock { $0.promises[id] = promise }
        case .fulfill(let id): fulfill(id)
        case .reject(let id): resolver(id)?.reject(Failure(text: "source \(id)"))
        case .abandon(let id):
            let resolver = board.withLock { $0.resolvers.removeValue(forKey: id) }
            withExtendedLifetime(resolver) {}
        case .cancel(let id): self[id].cancel()
        case .run: manual.run()
        case .discard: manual.discard()
        case .advance(let seconds): clock.advance(by: .seconds(seconds))
        }
    }

    private func resolver(_ id: Int) -> Resolver<Int>? { board.withLock { $0.resolvers[id] } }

    subscript(id: Int) -> Promise<Int> {
        board.withLock { $0.promises[id] } ?? .rejected(PromiseError.noOutcome)
    }

    func note(_ id: Int, attempt: Int = 0, _ input: Result<Int, any Error>? = nil) {
        let call = OracleFindings.Call(
            id: id, attempt: attempt, input: input.map(Self.outcome(of:)))
        board.withLock { $0.findings.calls[call, default: 0] += 1 }
    }

    /// Fulfills a source, as those do who leave its handlers to themselves where its number is odd.
    private func fulfill(_ id: Int) {
        guard let resolver = resolver(id) else { return }
        guard !id.isMultiple(of: 2) else { return resolver.fulfill(100 + id) }
        var handlers = ReadyHandlers()
        resolver.fulfill(100 + id, leaving: &handlers)
        handlers.run()
    }

    private func scheduler(_ place: OracleProgram.Place) -> Scheduler {
        switch place {
        case .immediate: .immediate
        case .manual: manual.scheduler
        case .standard: standard
        }
    }

    func value(_ reply: OracleProgram.Reply, _ id: Int) throws -> Int {
        if case .failure = reply { throw Failure(text: "handler \(id)") }
        return id
    }

    private func make(_ id: Int, _ operation: OracleProgram.Operation) -> Promise<Int> {
        if isOnMainActor, operation.place == .standard,
            let promise = makeOnMainActor(id, operation)
        {
            return promise
        }
        let scheduler = operation.place.map(scheduler) ?? .immediate
        switch operation {
        case .source:
            let (promise, resolver) = Promise<Int>.pending()
            resolver.onCancel { [weak self] in
                self?.board.withLock { $0.findings.stopped[id, default: 0] += 1 }
            }
            board.withLock { $0.resolvers[id] = resolver }
            return promise
        case .then(let parent, _, .promise(let inner)):
            return self[parent].then(on: scheduler) { value -> Promise<Int> in
                self.note(id, .success(value))
                return self[inner]
            }
        case .then(let parent, _, let reply):
            return self[parent].then(on: scheduler) { value -> Int in
                self.note(id, .success(value))
                return try self.value(reply, id)
            }
        case .recover(let parent, _, let everything, let reply):
            let policy: CatchPolicy = everything ? .allErrors : .allErrorsExceptCancellation
            return self[parent].recover(policy: policy, on: scheduler) { error -> Promise<Int> in
                self.note(id, .failure(error))
                if error is CancellationError { return .fulfilled(id) }
                if case .promise(let inner) = reply { return self[inner] }
                return .fulfilled(try self.value(reply, id))
            }
        case .catch(let parent, _, let everything, let fails):
            let policy: CatchPolicy = everything ? .allErrors : .allErrorsExceptCancellation
            return self[parent].catch(policy: policy, on: scheduler) { error in
                self.note(id, .failure(error))
                if fails { throw Failure(text: "handler \(id)") }
            }
        case .finally(let parent, _, .promise(let inner)):
            return self[parent].finally(on: scheduler) { () -> Promise<Int> in
                self.note(id)
                return self[inner]
            }
        case .finally(let parent, _, let reply):
            return self[parent].finally(on: scheduler) { () -> Void in
                self.note(id)
                _ = try self.value(reply, id)
            }
        case .tap(let parent, _):
            return self[parent].tap(on: scheduler) { self.note(id, $0) }
        case .validate(let parent, _, let passes):
            return self[parent].validate(on: scheduler) { value in
                self.note(id, .success(value))
                return passes
            }
        case .gather(let gather, let ids): return make(gather, ids.map { self[$0] })
        case .shielded(let parent): return self[parent].shielded()
        case .branch(let parent): return self[parent].branch()
        case .retry(_, let replies, let pause):
            return Promise.retry(
                attempts: replies.count, backoff: .constant(.seconds(pause)), clock: clock,
                on: scheduler
            ) { try self.attempt($0, of: replies, id) }
        case .timeout(let parent, let seconds):
            return self[parent].timeout(after: .seconds(seconds), clock: clock)
        case .delay(let parent, let seconds):
            return self[parent].delay(by: .seconds(seconds), clock: clock)
        case .limited(_, let limit, let replies):
            let all = Promise.map(1...replies.count, limit: limit, on: scheduler) {
                try self.attempt($0, of: replies, id)
            }
            return all.then(on: .immediate) { $0.reduce(0, +) }
        case .reduce(_, let replies):
            return Promise.reduce(1...replies.count, from: 0, on: scheduler) { value, number in
                try self.attempt(number, of: replies, id, .success(value))
            }
        case .asVoid(let parent):
            return self[parent].asVoid().then(on: .immediate) { () -> Int in id }
        case .mapElements(let parent, _, let passes):
            let lists = self[parent].then(on: .immediate) { value -> [Int] in [value] }
            let mapped = lists.mapElements(on: scheduler) { value -> Int in
                self.note(id, .success(value))
                return try self.value(passes ? .value : .failure, id)
            }
            return mapped.then(on: .immediate) { values -> Int in values[0] }
        case .firstly(let reply):
            return firstly { try attempt(1, of: [reply], id) }
        case .task(let parent):
            let promise = self[parent]
            #if DEBUG
            return Promise { try await promise.value }
            #else
            return promise
            #endif
        }
    }

    private func attempt(
        _ number: Int, of replies: [OracleProgram.Reply], _ id: Int,
        _ input: Result<Int, any Error>? = nil
    ) throws -> Promise<Int> {
        note(id, attempt: number, input)
        let reply = replies[number - 1]
        if case .promise(let inner) = reply { return self[inner] }
        return .fulfilled(try value(reply, id))
    }

    private func make(_ gather: OracleProgram.Gather, _ members: [Promise<Int>]) -> Promise<Int> {
        switch gather {
        case .race: Promise.race(members)
        case .any: Promise.any(members)
        case .all: Promise.all(members).then(on: .immediate) { $0.reduce(0, +) }
        case .allSettled:
            Promise.allSettled(members).then(on: .immediate) { results -> Int in
                let values = results.compactMap { try? $0.get() }
                return values.reduce(0, +) + 10_000 * (results.count - values.count)
            }
        }
    }
}
