import LarderObjectStore

/// What a store has before something is asked for: what comes to it from then on may be newer than the answer.
struct StoreBefore: Sendable {
    /// What a list may be the whole of.
    private(set) var list: ListedPages?
    /// The object that may be found to be gone; nil where nobody has looked.
    private(set) var removable: RemovableObject.Earlier?

    init() {}

    /// - Parameter watch: One that began before the snapshot.
    init(
        _ completeness: Completeness?, _ removal: RemovableObject?, in snapshot: Snapshot,
        since watch: RowWatch
    ) throws {
        list = try completeness.map {
            ListedPages($0, besides: try $0.candidates(in: snapshot, since: watch))
        }
        removable = try removal?.standing(in: snapshot, since: watch)
    }
}
