/// The outcome of writing a row.
struct RowOutcome {
    enum Kind: UInt8 { case inserted, updated, unchanged }

    let row: Int64
    var kind: Kind
    /// Whether the row is a reference still, for all that was written.
    var isReference = false
}

extension ImportReport.Counts {
    /// Counts an object that was written, or takes it back by -1.
    mutating func note(_ kind: RowOutcome.Kind, _ change: Int = 1) {
        switch kind {
        case .inserted: inserted += change
        case .updated: updated += change
        case .unchanged: unchanged += change
        }
    }
}
