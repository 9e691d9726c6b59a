/// A mark that a walk along links sets, so as not to go round a circle that another thread is
/// about to find: the node where it was at the last power of two of its steps (Brent).
struct CircleMark {
    private var node: Node
    private var steps = 0
    private var limit = 2

    init(_ first: Node) {
        node = first
    }

    /// Takes the next step; whether the walk has been at `next` before.
    mutating func isClosed(by next: Node) -> Bool {
        if next === node { return true }
        steps += 1
        if steps == limit {
            node = next
            steps = 0
            limit *= 2
        }
        return false
    }
}
