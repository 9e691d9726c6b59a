/// An object that a search has found, and what it was found by.
public struct SearchHit<Object: Entity>: Sendable {
    /// The object.
    public let object: Object
    /// The quality of the match: the larger the better, by BM25.
    ///
    /// It says something beside that of other objects of the same search only.
    public let relevance: Double
    /// The piece of its text where the words are; empty text where nothing is searched for.
    public let snippet: Snippet
}
