import Dispatch
import LarderObjectStore
import LarderPromises

/// A response that is to be stored.
protocol ImportJob: Sendable {
    /// The size of its content in bytes.
    var size: Int { get }

    /// Whether it shares no transaction, as what it does in one must not be done again in another.
    var needsOwnTransaction: Bool { get }

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

/// The responses that wait to be stored, one after the other.
///
/// Small ones that have come while another was being stored share a transaction, in the order they came, as
/// to begin one and to commit it costs more than to store some of them; but for those that need their own.
/// The first is committed with the last, so that there are bounds on their number and size.
///
/// One thread at a time stores. Once it finds nothing more, it runs the handlers it has made ready; whatever
/// comes then is another thread's, so that handlers may take their time.
final class ImportLine: Sendable {
    /// The most bytes of content that responses have which share a transaction, all together.
    static let maximumSharedSize = 1 << 16
    /// The most responses that share a transaction.
    static let maximumShares = 16

    private struct State {
        /// No slice, which would keep those that have been taken, and with them the client.
        var waiting: [any ImportJob] = []
        /// Whether some thread stores, and will store all that waits.
        var isWorking = false
    }

    private let store: Store
    private let state = Guarded(State())

    init(into store: Store) {
        self.store = store
    }

    /// Stores a response once all that came before are.
    func add(_ job: some ImportJob) {
        let isFirst = state.withLock { state in
            state.waiting.append(job)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        guard isFirst else { return }
        // Taken out by the work, as the handlers that follow may go on for long after the client.
        let line = Guarded<ImportLine?>(self)
        // A queue of its own, as the one before may still be held by handlers.
        DispatchQueue(label: "larder.client.import", qos: .userInitiated).async {
            var handlers = ReadyHandlers()
            // Whoever waits here for another response to be stored waits for ever.
            WaitBan.perform { Self.work(line.withLock { $0.take() }, leaving: &handlers) }
            handlers.run()
        }
    }

    /// Stores what waits, until nothing does.
    private static func work(_ line: ImportLine?, leaving handlers: inout ReadyHandlers) {
        while let line, let jobs = line.takeNext() {
            // What is stored next may take its time, or wait for them.
            handlers.handOver()
            line.store(jobs, leaving: &handlers)
        }
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

    /// Takes out those that are stored next; where nothing waits, the caller stores no more.
    private func takeNext() -> [any ImportJob]? {
        state.withLock { state in
            var (count, size) = (0, 0)
            for job in state.waiting.prefix(Self.maximumShares) {
                size += job.size
                guard
                    count == 0 || size <= Self.maximumSharedSize && !job.needsOwnTransaction
                else { break }
                count += 1
                if job.needsOwnTransaction { break }
            }
            guard count > 0 else {
                state.isWorking = false
                return nil
            }
            defer { state.waiting.removeFirst(count) }
            return Array(state.waiting.prefix(count))
        }
    }
}
