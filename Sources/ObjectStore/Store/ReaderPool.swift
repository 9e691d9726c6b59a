import Dispatch
import Foundation

/// The connections that only read, each lent to one caller at a time.
///
/// Unchecked because connections are not Sendable: `idle`, `lent` and `visitors` are only touched
/// under the lock, and whoever takes a connection out of the pool is the only one to have it.
final class ReaderPool: @unchecked Sendable {
    private let file: OpenFile
    private let patience: DispatchTimeInterval
    private let watch: ModelWatch?
    private let turnstile: Turnstile
    private let queues = JobQueues(label: "larder.store.readers")
    /// Signalled when a connection comes back, or a visitor leaves.
    private let lock = NSCondition()
    private var idle: [Connection] = []
    /// The connections in use, each with the thread that has it: a few, found by looking through.
    private var lent: [(thread: pthread_t, connection: Connection)] = []
    /// The threads that read by connections of their own, each as often as it has one.
    private var visitors: [pthread_t] = []
    private var isClosed = false

    /// - Parameters:
    ///   - file: What is read; a call that blocks its thread waits for a connection as long as
    ///     connections do for a lock of it.
    ///   - watch: Knows whether the file still holds the model that it was opened with.
    init(_ file: OpenFile, limit: Int, watch: ModelWatch? = nil) {
        self.file = file
        self.watch = watch
        patience = .milliseconds(Int(file.busyMilliseconds))
        turnstile = Turnstile(width: limit)
    }

    /// Runs a body with a connection, waiting for one where all are in use.
    ///
    /// A body that reads once more gets the connection it has: waiting for another one while
    /// others do the same could last for ever.
    func run<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let (connection, isOwn) = takeAtOnce()
        if let connection {
            defer { if !isOwn { giveBack(connection) } }
            return try body(connection)
        }
        guard turnstile.enter(atMost: patience) else { throw StoreError.busyStore }
        defer { turnstile.leave() }
        return try runInTurn(body)
    }

    /// The connection that the calling thread reads with already, or one that nobody has and nobody waits for.
    private func takeAtOnce() -> (connection: Connection?, isOwn: Bool) {
        let thread = pthread_self()
        lock.lock()
        defer { lock.unlock() }
        for loan in lent where loan.thread == thread { return (loan.connection, true) }
        guard !isClosed, !idle.isEmpty, turnstile.enterAtOnce() else { return (nil, false) }
        let connection = idle.removeLast()
        lent.append((thread, connection))
        return (connection, false)
    }

    private func giveBack(_ connection: Connection) {
        takeBack(connection)
        turnstile.leave()
    }

    /// Runs a body on a queue of the pool's own, once there is a connection for it.
    func start<Value: Sendable>(
        _ body: @escaping @Sendable (Connection) throws -> Value,
        finish: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> BackgroundJob {
        let job = BackgroundJob(in: turnstile)
        let interruption = job.interruption
        job.start(by: { [queues] in queues.run($0) }) {
            try self.runInTurn { connection in
                try interruption.run(on: connection) { try body(connection) }
            }
        } finish: {
            finish($0)
        }
        return job
    }

    /// Runs a body with a connection that is none of the pool's, as it may take long; closing waits
    /// for it all the same.
    func visiting<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        try enter()
        defer { leave() }
        let connection = try file.connect()
        // While it is open, the one that writes can't carry the log over.
        defer { connection.close() }
        return try body(connection)
    }

    private func enter() throws(StoreError) {
        lock.lock()
        defer { lock.unlock() }
        guard !isClosed else { throw StoreError.closedStore }
        visitors.append(pthread_self())
    }

    private func leave() {
        lock.lock()
        defer { lock.unlock() }
        if let index = visitors.firstIndex(of: pthread_self()) { visitors.remove(at: index) }
        if isClosed { lock.broadcast() }
    }

    /// Throws where the calling code reads with one of the connections, or with one of its own.
    func checkIsOutside() throws(StoreError) {
        let thread = pthread_self()
        let isInside = lock.withLock {
            lent.contains { $0.thread == thread } || visitors.contains(thread)
        }
        guard !isInside else {
            throw StoreError(.reentrant, "the store is being read here, so that it can't be closed")
        }
    }

    /// Closes the connections once all are back, and who has another one has let go of it; nobody
    /// gets one any more.
    func close() throws(StoreError) {
        try checkIsOutside()
        lock.withLock {
            isClosed = true
            while !lent.isEmpty || !visitors.isEmpty { lock.wait() }
            // Who has brought one back may not have let go of it.
            for connection in idle { connection.close() }
            idle.removeAll()
        }
    }

    private func runInTurn<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let connection = try lend()
        defer { takeBack(connection) }
        return try body(connection)
    }

    private func lend() throws -> Connection {
        lock.lock()
        defer { lock.unlock() }
        guard !isClosed else { throw StoreError.closedStore }
        let connection = try idle.popLast() ?? open()
        lent.append((pthread_self(), connection))
        return connection
    }

    private func takeBack(_ connection: Connection) {
        lock.lock()
        defer { lock.unlock() }
        if let index = lent.firstIndex(where: { $0.connection === connection }) {
            lent.remove(at: index)
        }
        idle.append(connection)
        if isClosed { lock.broadcast() }
    }

    private func open() throws(StoreError) -> Connection {
        let connection = try file.connect()
        try watch?.check(connection)
        return connection
    }
}
