/// The objects that an observed query has found, and which rows they were read from.
struct LiveList<Object: Entity>: Sendable {
    let store: Store
    var rows: [Int64] = []
    var fingerprints: [Fingerprint] = []
    var objects: [Object] = []

    /// Whether another list holds the same, object by object.
    func isSame(as other: LiveList) -> Bool {
        rows == other.rows && fingerprints == other.fingerprints
    }
}
