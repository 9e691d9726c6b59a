/// Rows to look at once the document has been mapped, and where their objects stand.
struct PendingChecks {
    /// One of the rows.
    struct Check {
        let entity: EntityPlan
        let row: Int64
        let reason: MappingError.Reason
        fileprivate(set) var place: Place
    }

    /// Where an object stands.
    enum Place {
        /// On the tape that is being read.
        case node(Int)
        /// On a tape before, or in what a transformer has made of the object there.
        case path(String, transformer: String?)
    }

    private struct Key: Hashable {
        let entity: Int
        let row: Int64
    }

    private(set) var checks: [Check] = []

    var isEmpty: Bool { checks.isEmpty }

    mutating func append(
        _ row: Int64, of entity: EntityPlan, at place: Place, _ reason: MappingError.Reason
    ) {
        checks.append(Check(entity: entity, row: row, reason: reason, place: place))
    }

    mutating func removeAll() { checks.removeAll() }

    /// Keeps the paths of objects, whose tape is about to go, and each object once.
    mutating func leave(
        _ storage: JSONDocument.Storage, isPassed: (Check) throws -> Bool
    ) rethrows {
        guard !checks.isEmpty else { return }
        var seen: Set<Key> = []
        checks = try checks.compactMap { check in
            guard seen.insert(Key(entity: check.entity.index, row: check.row)).inserted,
                try !isPassed(check)
            else { return nil }
            var check = check
            if case .node(let node) = check.place {
                check.place = .path(storage.path(to: node), transformer: nil)
            }
            return check
        }
    }
}
