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
        noteNulls([], in: row, of: entity)
    }

    /// The columns with defaults that the document has said to be empty in the row of a reference.
    func nulls(in row: Int64, of entity: EntityPlan) -> ColumnSet {
        outermost.nulls.isEmpty ? [] : outermost.nulls[row, in: entity.family.members[0]]
    }

    /// Keeps which columns with defaults are empty as the document says, as long as the row is one of
    /// a reference.
    func noteNulls(_ columns: ColumnSet, in row: Int64, of entity: EntityPlan) {
        if columns.isEmpty, outermost.nulls.isEmpty { return }
        outermost.nulls[row, in: entity.family.members[0]] = columns
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
        nulls.removeAll()
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
        let standing = try completed(check.row, as: entity, unless: check.mayRefer)
        if check.mayRefer, standing.isReference { return nil }
        return standing.missing.map { (entity, $0) }
    }

    /// Makes an object of the reference in a row that lacks nothing that is required.
    func completed(
        _ row: Int64, as entity: EntityPlan, unless isReference: Bool = false
    ) throws -> RowStanding {
        let standing = try rows.complete(
            row, of: entity, besides: nulls(in: row, of: entity), unless: isReference)
        if !standing.isReference { noteNulls([], in: row, of: entity) }
        return standing
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
        case .path(let path, let transformer, let keys):
            let key = reason == .missing ? field.flatMap { entity.key(of: $0) } : nil
            return MappingError(
                entity: entity.name,
                attribute: field.map { entity.fieldName($0) },
                path: path, file: outermost.document.filePath, reason: reason,
                rewrittenBy: transformer,
                search: key.flatMap { key in
                    keys.isEmpty ? nil : MappingError.KeySearch(key: key, found: keys)
                })
        }
    }
}
