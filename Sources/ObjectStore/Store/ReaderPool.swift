import Dispatch
import Foundation

/// The connections that only read, each lent to one caller at a time.
///
/// Unchecked because connections are not Sendable: `idle` and `lent` are only touched under the lock,
/// and whoever takes a connection out of the pool is the only one to have it.
final class ReaderPool: @unchecked Sendable {
    private let path: String
    private let busyTimeout: Int32
    private let available: DispatchSemaphore
    private let lock = NSLock()
    private var idle: [Connection] = []
    /// The connections in use, by the thread that has them.
    private var lent: [ObjectIdentifier: Connection] = [:]

    init(path: String, busyTimeout: Int32, limit: Int) {
        self.path = path
        self.busyTimeout = busyTimeout
        available = DispatchSemaphore(value: limit)
    }

    /// Runs a body with a connection, waiting for one where all are in use.
    ///
    /// A body that reads once more gets the connection it has: waiting for another one while
    /// others do the same could last for ever.
    func run<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        let thread = ObjectIdentifier(Thread.current)
        if let connection = lock.withLock({ lent[thread] }) { return try body(connection) }
        available.wait()
        defer { available.signal() }
        let connection = try lock.withLock { idle.popLast() } ?? open()
        lock.withLock { lent[thread] = connection }
        defer {
            lock.withLock {
                lent[thread] = nil
                idle.append(connection)
            }
        }
        return try body(connection)
    }

    private func open() throws(StoreError) -> Connection {
        try Connection(path: path, creates: false, readOnly: true, busyTimeout: busyTimeout)
    }
}
