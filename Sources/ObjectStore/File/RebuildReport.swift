/// What became of a damaged store.
public struct RebuildReport: Hashable, Sendable {
    /// The damaged file, where it is now; nil where there was none.
    public internal(set) var damagedFile: String?
    /// How many objects could be read from the damaged file and are in the new store, by entity.
    public internal(set) var saved: [String: Int] = [:]
    /// The entities, and the relationships with their entities, that could not be read whole.
    public internal(set) var incomplete: [String] = []
    /// How many links led to objects that could not be read, and are gone.
    public internal(set) var brokenLinks = 0
}
