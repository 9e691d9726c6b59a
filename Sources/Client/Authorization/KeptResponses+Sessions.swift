import Dispatch
import LarderObjectStore
import LarderPromises

extension KeptResponses {
    private static let queues = JobQueues(
        label: "larder.client.sessions", qos: .userInitiated, width: Client.maximumDeliveries)

    /// Has what is kept by credentials that interceptors give, and the places of pulls, be nobody's where no account
    /// has them, until ``endSession(_:)`` has ended; its number.
    func beginEndingSession() -> Int { sessions.withLock { $0.begin() } }

    /// Removes all that.
    func endSession(_ number: Int) {
        // Off the caller's thread, whose transaction it may wait for.
        Self.queues.run {
            let result = Result {
                // Behind a transaction that is open, which may be the first that keeps anything.
                try self.store.writeBeside { try PullRecords(tables: $0).removeAll(of: nil) }
                try self.remove(.tag(KeptResponseKey.sessionTag))
            }
            let isDone = (try? result.get()) != nil
            self.sessions.withLock { $0.end(number, isDone: isDone) }
        }
    }
}
