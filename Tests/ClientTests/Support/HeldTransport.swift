import HTTPTypes
import LarderClient
import LarderPromises
import LarderTesting

/// A transport whose exchanges end when the test says so, on the thread that says it.
final class HeldTransport: Transport {
    typealias Completion = @Sendable (Result<TransportResponse, TransportError>) -> Void

    private struct State {
        var requests: [TransportRequest] = []
        var completions: [Completion?] = []
        var cancelled: [Int] = []
        /// The ends of exchanges that have not begun.
        var early: [Int: Result<TransportResponse, TransportError>] = [:]
    }

    /// Whether a cancelled exchange ends at once, rather than when the test says so.
    private let cancelsAtOnce: Bool
    private let onSend: @Sendable (HeldTransport, Int) -> Void
    private let state = Guarded(State())

    init(
        cancelsAtOnce: Bool = true,
        onSend: @escaping @Sendable (HeldTransport, Int) -> Void = { _, _ in }
    ) {
        self.cancelsAtOnce = cancelsAtOnce
        self.onSend = onSend
    }

    /// The requests in the order in which they were sent.
    var requests: [TransportRequest] { state.withLock(\.requests) }

    /// The numbers of the exchanges that were cancelled before they had ended.
    var cancelled: [Int] { state.withLock(\.cancelled) }

    /// The numbers of the exchanges that have not ended.
    var open: [Int] {
        state.withLock { state in state.completions.indices.filter { state.completions[$0] != nil }
        }
    }

    /// Ends an exchange, as soon as it has begun.
    func end(_ number: Int, _ result: Result<TransportResponse, TransportError>) {
        let completion = state.withLock { state -> Completion? in
            guard state.completions.indices.contains(number) else {
                state.early[number] = result
                return nil
            }
            return state.completions[number].take()
        }
        completion?(result)
    }

    func send(_ request: TransportRequest, completion: @escaping Completion) -> any TransportTask {
        let (number, end) = state.withLock { state in
            state.requests.append(request)
            state.completions.append(completion)
            let number = state.requests.count - 1
            return (number, state.early.removeValue(forKey: number))
        }
        onSend(self, number)
        if let end { self.end(number, end) }
        return HeldTask { self.cancel(number) }
    }

    private func cancel(_ number: Int) {
        let isOpen = state.withLock { state in
            guard state.completions[number] != nil else { return false }
            if !state.cancelled.contains(number) { state.cancelled.append(number) }
            return true
        }
        guard isOpen, cancelsAtOnce else { return }
        end(number, .failure(TransportError(.cancelled, "The exchange was cancelled.")))
    }
}

private struct HeldTask: TransportTask {
    let stop: @Sendable () -> Void

    func cancel() {
        stop()
    }
}
