import Synchronization

/// The state of a promise, without the type of its value: what it waits for, who waits for it, its
/// outcome, and the lock that guards them.
///
/// A node settles in two steps. First its outcome is decided; then it is *finished*: those who wait
/// are handed to their schedulers, and whoever attaches later is handed over at once. A cancelled
/// chain is decided from the end to the source, and finished from the source to the end, so that
/// handlers run in their usual order.
///
/// The class is not generic because generic objects are slow to destroy: the runtime looks up the
/// types of their fields. `Promise` and `Resolver` know the type of the value, and only they make
/// nodes.
///
/// `@unchecked Sendable`: mutable state is guarded by `mutex`, except `next`, `previous` and
/// `isLinked`, which belong to the list the node is in and are guarded by that list's owner, and
/// `error` and the room for the value, which are written by the one thread that may settle the
/// node before `finish`, and only read after it. As that keeps accesses apart, none is checked for
/// overlaps at run time.
@usableFromInline
final class Node: @unchecked Sendable {
    let target: Scheduler.Target?
    let site: CreationSite

    private let mutex = Mutex<Void>(())
    private let statusWord: Atomic<UInt16>
    @exclusivity(unchecked) var isLinked = false
    /// The number of waiters that are not cancelled, and one more for a node that waiters do not
    /// take along; counted while the node is pending.
    @exclusivity(unchecked) var branches: Int32 = 0
    @exclusivity(unchecked) var next: Unmanaged<Node>?
    @exclusivity(unchecked) var previous: Unmanaged<Node>?
    @exclusivity(unchecked) var waiters = NodeList()
    /// The node that this one waits for; set until it is finished.
    @exclusivity(unchecked) @usableFromInline var upstream: Node?
    /// Computes the outcome from that of `upstream`.
    @exclusivity(unchecked) var body: Body?
    /// Stop the work behind a source.
    @exclusivity(unchecked) var cancelHandlers: [CancelHandler]?
    @exclusivity(unchecked) @usableFromInline var error: (any Error)?

    /// Room for a handler, and later for the value; see `put`.
    @exclusivity(unchecked) @usableFromInline var words: (UInt, UInt, UInt) = (0, 0, 0)
    @exclusivity(unchecked) @usableFromInline var clearRoom: ((UnsafeMutableRawPointer) -> Void)?

    /// Computes a node's outcome from that of its upstream and settles it.
    @usableFromInline typealias Body = (Node, inout Drain) -> Void

    /// Creates the node of a promise that a resolver settles.
    @usableFromInline
    convenience init(site: CreationSite) {
        self.init(status: [], target: nil, site: site)
    }

    /// Creates a node that runs `body` when `upstream`, which it is to be attached to, has settled.
    @usableFromInline
    convenience init(
        upstream: Node, target: Scheduler.Target?, site: CreationSite, body: @escaping Body
    ) {
        self.init(status: [], target: target, site: site)
        self.upstream = upstream
        self.body = body
    }

    /// Creates the node of a promise that has settled; its outcome is to be put there.
    @usableFromInline
    convenience init(settledAs outcome: Status, site: CreationSite) {
        self.init(status: outcome.union(.settled), target: nil, site: site)
    }

    private init(status: Status, target: Scheduler.Target?, site: CreationSite) {
        self.target = target
        self.site = site
        self.statusWord = Atomic(status.rawValue)
    }

    deinit {
        UnhandledRejection.check(self)
        clear()
    }

    /// The status as other threads have published it.
    @usableFromInline
    var status: Status {
        Status(rawValue: statusWord.load(ordering: .acquiring))
    }

    /// Runs `body` alone, and publishes the status it leaves.
    ///
    /// The status is loaded and stored with acquire and release although the lock is held:
    /// ThreadSanitizer does not see into the lock of the standard library on Linux.
    @inline(__always)
    func locked<Result>(_ body: (inout Status) -> Result) -> Result {
        YieldPoint.pass()
        return mutex.withLock { _ in
            var status = Status(rawValue: statusWord.load(ordering: .acquiring))
            defer { statusWord.store(status.rawValue, ordering: .releasing) }
            return body(&status)
        }
    }
}
