import Dispatch
import Foundation
import LarderPromises
import Synchronization

/// The one connection that writes, and the turns that its transactions take.
///
/// Unchecked because connection and statements are not Sendable: they are only touched by who has
/// the turn, as are `transaction` and `pauses`.
final class Writer: @unchecked Sendable {
    typealias Timer = @Sendable (DispatchTimeInterval, @escaping @Sendable () -> Void) -> Void

    private let turnstile = Turnstile(width: 1)
    private let queues = JobQueues(label: "larder.store.writer")
    /// The time that a call which blocks its thread waits for the transaction before it.
    private let patience: DispatchTimeInterval
    private let timer: Timer
    private let plan: StorePlan
    private let observers: Observers
    private let order: CommitOrder
    /// What it notes of rows that come and go, for those who watch.
    let notedRows = NotedRows()
    /// Nil for a store in memory.
    private let watch: ModelWatch?
    /// Nil once the store has been closed.
    private var statements: WriteStatements?
    /// The thread that a body runs on, 0 where none does: only that thread ever finds itself there.
    private let owner = Atomic<UInt>(0)
    /// The transaction that goes on there.
    private var transaction: OpenTransaction?
    /// The pauses in which others than this store get the file.
    private var pauses = LockPauses()
    /// Whether there is a log that was to go and could not.
    private var isLogDue = false

    /// The calling thread, as a number.
    private static var thread: UInt { number(pthread_self()) }

    /// A number or a pointer, by the system, as a number.
    private static func number<Thread>(_ thread: Thread) -> UInt {
        unsafeBitCast(thread, to: UInt.self)
    }

    /// The size of the page cache, in bytes, above which all of it is given back at the end of a
    /// turn.
    private static let cacheLimit = 4 << 20

    /// The longest wait, in milliseconds, for those who read the log that is to go.
    private static let logPatience: Int32 = 100

    /// - Parameters:
    ///   - patience: How long a call that blocks its thread waits for the transaction before it.
    ///   - timer: Calls a closure after a time; replaced by tests.
    init(
        connection: Connection, plan: StorePlan, observers: Observers = Observers(),
        order: CommitOrder = CommitOrder(), watch: ModelWatch? = nil,
        patience: DispatchTimeInterval = .seconds(5),
        timer: @escaping Timer = { clock.asyncAfter(deadline: .now() + $0, execute: $1) }
    ) {
        statements = WriteStatements(
            plan: plan, connection: connection,
            changes: ChangeLog(plan: plan, connection: connection), rowLog: notedRows)
        self.plan = plan
        self.observers = observers
        self.order = order
        self.watch = watch
        self.patience = patience
        self.timer = timer
    }

    /// The connection where the calling code runs in one of this writer's bodies, else nil.
    var currentConnection: Connection? {
        owner.load(ordering: .relaxed) == Self.thread ? statements?.connection : nil
    }

    /// Runs a body on the calling thread once all that came before is done.
    func run<Result>(
        _ body: (Connection, WriteStatements) throws -> Result
    ) throws -> Result {
        guard currentConnection == nil else { throw Self.reentrant }
        guard turnstile.enter(atMost: patience) else {
            // The one it was called in may have ended meanwhile.
            let isInside = OpenTransaction.current?.isOpen(on: self) == true
            throw isInside ? Self.reentrant : StoreError.busyStore
        }
        defer { turnstile.leave() }
        return try runInTurn(body)
    }

    /// Runs a body on the calling thread once all that came before is done, however long that takes, on
    /// behalf of a call that blocks nobody.
    ///
    /// - Parameter willWait: Gets what gives the body up, where it has to wait.
    /// - Throws: What the body throws, `StoreError`, or `CancellationError` where it was given up.
    func run<Result>(
        willWait: (_ giveUp: @escaping @Sendable () -> Void) -> Void,
        _ body: (Connection, WriteStatements) throws -> Result
    ) throws -> Result {
        guard currentConnection == nil else { throw Self.reentrant }
        guard turnstile.enter(willWait) else { throw CancellationError() }
        defer { turnstile.leave() }
        return try runInTurn(body)
    }

    /// Runs a body on a queue of the writer's own once all that came before is done.
    ///
    /// - Parameter isPatient: Whether it waits for a transaction that has started it however long that does nothing.
    func start<Value: Sendable>(
        isPatient: Bool = false,
        _ body: @escaping @Sendable (Connection, WriteStatements) throws -> Value,
        finish: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> BackgroundJob {
        let transaction = isPatient ? nil : openTransaction
        let job = BackgroundJob(in: turnstile)
        let interruption = job.interruption
        job.start(by: { [queues] in queues.run($0) }) {
            try self.runInTurn { connection, statements in
                try interruption.run(on: connection) { try body(connection, statements) }
            }
        } finish: {
            finish($0)
        }
        if let transaction { giveUp(job, startedIn: transaction) }
        return job
    }

    /// The open transaction that the calling code belongs to.
    var openTransaction: OpenTransaction? {
        if let current = OpenTransaction.current, current.isOpen(on: self) { return current }
        // Inside another store's transaction that stands in this one's.
        return owner.load(ordering: .relaxed) == Self.thread ? transaction : nil
    }

    /// Gives up a job that a transaction has started if that goes on for long and does nothing.
    ///
    /// Where the transaction waits for the job, neither would ever end. Once it has ended, the job waits
    /// for others only.
    private func giveUp(_ job: BackgroundJob, startedIn transaction: OpenTransaction) {
        whenPatienceEnds(with: transaction, after: patience) { job.withdraw($0) }
    }

    /// Calls a closure once one of this writer's transactions has ended, or with an error if it goes on
    /// for long and does nothing, as it does where it waits for what the closure does.
    func whenEnded(
        _ transaction: OpenTransaction, _ proceed: @escaping @Sendable (StoreError?) -> Void
    ) {
        struct Pending {
            var proceed: (@Sendable (StoreError?) -> Void)?
        }
        // Let go of by the first call, not by the later of both.
        let pending = Guarded(Pending(proceed: proceed))
        let proceedOnce: @Sendable (StoreError?) -> Void = { error in
            pending.withLock { $0.proceed.take() }?(error)
        }
        if transaction.onEnd({ proceedOnce(nil) }) {
            whenPatienceEnds(with: transaction, after: patience) { proceedOnce($0) }
        }
    }

    private func whenPatienceEnds(
        with transaction: OpenTransaction, after time: DispatchTimeInterval,
        _ body: @escaping @Sendable (StoreError) -> Void
    ) {
        let reading = transaction.reading
        // Neither the connection nor the file is to be kept open for this.
        timer(time) { [weak self] in
            guard let self, transaction.isOpen(on: self) else { return }
            // One that is at work does not wait. Who has no patience asks again all the same, but
            // not all the time.
            guard !transaction.hasWorked(since: reading) else {
                let patience = self.patience
                let pause = patience == .milliseconds(0) ? .milliseconds(10) : patience
                return self.whenPatienceEnds(with: transaction, after: pause, body)
            }
            body(Self.reentrant)
        }
    }

    /// Lets go of the connection once all that came before is done, and returns it; nil where that
    /// has been done.
    func close() throws -> Connection? {
        guard currentConnection == nil else { throw Self.reentrant }
        guard turnstile.enter() else { return nil }
        defer { turnstile.leave() }
        defer { statements = nil }
        return statements?.connection
    }

    private func runInTurn<Result>(
        _ body: (Connection, WriteStatements) throws -> Result
    ) throws -> Result {
        guard let statements else { throw StoreError.closedStore }
        let transaction = OpenTransaction(of: self, meter: statements.connection.meter)
        self.transaction = transaction
        owner.store(Self.thread, ordering: .relaxed)
        defer {
            transaction.close()
            let connection = statements.connection
            if connection.cacheSize > Self.cacheLimit { connection.releaseCache() }
            owner.store(0, ordering: .relaxed)
            self.transaction = nil
        }
        return try OpenTransaction.$current.withValue(transaction) {
            try body(statements.connection, statements)
        }
    }

    // MARK: Transactions

    /// Runs a body of the turn that has begun as a transaction, and tells those who observe what it
    /// has changed once it is committed.
    ///
    /// `IMMEDIATE`, as a transaction that has read before it first writes can't wait for that of
    /// another process; see https://www.sqlite.org/rescode.html#busy_snapshot.
    ///
    /// - Throws: What the body throws, or `StoreError`, also where the file has been brought to another
    ///   model.
    func transaction<Result>(
        with statements: WriteStatements, _ body: () throws -> Result
    ) throws -> Result {
        let connection = statements.connection
        let isObserved = observers.isActive
        leaveTurnToOthers()
        statements.changes.begin(recording: isObserved)
        defer { pauses.noteEnd(at: DispatchTime.now().uptimeNanoseconds) }
        // Whether SQLite has ended it by itself, as it does where the disk is full.
        var isGone = false
        connection.isLogToGo = false
        do {
            let result = try connection.transaction("BEGIN IMMEDIATE") {
                defer { isGone = !connection.isInTransaction }
                try watch?.check(connection)
                if connection.isMoved { throw StoreError.movedStore }
                let result = try body()
                try plan.catchUpSearches(on: connection)
                return result
            } commit: { commit in
                // Who has begun to observe meanwhile may have read what was there before.
                var committed = Changes.everything
                try order.commit(isObserved: isObserved) {
                    do { try commit() } catch {
                        statements.prepareRollback()
                        throw error
                    }
                    statements.noteCommit()
                    if isObserved { committed = statements.changes.end() }
                } tell: {
                    publish(committed, of: statements)
                }
            }
            if connection.isLogToGo || isLogDue {
                removeLog(of: connection, patience: connection.isLogToGo ? Self.logPatience : 0)
                // Which looks like somebody else's commit to the connection that watches.
                publishForeignCommits(statements)
            }
            return result
        } catch {
            publishForeignCommits(statements)
            // What is in the log goes into the file, if that has room, so that the next transaction,
            // which may delete something, has the log's. Whoever caught that error hears only that
            // nothing is left.
            let reason = (error as? StoreError)?.reason
            if reason == .full || isGone && reason == .closed {
                _ = try? connection.allRows("PRAGMA wal_checkpoint(TRUNCATE)")
            }
            throw error
        }
    }

    /// Carries the log over and empties it, unless somebody reads it for long; then it is tried behind each
    /// transaction that follows.
    private func removeLog(of connection: Connection, patience: Int32) {
        let limit = connection.lockWait.limit
        connection.lockWait.limit = min(limit, patience)
        defer { connection.lockWait.limit = limit }
        let rows = try? connection.allRows("PRAGMA wal_checkpoint(TRUNCATE)")
        // Whether it could not.
        isLogDue = rows?.first?.first != .integer(0)
    }

    /// Lets who waits for the file's lock have it, where this store has had it for long.
    private func leaveTurnToOthers() {
        guard watch != nil, pauses.isDue(at: DispatchTime.now().uptimeNanoseconds) else { return }
        usleep(LockPauses.length)
    }

    /// Tells those who observe where another connection has committed something.
    ///
    /// In a turn of the order: a snapshot that was begun before that commit does not hold it.
    func publishForeignCommits(_ statements: WriteStatements) {
        order.commit(isObserved: observers.isActive) {
        } tell: {
            publish(Changes(), of: statements)
        }
    }

    private func publish(_ committed: Changes, of statements: WriteStatements) {
        guard observers.isActive else { return }
        let changes = statements.changes.hasForeignCommits() ? .everything : committed
        if !changes.isEmpty { observers.publish(changes) }
    }

    /// Not a global queue: all of its threads may be waiting for a store.
    private static let clock = DispatchQueue(label: "larder.store.clock")

    private static var reentrant: StoreError {
        StoreError(
            .reentrant,
            "a transaction on this store is open here; use its context instead of the store")
    }
}

extension StoreError {
    /// The error of a call into a closed store.
    static var closedStore: StoreError { StoreError(.closed, "the store has been closed") }

    /// The error of a transaction whose file was removed, or has given its place to another.
    static var movedStore: StoreError {
        StoreError(
            .moved, "the file that was opened is not at its path any more; open the store anew")
    }

    /// The error of a call that has waited for too long for others of this process.
    static var busyStore: StoreError {
        StoreError(
            .busy,
            "another call of this process has had the store for longer than busyTimeout, or waits"
                + " for this one")
    }
}
