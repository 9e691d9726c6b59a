/// Rows to look at once the document has been mapped, and where their objects stand.
struct PendingChecks {
    /// One of the rows.
    struct Check {
        let entity: EntityPlan
        let row: Int64
        let reason: MappingError.Reason
        fileprivate(set) var place: Place
    }

    /// The place of an object that is to be checked.
    enum Place {
        /// On the tape that is being read.
        case node(Int)
        /// On a tape before, or in what a transformer has made of the object there.
        case path(String, transformer: String?)
    }

    private struct Key: Hashable {
        let entity: Int
        let row: Int64

        init(_ check: Check) { (entity, row) = (check.entity.index, check.row) }

        /// Of all entities that share a table the first one stands for a row of it.
        init(row: Int64, sharedBy entity: EntityPlan) {
            (self.entity, self.row) = (entity.family.members[0], row)
        }
    }

    private var noted: [Check] = []
    /// The number of checks at the time when a row was deleted: what comes to its number later is
    /// another object.
    private var deletions: [Key: Int] = [:]

    var isEmpty: Bool { noted.isEmpty }

    /// The checks of rows that are still there.
    var checks: [Check] {
        guard !deletions.isEmpty else { return noted }
        return noted.indices.filter { index in
            let check = noted[index]
            return deletions[Key(row: check.row, sharedBy: check.entity)].map { index >= $0 }
                ?? true
        }.map { noted[$0] }
    }

    mutating func append(
        _ row: Int64, of entity: EntityPlan, at place: Place, _ reason: MappingError.Reason
    ) {
        noted.append(Check(entity: entity, row: row, reason: reason, place: place))
    }

    /// A row has been deleted.
    mutating func forget(_ row: Int64, of entity: EntityPlan) {
        if !noted.isEmpty { deletions[Key(row: row, sharedBy: entity)] = noted.count }
    }

    mutating func removeAll() {
        noted.removeAll()
        deletions.removeAll()
    }

    /// Keeps the paths of objects, whose tape is about to go, and each object once.
    mutating func leave(
        _ storage: JSONDocument.Storage, isPassed: (Check) throws -> Bool
    ) rethrows {
        guard !noted.isEmpty else { return }
        var seen: Set<Key> = []
        noted = try checks.compactMap { check in
            guard seen.insert(Key(check)).inserted,
                try !isPassed(check)
            else { return nil }
            var check = check
            if case .node(let node) = check.place {
                check.place = .path(storage.path(to: node), transformer: nil)
            }
            return check
        }
        deletions.removeAll()
    }
}
