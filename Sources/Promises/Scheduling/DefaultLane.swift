import Dispatch
import Synchronization

/// The default scheduler: a serial queue behind a lock-free stack of nodes.
///
/// Whoever finds the stack at rest wakes the queue, or does the queue's work itself; everybody else only
/// pushes. Whoever works takes the whole stack at once, turns it round, and runs node after node, each with
/// all that follows from it, until the stack is empty.
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

    /// Queues the nodes in their order, all at once, so that nothing comes between them.
    func push(_ nodes: NodeList) {
        if stack(nodes) { wake() }
    }

    /// Has the queue run what is on the stack, which was at rest.
    func wake() {
        queue.async { self.drain() }
    }

    /// Runs what is on the stack, which was at rest, on the calling thread.
    ///
    /// Nothing waits there for a promise, as nothing does on the queue.
    func runHere() {
        WaitBan.perform { drain() }
    }

    /// Puts the nodes on the stack; true where it was at rest, so that the caller has to see to them.
    func stack(_ nodes: NodeList) -> Bool {
        guard let bottom = nodes.first else { return false }
        let newTop = Self.reversed(bottom)
        let word = UInt(bitPattern: newTop.toOpaque())
        var current = top.load(ordering: .relaxed)
        while true {
            bottom._withUnsafeGuaranteedRef { $0.next = Self.node(at: current) }
            let (exchanged, found) = top.weakCompareExchange(
                expected: current, desired: word,
                successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if exchanged { break }
            current = found
        }
        return current == Self.resting
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
            run(Self.node(at: word))
        }
    }

    /// Runs the nodes of a stack from its bottom to its top.
    private func run(_ top: Unmanaged<Node>?) {
        var rest = top.map(Self.reversed)
        while let entry = rest {
            rest = entry._withUnsafeGuaranteedRef { $0.next }
            var list = NodeList()
            list.append(retained: entry)
            var drain = Drain(on: nil, list)
            drain.run()
        }
    }

    /// Turns a list of linked nodes round, and returns its new first one.
    private static func reversed(_ first: Unmanaged<Node>) -> Unmanaged<Node> {
        var result = first
        var rest = first._withUnsafeGuaranteedRef { $0.next }
        first._withUnsafeGuaranteedRef { $0.next = nil }
        while let entry = rest {
            entry._withUnsafeGuaranteedRef {
                rest = $0.next
                $0.next = result
            }
            result = entry
        }
        return result
    }

    private static func node(at word: UInt) -> Unmanaged<Node>? {
        UnsafeRawPointer(bitPattern: word & ~1).map { .fromOpaque($0) }
    }
}

/// One job for a scheduler: nodes that run once, or are rejected when the job is thrown away.
final class Batch: Sendable {
    private let nodes: Guarded<NodeList>
    private let target: Scheduler.Target

    init(_ nodes: NodeList, on target: Scheduler.Target) {
        self.nodes = Guarded(nodes)
        self.target = target
    }

    deinit {
        let thrownAway = takeNodes()
        guard !thrownAway.isEmpty else { return }
        var drain = Drain(discarding: thrownAway, of: target)
        drain.run()
    }

    func run() {
        let nodes = takeNodes()
        guard !nodes.isEmpty else { return }
        var drain = Drain(on: target, nodes)
        drain.run()
    }

    private func takeNodes() -> NodeList {
        nodes.withLock { nodes in
            defer { nodes = NodeList() }
            return nodes
        }
    }
}
