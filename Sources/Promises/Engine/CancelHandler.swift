/// A way to stop the work behind a source, and the other nodes which that work waits for.
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
