/// The objects that an observed query has found, and which rows they were read from.
struct LiveList<Object: Entity>: Sendable {
    let store: Store
    var rows: [Int64] = []
    var fingerprints: [Fingerprint] = []
    var objects: [Object] = []

    /// An empty list.
    init(store: Store) { self.store = store }

    mutating func append(_ row: Int64, _ fingerprint: Fingerprint, _ object: Object) {
        rows.append(row)
        fingerprints.append(fingerprint)
        objects.append(object)
    }

    mutating func reserveCapacity(_ count: Int) {
        rows.reserveCapacity(count)
        fingerprints.reserveCapacity(count)
        objects.reserveCapacity(count)
    }

    /// Whether another list holds the same, object by object.
    func isSame(as other: LiveList) -> Bool {
        rows == other.rows && fingerprints == other.fingerprints
    }
}
