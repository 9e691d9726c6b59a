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
/// `isLinked`, which belong to the list the node is in and are guarded by that list's owner until
/// it has settled, and afterwards by whoever the node was handed to, and `error` and the room for
/// the value, which are written by the one thread that may settle the node before `finish`, and
/// only read after it. As that keeps accesses apart, none is checked for overlaps at run time.
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

    /// Creates a node that settles as `upstream` does, which it is to be attached to, and that is cancelled
    /// only together with it, or where it leaves it to others.
    convenience init(watching upstream: Node, site: CreationSite, body: @escaping Body) {
        self.init(status: .watching, target: Scheduler.immediate.target, site: site)
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

extension Node {
    /// The state of a node, as bits of one word.
    ///
    /// All changes are made under the node's lock, by `Node.locked`; any thread may read them.
    ///
    /// | state | bits | entered by | meanwhile |
    /// |---|---|---|---|
    /// | pending | none | `init` | anybody attaches (`waiters`, `branches`), or adds `cancelHandlers` to a source |
    /// | running | none | its turn, once `upstream` has settled | the thread that runs it, and no other, writes `error` and the room, or `upstream` and `body` to follow another node |
    /// | claimed | `resolved` | `claim`, for the first call of a resolver | the thread that called writes `error` and the room, or follows a promise |
    /// | committed | `committed` | `commit` | as pending, or claimed, but a cancellation is without effect |
    /// | cleaning up | `shielded` | `follow` of a promise that `finally` waits for | a cancellation decides the outcome, and goes no further up |
    /// | cancelled | `cancelled` | `markCancelled` | the outcome is decided, and whatever is written to `error` and the room counts for nothing; the node waits for the flow from above |
    /// | settled | `settled`, with `rejected` for an error and `handled` where a handler has seen it | `end` | `error` and the room are only read; `upstream`, `body`, `waiters` and `cancelHandlers` are gone |
    ///
    /// `observed` and `discarded` come beside any of these, and `watching` from the beginning.
    @usableFromInline
    struct Status: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt16

        @usableFromInline
        init(rawValue: UInt16) {
            self.rawValue = rawValue
        }

        /// The outcome is a value.
        @usableFromInline static let fulfilled: Status = []
        /// The outcome is final and whoever attaches from now on runs at once.
        @usableFromInline static let settled = Status(rawValue: 1 << 0)
        /// The outcome is an error; only meaningful beside ``settled``.
        @usableFromInline static let rejected = Status(rawValue: 1 << 1)
        /// The outcome is `CancellationError`, whatever the work may still deliver.
        @usableFromInline static let cancelled = Status(rawValue: 1 << 2)
        /// The resolver has been used: later calls of it count for nothing.
        static let resolved = Status(rawValue: 1 << 3)
        /// The node that this one waits for cleans up, which a cancellation must not interrupt.
        static let shielded = Status(rawValue: 1 << 4)
        /// Somebody has attached.
        static let observed = Status(rawValue: 1 << 5)
        /// A handler has seen the error that the node passes on.
        @usableFromInline static let handled = Status(rawValue: 1 << 6)
        /// The scheduler has thrown the node's turn away: its handler is not called.
        @usableFromInline static let discarded = Status(rawValue: 1 << 7)

        /// The work can't be undone any more: a cancellation comes too late.
        static let committed = Status(rawValue: 1 << 8)

        /// The outcome is that of the node that this one waits for: a cancellation is asked of that one.
        static let watching = Status(rawValue: 1 << 9)

        /// Whether a cancellation may still decide the outcome.
        var isCancellable: Bool { isDisjoint(with: [.settled, .cancelled, .committed]) }

        /// Whether nothing has decided the outcome yet.
        var isPending: Bool { isDisjoint(with: [.settled, .cancelled]) }

        /// Whether a resolver may still settle the node.
        @usableFromInline
        var isOpen: Bool { isDisjoint(with: [.settled, .cancelled, .resolved]) }
    }
}
