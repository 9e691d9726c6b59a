/// The progress of a backup, in pages of the file.
public struct BackupProgress: Hashable, Sendable {
    /// The number of pages that have been copied.
    public let completed: Int
    /// The number of pages in all.
    public let total: Int
}
