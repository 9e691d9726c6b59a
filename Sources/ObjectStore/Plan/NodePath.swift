/// A dotted key path from an object to what stands in it.
struct NodePath: Sendable {
    private let steps: [[UInt8]]

    init(_ keyPath: String) {
        steps = keyPath.split(separator: ".", omittingEmptySubsequences: false)
            .map { [UInt8]($0.utf8) }
    }

    /// The node at the path, nil where a step is missing or no object.
    func node(in object: Int, _ tape: JSONTape) -> Int? {
        var node = object
        for step in steps {
            guard tape.kind(node) == .object,
                let member = step.withUnsafeBufferPointer({ tape.member($0, of: node) })
            else { return nil }
            node = member
        }
        return node
    }
}
