/// The JSON that a row was last written from, if that says all it holds.
enum RowSource: Equatable {
    /// Nothing that is known.
    case none
    /// A node of the tape that is being read.
    case node(Int)
    /// One of the texts that have been kept of tapes before.
    case text(Int)
}
