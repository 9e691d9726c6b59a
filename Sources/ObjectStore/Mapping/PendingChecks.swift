/// Rows to look at once the document has been mapped, and where their objects stand.
struct PendingChecks {
    /// One of the rows.
    struct Check {
        let entity: EntityPlan
        let row: Int64
        let reason: MappingError.Reason
        fileprivate(set) var place: Place

        /// Whether the row may be a reference, of which nothing is required.
        var mayRefer: Bool { reason == .requiredByInverse }
    }

    /// The place of an object that is to be checked.
    enum Place {
        /// On the tape that is being read.
        case node(Int)
        /// On a tape before, or in what a transformer has made of the object there; with the
        /// object's first keys, where these are kept.
        case path(String, transformer: String?, keys: [String] = [])
    }

    /// A row, and what is asked of it.
    struct Key: Hashable {
        private let entity: Int
        private let row: Int64
        /// Whether a reference would pass, which says nothing of what must be an object.
        private let mayRefer: Bool

        init(_ check: Check) {
            (entity, row, mayRefer) = (check.entity.index, check.row, check.mayRefer)
        }

        /// Of all entities that share a table the first one stands for a row of it.
        init(row: Int64, sharedBy entity: EntityPlan) {
            (self.entity, self.row, mayRefer) = (entity.family.members[0], row, false)
        }
    }

    private var noted: [Check] = []
    /// The number of checks, from the first on, that are of tapes before.
    private var leftCount = 0
    /// The number of them that there were when all were last looked at.
    private var lookedAtCount = 0
    /// The number of checks of tapes before that keep their objects' keys: the first one that fails
    /// is the error.
    private static let keptKeysCount = 64
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
        (leftCount, lookedAtCount) = (0, 0)
        deletions.removeAll()
    }

    /// Keeps the paths of objects, whose tape is about to go, and each object once.
    mutating func leave(
        _ storage: JSONDocument.Storage, isPassed: (Check) throws -> Bool
    ) rethrows {
        guard !noted.isEmpty else { return }
        // Those of tapes before are looked at again once there are twice as many, so that what is to
        // come does not cost a look at each of them with every tape.
        let isDue = !deletions.isEmpty || noted.count >= 2 * lookedAtCount
        let start = isDue ? 0 : leftCount
        var seen: Set<Key> = []
        var room = max(Self.keptKeysCount - leftCount, 0)
        let left = try (isDue ? checks[...] : noted[start...]).compactMap { check -> Check? in
            guard seen.insert(Key(check)).inserted,
                try !isPassed(check)
            else { return nil }
            var check = check
            if case .node(let node) = check.place {
                let keys =
                    room > 0 && storage.tape.kind(node) == .object
                    ? storage.tape.firstKeys(of: node) : []
                room -= 1
                check.place = .path(storage.path(to: node), transformer: nil, keys: keys)
            }
            return check
        }
        noted.replaceSubrange(start..., with: left)
        leftCount = noted.count
        if isDue { lookedAtCount = leftCount }
        deletions.removeAll()
    }
}
