/// The outcome of rebuilding a damaged store.
public struct RebuildReport: Hashable, Sendable {
    /// The damaged file, where it is now; nil where there was none.
    public internal(set) var damagedFile: String?
    /// The number of objects saved from the damaged file into the new store, by entity.
    public internal(set) var saved: [String: Int] = [:]
    /// The entities, and the relationships with their entities, that could not be read whole.
    public internal(set) var incomplete: [String] = []
    /// The number of links that are gone because they led to objects that could not be read.
    public internal(set) var brokenLinks = 0
}
