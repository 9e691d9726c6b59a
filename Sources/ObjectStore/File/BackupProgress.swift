/// How far a backup has come, in pages of the file.
public struct BackupProgress: Hashable, Sendable {
    /// How many pages have been copied.
    public let completed: Int
    /// How many pages there are.
    public let total: Int
}
