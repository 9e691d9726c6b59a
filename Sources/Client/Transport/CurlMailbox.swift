#if !canImport(Darwin)
import CLarderCurl
import LarderPromises

/// The exchanges that any thread leaves for the transport's own thread to start or to cancel.
final class CurlMailbox: Sendable {
    /// The exchanges left since the last look.
    struct Mail {
        var starts: [CurlExchange] = []
        var cancellations: [CurlExchange] = []

        var isEmpty: Bool { starts.isEmpty && cancellations.isEmpty }
    }

    private struct State {
        var mail = Mail()
        var isClosed = false
        /// Whether there is a thread, or is about to be, that reads what is left.
        var hasThread = false
        var isPolling = false
        // The address of the multi handle, while there is one to wake.
        var multi = UInt(0)
    }

    private let state = Guarded(State())

    /// Leaves an exchange to start; true asks the caller to start the thread, which does not run yet.
    func start(_ exchange: CurlExchange) -> Bool {
        state.withLock { state in
            state.mail.starts.append(exchange)
            Self.wake(&state)
            defer { state.hasThread = true }
            return !state.hasThread
        }
    }

    /// Asks for an exchange to be stopped.
    func cancel(_ exchange: CurlExchange) {
        state.withLock { state in
            guard state.hasThread else { return }
            state.mail.cancellations.append(exchange)
            Self.wake(&state)
        }
    }

    /// Lets the thread end once it has nothing left to do.
    func close() {
        state.withLock { state in
            state.isClosed = true
            Self.wake(&state)
        }
    }

    // MARK: - For the thread

    func attach(_ multi: UnsafeMutableRawPointer) {
        let address = UInt(bitPattern: multi)
        state.withLock { $0.multi = address }
    }

    func take() -> Mail {
        state.withLock { state in
            state.isPolling = false
            defer { state.mail = Mail() }
            return state.mail
        }
    }

    /// Announces that the thread is about to wait; false if there is mail to read first.
    func beginPolling() -> Bool {
        state.withLock { state in
            state.isPolling = state.mail.isEmpty
            return state.isPolling
        }
    }

    /// Hands over what was to be started, by a thread that ends at once; the next start begins anew.
    func giveUp() -> [CurlExchange] {
        state.withLock { state in
            state.hasThread = false
            defer { state.mail = Mail() }
            return state.mail.starts
        }
    }

    /// Ends the life of the multi handle's address, if nothing more can come.
    func detachIfClosed() -> Bool {
        state.withLock { state in
            guard state.isClosed, state.mail.isEmpty else { return false }
            state.multi = 0
            state.hasThread = false
            return true
        }
    }

    /// Wakes the thread if it waits.
    ///
    /// Under the lock, so that the handle cannot go meanwhile; `curl_multi_wakeup` is the one call
    /// that libcurl allows from other threads.
    private static func wake(_ state: inout State) {
        guard state.isPolling, let multi = UnsafeMutableRawPointer(bitPattern: state.multi) else {
            return
        }
        state.isPolling = false
        curl_multi_wakeup(multi)
    }
}
#endif
