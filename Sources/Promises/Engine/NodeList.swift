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

extension Node {
    /// Puts something of any type into the node: in its own room where it fits, else beside it.
    @inlinable
    @inline(__always)
    func put<Content>(_ content: consuming Content) {
        if Self.fits(Content.self) {
            // Taken out in the closure, which may not consume what it captures.
            var content = Optional(content)
            withRoom { room in
                if let content = content.take() {
                    _ = room.initializeMemory(as: Content.self, to: content)
                }
            }
            clearRoom = { $0.assumingMemoryBound(to: Content.self).deinitialize(count: 1) }
        } else {
            let outside = UnsafeMutablePointer<Content>.allocate(capacity: 1)
            outside.initialize(to: content)
            withRoom { $0.storeBytes(of: outside, as: UnsafeMutablePointer<Content>.self) }
            clearRoom = { room in
                let outside = room.load(as: UnsafeMutablePointer<Content>.self)
                outside.deinitialize(count: 1)
                outside.deallocate()
            }
        }
    }

    /// A copy of what was put into the node, which must be of this type.
    @inlinable
    @inline(__always)
    func content<Content>(as type: Content.Type) -> Content {
        // Several threads may read at once, so that this is no access of `withRoom`, which is for one.
        let words = words
        return withUnsafeBytes(of: words) { room in
            guard let start = room.baseAddress, Self.fits(type) else {
                return room.load(as: UnsafeMutablePointer<Content>.self).pointee
            }
            return start.assumingMemoryBound(to: Content.self).pointee
        }
    }

    /// Destroys what was put into the node.
    @inlinable
    @inline(__always)
    func clear() {
        guard let clearRoom else { return }
        self.clearRoom = nil
        withRoom(clearRoom)
    }

    /// Lends `body` the address of the room, to change what is in it; nobody else may look meanwhile.
    @inlinable
    @inline(__always)
    func withRoom<Result>(_ body: (UnsafeMutableRawPointer) -> Result) -> Result {
        withUnsafeMutablePointer(to: &words) { body(UnsafeMutableRawPointer($0)) }
    }

    @inlinable
    @inline(__always)
    static func fits<Content>(_ type: Content.Type) -> Bool {
        MemoryLayout<Content>.size <= 3 * MemoryLayout<UInt>.size
            && MemoryLayout<Content>.alignment <= MemoryLayout<UInt>.alignment
    }
}
