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
    /// - Parameter isCommitted: Whether it has passed its point of no return in one that failed.
    func store(isCommitted: Bool)

    /// Stores it in a transaction that others share.
    func store(in transaction: SharedTransaction) -> SharedImport
}

/// A response that was stored in a transaction which others share, or could not be.
struct SharedImport {
    /// Whether it has passed its point of no return.
    let isCommitted: Bool
    /// Tells of it, which has to wait for the end of the transaction.
    let tell: () -> Void
}

/// The responses that wait to be stored, one after the other on one queue.
///
/// Small ones that have come while another was being stored share a transaction, in the order they came, as
/// to begin one and to commit it costs more than to store some of them; but for those that need their own.
/// The first is committed with the last, so that there are bounds on their number and size.
final class ImportLine: Sendable {
    /// The most bytes of content that responses have which share a transaction, all together.
    static let maximumSharedSize = 1 << 16
    /// The most responses that share a transaction.
    static let maximumShares = 16

    private let store: Store
    private let queue: DispatchQueue
    /// No slice, which would keep those that have been taken, and with them the client.
    private let waiting = Guarded<[any ImportJob]>([])

    init(into store: Store) {
        self.store = store
        queue = DispatchQueue(label: "larder.client.import", qos: .userInitiated)
    }

    /// Stores a response once all that came before are.
    func add(_ job: some ImportJob) {
        waiting.withLock { $0.append(job) }
        queue.async {
            // Whoever waits here for another response to be stored waits for ever.
            WaitBan.perform { self.storeNext() }
        }
    }

    private func storeNext() {
        let jobs = takeNext()
        // Those before it may have taken it along.
        guard let first = jobs.first else { return }
        for job in jobs { job.beginTurn() }
        guard jobs.count > 1 else { return first.store(isCommitted: false) }
        var imports: [SharedImport] = []
        do {
            try store.sharingTransaction(willWait: first.onCancel) { transaction in
                for job in jobs { imports.append(job.store(in: transaction)) }
            }
            for job in jobs { job.endTurn() }
            for shared in imports { shared.tell() }
        } catch {
            // Each by itself, which says whose failure it was.
            for (index, job) in jobs.enumerated() {
                job.store(isCommitted: index < imports.count && imports[index].isCommitted)
            }
        }
    }

    private func takeNext() -> [any ImportJob] {
        waiting.withLock { waiting in
            var (count, size) = (0, 0)
            for job in waiting.prefix(Self.maximumShares) {
                size += job.size
                guard
                    count == 0 || size <= Self.maximumSharedSize && !job.needsOwnTransaction
                else { break }
                count += 1
                if job.needsOwnTransaction { break }
            }
            defer { waiting.removeFirst(count) }
            return Array(waiting.prefix(count))
        }
    }
}
