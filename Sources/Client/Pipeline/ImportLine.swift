import Dispatch
import LarderObjectStore
import LarderPromises

/// A response that is to be stored.
protocol ImportJob: Sendable {
    /// The size of its content in bytes.
    var size: Int { get }

    /// Whether it shares no transaction, as what it does in one must not be done again in another.
    var needsOwnTransaction: Bool { get }

    /// What the app has given it, whose `deinit` may wait for the handlers that it makes ready.
    var keepsake: any Sendable { get }

    /// Called when its turn begins, once or with another transaction again.
    func beginTurn()

    /// Called when the transaction has ended that it shares, before anybody is told.
    func endTurn()

    /// Takes what gives it up while it waits for its turn.
    func onCancel(_ giveUp: @escaping @Sendable () -> Void)

    /// Stores it in a transaction of its own.
    ///
    /// - Parameters:
    ///   - isCommitted: Whether it has passed its point of no return in one that failed.
    ///   - handlers: Takes those of the app's that it makes ready.
    func store(isCommitted: Bool, leaving handlers: inout ReadyHandlers)

    /// Stores it in a transaction that others share.
    func store(in transaction: SharedTransaction) -> SharedImport
}

/// A response that was stored in a transaction which others share, or could not be.
struct SharedImport {
    /// Whether it has passed its point of no return.
    let isCommitted: Bool
    /// Tells of it, which has to wait for the end of the transaction, and leaves the app's handlers.
    let tell: (_ handlers: inout ReadyHandlers) -> Void
}

/// The responses that wait to be stored, one after the other, in the order in which they came.
///
/// Small ones that have come while another was being stored share a transaction, as to begin one and to commit
/// it costs more than to store some of them; but for those that need their own. The first is committed with
/// the last, so that there are bounds on their number and size.
///
/// One thread at a time stores. Once it finds nothing more, it runs the handlers it has made ready; whatever
/// comes then is another thread's, so that handlers may take their time.
final class ImportLine: Sendable {
    /// The most bytes of content that responses have which share a transaction, all together.
    static let maximumSharedSize = 1 << 16
    /// The most responses that share a transaction.
    static let maximumShares = 16

    /// A place that is kept for a response while it is read; let go, it is given up.
    final class Place: Sendable {
        private let line: ImportLine
        private let number: Int

        fileprivate init(_ number: Int, in line: ImportLine) {
            (self.line, self.number) = (line, number)
        }

        deinit { leave() }

        /// Stores the response once all that came before it are.
        func fill(with job: some ImportJob) {
            line.change { $0.fill(number, with: job) }
        }

        /// Runs a body, which may write, once all that came before is stored, and before anything that comes later
        /// is.
        func run(_ body: @escaping @Sendable () -> Void) { fill(with: Turn(body: body)) }

        /// Lets those pass that came after it.
        func leave() {
            line.change { $0.leave(number) }
        }
    }

    private let store: Store
    private let places = Guarded(ImportPlaces())
    private let stopwatch: Stopwatch
    /// Calls back after a time.
    private let alarm: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

    /// Not the threads of tasks, all of which an app may hold up.
    private static let timer = DispatchQueue(label: "larder.client.import.timer")

    /// Creates a line.
    ///
    /// - Parameter clock: The clock that others' patience goes by, instead of the system's.
    init(into store: Store, clock: (any Clock<Duration>)? = nil) {
        self.store = store
        if let clock {
            stopwatch = Stopwatch(clock)
            alarm = { time, ring in
                _ = Promise.delay(for: time, clock: clock).then(on: .immediate, ring)
            }
        } else {
            stopwatch = Stopwatch(ContinuousClock())
            alarm = { time, ring in
                Self.timer.asyncAfter(
                    deadline: .now() + .milliseconds(time.wholeMilliseconds + 1), execute: ring)
            }
        }
    }

    /// Stores a response once all that came before are.
    func add(_ job: some ImportJob) {
        change { $0.add(job) }
    }

    /// Keeps a place for a response that has come, and is to be read before it is stored.
    func keepPlace() -> Place {
        Place(places.withLock { $0.keep() }, in: self)
    }

    /// Keeps a place for as long as it is neither filled nor left.
    func reservePlace() -> Place {
        Place(places.withLock { $0.reserve() }, in: self)
    }

    /// Changes what waits, and has it stored where nobody is at it.
    private func change(_ body: (inout ImportPlaces) -> Void) {
        let next = places.withLock { places in
            body(&places)
            return places.next(at: stopwatch.elapsed)
        }
        follow(next)
    }

    private func follow(_ next: ImportPlaces.Next?) {
        switch next {
        case nil: break
        case .work: startWork()
        case .wait(let time):
            alarm(max(time - stopwatch.elapsed, .zero)) { [weak self] in
                guard let self else { return }
                let now = stopwatch.elapsed
                change { $0.expire(at: now) }
            }
        }
    }

    private func startWork() {
        // Taken out by the work, as the handlers that follow may go on for long after the client.
        let line = Guarded<ImportLine?>(self)
        let work: IdleTurn.Work = {
            var handlers = ReadyHandlers()
            // Whoever waits here for another response to be stored waits for ever.
            let kept = WaitBan.perform {
                Self.work(line.withLock { $0.take() }, leaving: &handlers)
            }
            handlers.run()
            withExtendedLifetime(kept) {}
        }
        if !IdleTurn.leave(work) { IdleTurn.hand(work) }
    }

    /// Stores what waits, until nothing does.
    ///
    /// - Returns: What is to be let go once the handlers have run.
    private static func work(
        _ line: ImportLine?, leaving handlers: inout ReadyHandlers
    ) -> [any Sendable] {
        var kept: [any Sendable] = []
        while let line, let jobs = line.takeNext() {
            // What is stored next may take its time, or wait for them.
            handlers.handOver()
            kept = jobs.map(\.keepsake)
            line.store(jobs, leaving: &handlers)
        }
        return kept
    }

    private func store(_ jobs: [any ImportJob], leaving handlers: inout ReadyHandlers) {
        for job in jobs { job.beginTurn() }
        guard jobs.count > 1 else {
            return jobs[0].store(isCommitted: false, leaving: &handlers)
        }
        var imports: [SharedImport] = []
        do {
            try store.sharingTransaction(willWait: jobs[0].onCancel) { transaction in
                for job in jobs { imports.append(job.store(in: transaction)) }
            }
            for job in jobs { job.endTurn() }
            for shared in imports { shared.tell(&handlers) }
        } catch {
            // Each by itself, which says whose failure it was.
            for (index, job) in jobs.enumerated() {
                handlers.handOver()
                job.store(
                    isCommitted: index < imports.count && imports[index].isCommitted,
                    leaving: &handlers)
            }
        }
    }

    /// Takes out those that are stored next; where nothing can be, the caller stores no more.
    private func takeNext() -> [any ImportJob]? {
        let (jobs, next) = places.withLock { places in
            let jobs = places.takeNext()
            return (jobs, places.next(at: stopwatch.elapsed))
        }
        follow(next)
        return jobs.isEmpty ? nil : jobs
    }
}

/// A turn that is no response's.
private struct Turn: ImportJob {
    let body: @Sendable () -> Void

    var size: Int { 0 }

    var needsOwnTransaction: Bool { true }

    var keepsake: any Sendable { () }

    func beginTurn() {}

    func endTurn() {}

    func onCancel(_ giveUp: @escaping @Sendable () -> Void) {}

    func store(isCommitted: Bool, leaving handlers: inout ReadyHandlers) {
        handlers.handOver()
        body()
    }

    func store(in transaction: SharedTransaction) -> SharedImport {
        // Behind the transaction, as it writes in its own.
        SharedImport(isCommitted: false) { store(isCommitted: false, leaving: &$0) }
    }
}
