/// The progress of a migration, in rows.
public struct MigrationProgress: Hashable, Sendable {
    /// The entity whose objects, or links, are being copied.
    public let entity: String
    /// The number of rows that have been copied so far, of all tables.
    public let completed: Int
    /// The number of rows to copy.
    public let total: Int
}
