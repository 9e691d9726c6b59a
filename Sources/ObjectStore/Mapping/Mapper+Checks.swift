/// The checks of objects that have to wait until the document has been mapped.
extension Mapper {
    /// Puts off until the end of the document whether a row has all that is required.
    func expectCompletion(
        of row: Int64, as entity: EntityPlan, at node: Int, _ reason: MappingError.Reason
    ) {
        outermost.incomplete.append(row, of: entity, at: checkPlace(of: node), reason)
    }

    /// Puts off until the end of the document whether an object keeps its entity's rules.
    func expectRules(of row: Int64, as entity: EntityPlan, at node: Int) {
        outermost.ruled.append(row, of: entity, at: checkPlace(of: node), .missing)
    }

    /// Nothing is expected any more of a row that has been deleted.
    func forgetChecks(of row: Int64, as entity: EntityPlan) {
        outermost.incomplete.forget(row, of: entity)
    }

    private func checkPlace(of node: Int) -> PendingChecks.Place {
        guard let origin else { return .node(node) }
        return .path(place(of: node), transformer: origin.transformer)
    }

    /// Writes what is still to be written; throws where a row lacks something that is required, or
    /// an object breaks a rule.
    func finish() throws {
        try bury(at: 0)
        try statements.writeLinks()
        for check in incomplete.checks { try perform(check) }
        if let (check, rule) = try breach() {
            throw error(of: check, as: check.entity, field: nil, .rule(rule))
        }
        forgetChecks()
    }

    /// Nothing is expected any more of what has been mapped.
    func forgetChecks() {
        incomplete.removeAll()
        ruled.removeAll()
    }

    /// Throws where one of these rows lacks something that is required, though the rest of the document
    /// might bring it.
    func checkAreWhole(_ rows: [Int64], of entity: EntityPlan) throws {
        guard !incomplete.isEmpty else { return }
        let rows = Set(rows)
        let root = entity.family.members[0]
        for check in incomplete.checks
        where check.entity.family.members[0] == root && rows.contains(check.row) {
            try perform(check)
        }
    }

    private func perform(_ check: PendingChecks.Check) throws {
        if let lack = try lack(of: check) {
            throw error(of: check, as: lack.entity, field: lack.column, check.reason)
        }
    }

    /// Checks what can be checked of the rows of a tape that is about to go, and keeps the others.
    func leaveChecks() throws {
        try incomplete.leave(storage) { try lack(of: $0) == nil }
        guard !ruled.isEmpty else { return }
        try statements.writeLinks()
        // An object may break a rule as long as the document has not ended.
        if try breach() == nil { ruled.removeAll() } else { ruled.leave(storage) { _ in false } }
    }

    /// Returns the required column that a row lacks, of the entity that its object has become one of; a
    /// reference that lacks none becomes an object.
    private func lack(of check: PendingChecks.Check) throws -> (entity: EntityPlan, column: Int)? {
        let entity = try rows.entity(of: check.row, as: check.entity)
        // What has fallen out of an array may be a reference.
        let standing = try rows.complete(check.row, of: entity, unless: check.mayRefer)
        if check.mayRefer, standing.isReference { return nil }
        return standing.missing.map { (entity, $0) }
    }

    /// An object that breaks a rule, and the rule.
    private func breach() throws -> (PendingChecks.Check, rule: String)? {
        if ruled.isEmpty { return nil }
        let checks = ruled.checks
        let rows = Dictionary(grouping: checks, by: \.entity.index).mapValues { $0.map(\.row) }
        guard let breach = try reader.breach(among: rows),
            let check = checks.last(where: {
                $0.row == breach.row && $0.entity === breach.entity
            })
        else { return nil }
        return (check, breach.rule)
    }

    private func error(
        of check: PendingChecks.Check, as entity: EntityPlan, field: Int?,
        _ reason: MappingError.Reason
    ) -> MappingError {
        switch check.place {
        case .node(let node):
            return error(node, entity: entity, field: field, reason)
        case .path(let path, let transformer):
            return MappingError(
                entity: entity.name,
                attribute: field.map { entity.fieldName($0) },
                path: path, file: outermost.document.filePath, reason: reason,
                rewrittenBy: transformer)
        }
    }
}

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
        /// On a tape before, or in what a transformer has made of the object there.
        case path(String, transformer: String?)
    }

    private struct Key: Hashable {
        let entity: Int
        let row: Int64
        /// Whether a reference would pass, which says nothing of what must be an object.
        let mayRefer: Bool

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
        let left = try (isDue ? checks[...] : noted[start...]).compactMap { check -> Check? in
            guard seen.insert(Key(check)).inserted,
                try !isPassed(check)
            else { return nil }
            var check = check
            if case .node(let node) = check.place {
                check.place = .path(storage.path(to: node), transformer: nil)
            }
            return check
        }
        noted.replaceSubrange(start..., with: left)
        leftCount = noted.count
        if isDue { lookedAtCount = leftCount }
        deletions.removeAll()
    }
}
