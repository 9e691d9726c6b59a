import CLarderSQLite
import Foundation

/// A way to stop what a connection is doing, from any thread.
///
/// Unchecked because it holds a pointer: `connection` and `isCancelled` are only touched under the
/// lock, and a connection withdraws itself before it goes on to something else.
final class Interruption: @unchecked Sendable {
    private let lock = NSLock()
    private var connection: OpaquePointer?
    private var isCancelled = false

    /// Whether the work is to be stopped.
    var isRequested: Bool { lock.withLock { isCancelled } }

    /// Stops the statement that runs now and all that would follow.
    func cancel() {
        lock.withLock {
            isCancelled = true
            // SQLite allows this call from any thread while the connection is open.
            if let connection { sqlite3_interrupt(connection) }
        }
    }

    /// The number of SQLite's instructions between two questions: a fraction of a millisecond.
    private static let steps: Int32 = 10_000

    /// Throws `CancellationError` once the work has been cancelled.
    func check() throws {
        if isRequested { throw CancellationError() }
    }

    /// Runs a body whose statements on the connection are stopped by `cancel()`.
    ///
    /// - Throws: `CancellationError` where it was cancelled, else what the body throws.
    func run<Result>(on connection: Connection, _ body: () throws -> Result) throws -> Result {
        try check()
        connection.interruption = self
        lock.withLock { self.connection = connection.pointer }
        // A statement that begins just after the interruption does not notice it.
        sqlite3_progress_handler(
            connection.pointer, Self.steps, isInterruptionRequested,
            Unmanaged.passUnretained(self).toOpaque())
        defer {
            sqlite3_progress_handler(connection.pointer, 0, nil, nil)
            lock.withLock { self.connection = nil }
            connection.interruption = nil
        }
        do {
            return try body()
        } catch let error as StoreError where error.reason == .interrupted && isRequested {
            throw CancellationError()
        }
    }
}

private func isInterruptionRequested(_ interruption: UnsafeMutableRawPointer?) -> CInt {
    guard let interruption else { return 0 }
    let isRequested = Unmanaged<Interruption>.fromOpaque(interruption).takeUnretainedValue()
        .isRequested
    return isRequested ? 1 : 0
}
