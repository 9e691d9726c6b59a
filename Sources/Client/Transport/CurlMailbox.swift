#if !canImport(Darwin)
import CLarderCurl
import Foundation
import LarderPromises
import Synchronization

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
    /// The number of threads that are about to wake the transport's, or at it.
    private let wakers = Atomic(0)

    /// Leaves an exchange to start; true asks the caller to start the thread, which does not run yet.
    func start(_ exchange: CurlExchange) -> Bool {
        let (isFirst, multi) = state.withLock { state in
            state.mail.starts.append(exchange)
            defer { state.hasThread = true }
            return (!state.hasThread, multiToWake(&state))
        }
        wake(multi)
        return isFirst
    }

    /// Asks for an exchange to be stopped.
    func cancel(_ exchange: CurlExchange) {
        let multi = state.withLock { state in
            guard state.hasThread else { return UInt(0) }
            state.mail.cancellations.append(exchange)
            return multiToWake(&state)
        }
        wake(multi)
    }

    /// Lets the thread end once it has nothing left to do.
    func close() {
        let multi = state.withLock { state in
            state.isClosed = true
            return multiToWake(&state)
        }
        wake(multi)
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
        let isDetached = state.withLock { state in
            guard state.isClosed, state.mail.isEmpty else { return false }
            state.multi = 0
            state.hasThread = false
            return true
        }
        // The handle goes once nobody is about to use it, which is no more than a call into the system.
        while isDetached, wakers.load(ordering: .acquiring) > 0 { sched_yield() }
        return isDetached
    }

    /// The address of the handle to wake, 0 where the thread doesn't wait; it stays until that is done.
    private func multiToWake(_ state: inout State) -> UInt {
        guard state.isPolling, state.multi != 0 else { return 0 }
        state.isPolling = false
        wakers.add(1, ordering: .relaxed)
        return state.multi
    }

    /// Wakes the thread, by the one call that libcurl allows from other threads.
    ///
    /// Not under the lock, which is the first thing that the thread takes then: the system may let it run
    /// before the call has returned.
    private func wake(_ address: UInt) {
        guard let multi = UnsafeMutableRawPointer(bitPattern: address) else { return }
        curl_multi_wakeup(multi)
        wakers.subtract(1, ordering: .releasing)
    }
}
#endif
