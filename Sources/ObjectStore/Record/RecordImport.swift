/// The result of importing JSON by the name of an entity.
public struct RecordImport: Sendable {
    /// The counts of what was inserted, updated and linked, by entity.
    public let report: ImportReport
    /// The objects that the JSON, or the elements of its array, have become.
    public let records: Records
}
