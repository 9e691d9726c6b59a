import Foundation

/// Puts commits and the snapshots of those who observe in one order, so that a snapshot holds the
/// commits that its reader has been told of, and no others.
///
/// A commit and its telling happen in one turn, the beginning of a snapshot and the taking of what
/// was told in another. What other connections commit is not told; whether a snapshot may hold such
/// a commit is seen by a connection of its own, which is asked in each turn: between two turns it
/// can only have changed by somebody else.
///
/// Unchecked because connections are not Sendable: everything is only touched under the lock.
final class CommitOrder: @unchecked Sendable {
    private let lock = NSLock()
    /// Nil for a store in memory, which nobody else has.
    private let file: OpenFile?
    private var watch: Connection?
    /// The `PRAGMA data_version` that the watching connection has seen last, nil where it has not
    /// looked since.
    private var version: Int64?

    /// - Parameter file: The store's file, nil where it has none.
    init(of file: OpenFile? = nil) { self.file = file }

    /// Runs the end of a transaction that this store makes, and tells of it.
    ///
    /// - Parameter isObserved: Whether anybody is told.
    func commit(isObserved: Bool, _ commit: () throws -> Void, tell: () -> Void) rethrows {
        lock.lock()
        defer { lock.unlock() }
        defer {
            // Before the writer looks for the commits of others, so that none is missed.
            version = isObserved ? currentVersion : nil
            tell()
        }
        try commit()
    }

    /// Runs the beginning of a snapshot of who observes.
    ///
    /// - Parameter body: Gets whether the snapshot may hold commits that nobody was told of, once
    ///   `begin` has begun it.
    func snapshot<Result>(
        _ begin: () throws -> Void, _ body: (_ isForeign: Bool) throws -> Result
    ) rethrows -> Result {
        openWatch()
        lock.lock()
        defer { lock.unlock() }
        try begin()
        guard file != nil else { return try body(false) }
        let current = currentVersion
        let isForeign = current == nil || current != version
        version = current
        return try body(isForeign)
    }

    /// Closes what it has opened; to be called once nobody reads any more.
    func close() { lock.withLock { watch = nil } }

    private var currentVersion: Int64? { try? watch?.dataVersion }

    /// Opens the connection that watches, outside of the lock: that may take a moment, in which
    /// transactions should not have to wait.
    private func openWatch() {
        guard let file, lock.withLock({ watch == nil }) else { return }
        let new = try? file.connect()
        lock.withLock { watch = watch ?? new }
    }
}
