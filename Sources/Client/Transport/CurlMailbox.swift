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
        /// Those that are to go on receiving.
        var resumptions: [CurlExchange] = []

        var isEmpty: Bool { starts.isEmpty && cancellations.isEmpty && resumptions.isEmpty }
    }

    private struct State {
        var mail = Mail()
        var isClosed = false
        /// Whether there is a thread, or is about to be, that reads what is left.
        var hasThread = false
        var isPolling = false
        // The address of the multi handle, while there is one to wake.
        var multi = UInt(0)
        /// The thread that has left what is left here to another one, if it is needed.
        var away: pthread_t?
        /// How that one has been called, if it has.
        var calling: CurlRelief.Urgency?
        /// The call for the thread that stands by, once there is one.
        var relief: CurlRelief?
        /// Whether it does.
        var isStandingBy = false
    }

    /// What has to be done so that somebody reads what has been left.
    private enum Alarm {
        case none
        /// Of the handle at an address.
        case wake(UInt)
        case call(CurlRelief, CurlRelief.Urgency)
    }

    private let state = Guarded(State())
    /// The number of threads that are about to wake the transport's, or at it.
    private let wakers = Atomic(0)

    /// Leaves an exchange to start; true asks the caller to start the thread, which does not run yet.
    func start(_ exchange: CurlExchange) -> Bool {
        let (isFirst, alarm) = state.withLock { state in
            state.mail.starts.append(exchange)
            defer { state.hasThread = true }
            return (!state.hasThread, takeAlarm(&state))
        }
        raise(alarm)
        return isFirst
    }

    /// Asks for an exchange to be stopped.
    func cancel(_ exchange: CurlExchange) {
        let alarm = state.withLock { state in
            guard state.hasThread else { return Alarm.none }
            state.mail.cancellations.append(exchange)
            return takeAlarm(&state)
        }
        raise(alarm)
    }

    /// Asks for an exchange that has paused to go on receiving.
    func resume(_ exchange: CurlExchange) {
        let alarm = state.withLock { state in
            guard state.hasThread else { return Alarm.none }
            state.mail.resumptions.append(exchange)
            return takeAlarm(&state)
        }
        raise(alarm)
    }

    /// Lets the thread end once it has nothing left to do.
    func close() {
        let alarm = state.withLock { state in
            state.isClosed = true
            return takeAlarm(&state)
        }
        raise(alarm)
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

    /// Announces that the thread is about to wait; false if there is mail to read first, or nothing more can come.
    ///
    /// - Parameter isIdle: Whether no exchange is under way.
    func beginPolling(isIdle: Bool) -> Bool {
        state.withLock { state in
            state.isPolling = state.mail.isEmpty && !(isIdle && state.isClosed)
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

    // MARK: - Duty and relief

    /// Lets the thread do something else for a while; false if there is mail to read, or nobody stands by.
    ///
    /// - Parameter standBy: Starts the thread that is to stand by, where there is none yet.
    func leave(_ standBy: () -> Void) -> Bool {
        let (hasLeft, isFirst) = state.withLock { state in
            guard state.relief != nil else {
                state.relief = CurlRelief()
                return (false, state.relief != nil)
            }
            guard state.isStandingBy, state.mail.isEmpty, !state.isClosed else {
                return (false, false)
            }
            state.away = pthread_self()
            state.calling = nil
            return (true, false)
        }
        if isFirst { standBy() }
        return hasLeft
    }

    /// Lets the thread go on that had left; false if it has been relieved meanwhile.
    func comeBack() -> Bool {
        state.withLock { state in
            guard let away = state.away, pthread_equal(away, pthread_self()) != 0 else {
                return false
            }
            state.away = nil
            return true
        }
    }

    /// Waits until the calling thread has to relieve the other one; false once that has ended.
    func standBy() -> Bool {
        guard let relief = state.withLock(\.relief) else { return false }
        while true {
            let isOnDuty = state.withLock { state -> Bool? in
                if !state.hasThread { return false }
                state.isStandingBy = true
                guard state.away != nil, !state.mail.isEmpty || state.isClosed else { return nil }
                state.away = nil
                state.isStandingBy = false
                return true
            }
            if let isOnDuty { return isOnDuty }
            relief.wait()
        }
    }

    /// Has the thread end that stands by.
    func end() {
        state.withLock(\.relief)?.call(.now)
    }

    // MARK: - Waking

    /// What wakes whoever is to read; the address of a handle stays until it has been.
    private func takeAlarm(_ state: inout State) -> Alarm {
        if let away = state.away, let relief = state.relief {
            // What it does may wait for what it has left, though nearly always it comes back before.
            let isOwn = pthread_equal(away, pthread_self()) != 0
            let urgency: CurlRelief.Urgency = isOwn ? .soon : .now
            // Called again, the other one would come later.
            guard state.calling == nil || state.calling == .soon && urgency == .now else {
                return .none
            }
            state.calling = urgency
            return .call(relief, urgency)
        }
        guard state.isPolling, state.multi != 0 else { return .none }
        state.isPolling = false
        wakers.add(1, ordering: .relaxed)
        return .wake(state.multi)
    }

    /// Wakes the thread, by the one call that libcurl allows from other threads, or has it relieved.
    ///
    /// Not under the lock, which is the first thing that the thread takes then: the system may let it run
    /// before the call has returned.
    private func raise(_ alarm: Alarm) {
        switch alarm {
        case .none: break
        case .wake(let multi):
            curl_multi_wakeup(UnsafeMutableRawPointer(bitPattern: multi))
            wakers.subtract(1, ordering: .releasing)
        case .call(let relief, let urgency): relief.call(urgency)
        }
    }
}
#endif
