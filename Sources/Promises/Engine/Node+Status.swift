extension Node {
    /// What has happened to a node, as bits of one word.
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
        /// What the node waits for is cleaning up, which a cancellation must not interrupt.
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
