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
    /// `observed` and `discarded` come beside any of these.
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

        /// Whether a cancellation may still decide the outcome.
        var isCancellable: Bool { isDisjoint(with: [.settled, .cancelled, .committed]) }

        /// Whether nothing has decided the outcome yet.
        var isPending: Bool { isDisjoint(with: [.settled, .cancelled]) }

        /// Whether a resolver may still settle the node.
        @usableFromInline
        var isOpen: Bool { isDisjoint(with: [.settled, .cancelled, .resolved]) }
    }
}
