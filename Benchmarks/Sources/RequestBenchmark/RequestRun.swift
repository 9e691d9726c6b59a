import Dispatch
import HTTPTypes
import LarderClient
import Synchronization

/// Many exchanges of the same request, a given number at once: each that ends starts the next.
final class RequestRun: Sendable {
    private let transport: CurlTransport
    private let request: TransportRequest
    private let total: Int
    private let started = Atomic(0)
    private let finished = Atomic(0)
    private let failed = Atomic(0)
    private let done = DispatchSemaphore(value: 0)

    init(_ transport: CurlTransport, _ request: TransportRequest, total: Int) {
        self.transport = transport
        self.request = request
        self.total = total
    }

    /// Waits for all of them and says whether each brought the whole body.
    func perform(parallel: Int) -> Bool {
        for _ in 0..<parallel { next() }
        done.wait()
        return failed.load(ordering: .relaxed) == 0
    }

    private func next() {
        guard started.add(1, ordering: .relaxed).newValue <= total else { return }
        transport.send(request) { result in
            let response = try? result.get()
            if response?.head.status != .ok || response?.body.count != 1024 {
                self.failed.add(1, ordering: .relaxed)
            }
            self.next()
            if self.finished.add(1, ordering: .relaxed).newValue == self.total {
                self.done.signal()
            }
        }
    }
}
