/// An owning first-in, first-out list of nodes, linked through the nodes themselves.
@usableFromInline
struct NodeList: Sendable {
    private(set) var first: Unmanaged<Node>?
    private var last: Unmanaged<Node>?

    init() {}

    /// Takes over a chain of retained nodes that already link to each other.
    init(first: Unmanaged<Node>, last: Unmanaged<Node>) {
        self.first = first
        self.last = last
    }

    var isEmpty: Bool { first == nil }

    mutating func append(_ node: Node) {
        append(retained: .passRetained(node))
    }

    /// Appends a node whose reference the caller gives away.
    mutating func append(retained entry: Unmanaged<Node>) {
        entry._withUnsafeGuaranteedRef {
            $0.next = nil
            $0.previous = last
        }
        if let last {
            last._withUnsafeGuaranteedRef { $0.next = entry }
        } else {
            first = entry
        }
        last = entry
    }

    /// Removes the oldest node and hands its reference to the caller.
    mutating func popFirst() -> Unmanaged<Node>? {
        guard let entry = first else { return nil }
        first = entry._withUnsafeGuaranteedRef { $0.next }
        if first == nil { last = nil }
        return entry
    }

    /// Removes a node of this list from wherever it stands and hands its reference to the caller.
    mutating func remove(_ node: Node) -> Unmanaged<Node> {
        let next = node.next
        let previous = node.previous
        if let previous {
            previous._withUnsafeGuaranteedRef { $0.next = next }
        } else {
            first = next
        }
        if let next {
            next._withUnsafeGuaranteedRef { $0.previous = previous }
        } else {
            last = previous
        }
        return .passUnretained(node)
    }
}
