/// The limits within which a document is read; its size is the transport's matter.
public struct XMLLimits: Sendable, Hashable {
    /// The deepest that elements may be nested; 100 unless set, and never more than 250.
    public var depth: Int

    /// The most elements and attributes; a million unless set.
    ///
    /// One element never has more than 10,000 attributes.
    public var nodes: Int

    /// What the parser of each system can do.
    static let deepest = 250

    /// Creates limits.
    public init(depth: Int = 100, nodes: Int = 1_000_000) {
        self.depth = depth
        self.nodes = nodes
    }
}
