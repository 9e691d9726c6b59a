import Dispatch
import Synchronization

/// The default scheduler: a serial queue behind a lock-free stack of nodes.
///
/// Whoever finds the stack at rest wakes the queue; everybody else only pushes. The queue takes
/// the whole stack at once, turns it round, and runs node after node, each with all that follows
/// from it, until the stack is empty.
final class DefaultLane: Sendable {
    static let shared = DefaultLane()

    /// The newest pushed node, `empty` while the queue works but nothing waits, or `resting`.
    private let top = Atomic<UInt>(DefaultLane.resting)
    private let queue = DispatchQueue(label: "larder.promises")
    private let key = DispatchSpecificKey<Bool>()

    private static let resting: UInt = 0
    private static let empty: UInt = 1

    private init() {
        queue.setSpecific(key: key, value: true)
    }

    /// Whether the calling code runs in a handler of this scheduler.
    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Queues the nodes in their order.
    func push(_ nodes: NodeList) {
        var nodes = nodes
        while let entry = nodes.popFirst() { push(entry) }
    }

    private func push(_ entry: Unmanaged<Node>) {
        let word = UInt(bitPattern: entry.toOpaque())
        var current = top.load(ordering: .relaxed)
        while true {
            entry._withUnsafeGuaranteedRef { $0.next = Self.node(at: current) }
            let (exchanged, found) = top.weakCompareExchange(
                expected: current, desired: word,
                successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if exchanged { break }
            current = found
        }
        if current == Self.resting {
            queue.async { self.drain() }
        }
    }

    private func drain() {
        while true {
            let word = top.exchange(Self.empty, ordering: .acquiringAndReleasing)
            if word == Self.empty {
                let (rests, _) = top.compareExchange(
                    expected: Self.empty, desired: Self.resting,
                    ordering: .acquiringAndReleasing)
                if rests { return }
                continue
            }
            run(reversing: Self.node(at: word))
        }
    }

    /// Runs the nodes of a stack from its bottom to its top.
    private func run(reversing top: Unmanaged<Node>?) {
        var unturned = top
        var turned: Unmanaged<Node>?
        while let entry = unturned {
            entry._withUnsafeGuaranteedRef {
                unturned = $0.next
                $0.next = turned
            }
            turned = entry
        }
        while let entry = turned {
            turned = entry._withUnsafeGuaranteedRef { $0.next }
            var list = NodeList()
            list.append(retained: entry)
            var drain = Drain(on: nil, list)
            drain.run()
        }
    }

    private static func node(at word: UInt) -> Unmanaged<Node>? {
        UnsafeRawPointer(bitPattern: word & ~1).map { .fromOpaque($0) }
    }
}
