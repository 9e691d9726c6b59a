import LarderPromises

/// Calls that come when what a store holds has changed, until they are cancelled or nobody refers
/// to this any more.
public final class StoreObservation: Sendable {
    /// Ends what has been begun, and keeps it going for as long as it is kept.
    typealias Work = @Sendable () -> Void

    private let work: Guarded<Work?>

    init(_ work: @escaping Work) {
        self.work = Guarded(work)
    }

    deinit { cancel() }

    /// Ends the calls; none begins after this has returned, where it is called on their scheduler.
    public func cancel() {
        let work = work.withLock { work in
            defer { work = nil }
            return work
        }
        work?()
    }
}
