/// How the work behind a source is stopped, and which other nodes that work waits for.
struct CancelHandler: Sendable {
    let stop: @Sendable () -> Void
    var members = Members()

    /// Nodes that a source waits for without being linked to them.
    struct Members: Sendable {
        /// Whether the source may settle as soon as one of them has.
        var isOneEnough = false
        var nodes: @Sendable () -> [Node] = { [] }
    }
}
