import Dispatch
import Foundation

/// The connections that only read, each lent to one caller at a time.
///
/// Unchecked because connections are not Sendable: `idle` is only touched under the lock, and
/// whoever takes a connection out of it is the only one to have it.
final class ReaderPool: @unchecked Sendable {
    private let path: String
    private let busyTimeout: Int32
    private let available: DispatchSemaphore
    private let lock = NSLock()
    private var idle: [Connection] = []

    init(path: String, busyTimeout: Int32, limit: Int) {
        self.path = path
        self.busyTimeout = busyTimeout
        available = DispatchSemaphore(value: limit)
    }

    /// Runs a body with a connection, waiting for one where all are in use.
    func run<Result>(_ body: (Connection) throws -> Result) throws -> Result {
        available.wait()
        defer { available.signal() }
        let connection = try lock.withLock { idle.popLast() } ?? open()
        defer { lock.withLock { idle.append(connection) } }
        return try body(connection)
    }

    private func open() throws(StoreError) -> Connection {
        try Connection(path: path, creates: false, readOnly: true, busyTimeout: busyTimeout)
    }
}
