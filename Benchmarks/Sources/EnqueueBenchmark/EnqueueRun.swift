import Dispatch
import Larder
import Synchronization

/// Many items that are enqueued, a given number at once: each that has been stored, and whose handler has
/// run, starts the next.
final class EnqueueRun: Sendable {
    private let client: Client
    private let count: Int
    private let total: Int
    private let started = Atomic(0)
    private let finished = Atomic(0)
    private let failed = Atomic(0)
    private let done = DispatchSemaphore(value: 0)

    init(_ client: Client, count: Int, total: Int) {
        self.client = client
        self.count = count
        self.total = total
    }

    /// Waits for all of them and says whether each was stored.
    func perform(parallel: Int) -> Bool {
        for _ in 0..<parallel { next() }
        done.wait()
        return failed.load(ordering: .relaxed) == 0
    }

    private func next() {
        let number = started.add(1, ordering: .relaxed).newValue - 1
        guard number < total else { return }
        let item: Promise<Item> = client.enqueue(ItemEndpoint(id: number % count))
        item.then { (_: Item) -> Void in self.end() }
            .catch { _ in
                self.failed.add(1, ordering: .relaxed)
                self.end()
            }
    }

    private func end() {
        next()
        if finished.add(1, ordering: .relaxed).newValue == total { done.signal() }
    }
}
