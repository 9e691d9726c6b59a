/// How far a migration has come.
public struct MigrationProgress: Hashable, Sendable {
    /// The entity whose objects, or links, are being copied.
    public let entity: String
    /// How many rows have been copied so far, of all tables.
    public let completed: Int
    /// How many rows there are to copy.
    public let total: Int
}
