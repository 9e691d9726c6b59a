/// Writes rows: one identity, one row, whether the values come from a document or from code.
///
/// What is written here is noted in the log of changes. Counting, what is required and what rules say is
/// up to whoever brings the values.
struct RowWriter {
    let plan: StorePlan
    let statements: WriteStatements

    var connection: Connection { statements.connection }

    // MARK: Finding

    /// The row that has an object's identity, and the entity of the object there; in a table that
    /// several entities share that may be any which the identity is shared with.
    func find(_ values: some RowValues) throws -> FoundRow? {
        guard values.entity.family.isAlone else { return try findInFamily(values) }
        return try findRow(values).map { FoundRow(row: $0, entity: values.entity) }
    }

    /// Whether a row is more than a reference.
    func isComplete(_ row: Int64, of entity: EntityPlan) throws -> Bool {
        try !statements.entity(entity).standing(of: row).isReference
    }

    // MARK: Writing

    /// Writes columns of an object to the row that has its identity, else to a new one.
    ///
    /// - Parameter isReference: Whether what is written does not make an object of the row: the columns
    ///   are not all that is required, or they are and the object stands for another one all the same.
    @inline(__always)
    func write(
        _ columns: ColumnSet, of values: some RowValues, asReference isReference: Bool = false
    ) throws -> WrittenRow {
        if isReference { try checkIsIdentified(columns, of: values) }
        var columns = columns
        // What an identity leaves out is empty, be there a default or not.
        if values.entity.hasOptionalIdentity {
            columns.formUnion(values.entity.identifyingDefaults)
        }
        guard values.entity.family.isAlone else {
            return try writeInFamily(columns, of: values, asReference: isReference)
        }
        if isReference, values.entity.completes(columns) {
            return WrittenRow(try writeReference(with: columns, of: values), of: values.entity)
        }
        return WrittenRow(try writeRow(columns, of: values), of: values.entity)
    }

    /// Writes a row that holds nothing but its identity, unless there is one with it.
    func writeReference(_ values: some RowValues) throws -> WrittenRow {
        guard values.entity.family.isAlone else { return try writeReferenceInFamily(values) }
        return WrittenRow(try writeReferenceRow(values), of: values.entity)
    }

    /// Makes an object of the reference in a row that lacks nothing of what is required, and returns the
    /// row's standing then.
    ///
    /// - Parameters:
    ///   - named: The columns with defaults that the object has been said to have a value in, or none.
    ///   - isReference: Whether it stays a reference all the same.
    func complete(
        _ row: Int64, of entity: EntityPlan, besides named: ColumnSet,
        unless isReference: Bool = false
    ) throws -> RowStanding {
        let statements = statements.entity(entity)
        var standing = try statements.standing(of: row)
        guard standing.missing == nil, standing.isReference, !isReference else { return standing }
        standing.isCompleted = try statements.complete(row, besides: named)
        standing.isReference = false
        return standing
    }

    /// Throws where columns that are not all that is required lack what identifies the object, so that
    /// no other object can bring the rest.
    private func checkIsIdentified(_ columns: ColumnSet, of values: some RowValues) throws {
        let entity = values.entity
        let lacking = entity.required.subtracting(columns)
        // Where an entity is alone, an object of an empty identity may still get the rest from its owner.
        let isLost =
            entity.identifying.isEmpty || !entity.family.isAlone && values.hasEmptyIdentity
        guard
            let missing = lacking.intersection(entity.identifying).first
                ?? (isLost ? lacking.first : nil)
        else { return }
        throw values.error(.missing(missing, entity))
    }

    // MARK: Rows of a table that an entity has for itself

    private func findRow(_ values: some RowValues) throws -> Int64? {
        let find = try statements.entity(values.entity).find()
        try values.bind(values.entity.identifying, to: ColumnStatement(named: find))
        defer { find.reset() }
        return try find.step() ? find.integer(at: 0) : nil
    }

    @inline(__always)
    private func writeRow(_ columns: ColumnSet, of values: some RowValues) throws -> RowOutcome {
        if values.entity.hasOptionalIdentity, let row = try findPartlyIdentified(values) {
            return try update(row, columns, of: values)
        }
        return try upsert(columns, of: values)
    }

    /// Writes a reference, and the columns besides its identity that its place says.
    private func writeReference(
        with columns: ColumnSet, of values: some RowValues
    ) throws -> RowOutcome {
        var outcome = try writeReferenceRow(values)
        let placed = try update(outcome.row, columns, of: values, completing: false)
        if outcome.kind == .unchanged { outcome.kind = placed.kind }
        return outcome
    }

    private func writeReferenceRow(_ values: some RowValues) throws -> RowOutcome {
        if values.entity.hasOptionalIdentity, let row = try findPartlyIdentified(values) {
            return RowOutcome(row: row, kind: .unchanged, isReference: true)
        }
        let insert = try statements.entity(values.entity).insertReference()
        try values.bind(values.entity.identifying, to: insert)
        try run(insert.statement, for: values)
        if connection.changeCount > 0 {
            return RowOutcome(
                row: connection.lastInsertedRow, kind: .inserted, isReference: true)
        }
        guard let row = try findRow(values) else { throw values.error(.missingRow) }
        return RowOutcome(row: row, kind: .unchanged, isReference: true)
    }

    /// Writes columns that don't identify an object to its row.
    ///
    /// - Parameter completing: Whether a reference in the row is to become an object by that, where
    ///   nothing else is to be written.
    func update(
        _ row: Int64, _ columns: ColumnSet, of values: some RowValues, completing: Bool = true
    ) throws -> RowOutcome {
        let entity = values.entity
        let others = columns.subtracting(entity.identifying)
        guard !others.isEmpty || completing && entity.completes(columns) else {
            return RowOutcome(row: row, kind: .unchanged)
        }
        let completes = completing && entity.completes(columns)
        let update = try statements.entity(entity).update(others, completing: completes)
        try values.bind(others, to: update)
        update.statement.bind(row, at: update.rowParameter)
        try run(update.statement, for: values)
        guard connection.changeCount > 0 else { return RowOutcome(row: row, kind: .unchanged) }
        statements.changes.noteUpdate(
            of: row, in: entity, columns: completes ? entity.written(others) : others)
        return RowOutcome(row: row, kind: .updated)
    }

    @inline(__always)
    private func upsert(_ columns: ColumnSet, of values: some RowValues) throws -> RowOutcome {
        let entity = values.entity
        let upsert = try statements.entity(entity).upsert(columns)
        try values.bind(columns, to: upsert)
        let known = values.knownRow
        // An upsert that updates leaves the last inserted row as it was.
        let none: Int64 = known == .min ? .max : .min
        connection.lastInsertedRow = none
        try run(upsert.statement, for: values)
        let isChanged = connection.changeCount > 0
        if isChanged, case let row = connection.lastInsertedRow, row != none {
            return RowOutcome(row: row, kind: .inserted)
        }
        guard let row = try known ?? findRow(values) else { throw values.error(.missingRow) }
        guard isChanged else { return RowOutcome(row: row, kind: .unchanged) }
        statements.changes.noteUpdate(of: row, in: entity, columns: entity.written(columns))
        return RowOutcome(row: row, kind: .updated)
    }

    /// The row of an identity of which a part is empty, which SQLite takes as different from all others.
    ///
    /// One that is empty as a whole makes a new object.
    private func findPartlyIdentified(_ values: some RowValues) throws -> Int64? {
        let identifying = values.entity.identifying
        let empty = identifying.count(where: values.isEmpty)
        return empty == 0 || empty == identifying.count ? nil : try findRow(values)
    }

    /// Runs a statement that values have been bound to.
    @inline(__always)
    func run(_ statement: Statement, for values: some RowValues) throws {
        do {
            try statement.run()
        } catch let failure where failure.reason == .constraint {
            throw values.error(.constraint(failure.message))
        }
    }
}

/// Links, which are in a to-one column or in a table of their own.
extension RowWriter {
    /// Has a to-one column of a row lead to another row, or to none; false where it did.
    func point(
        _ column: Int, of row: Int64, in entity: EntityPlan, to target: Int64?
    ) throws -> Bool {
        let name = entity.columnNames[column].sqlName
        let update = try connection.prepare(
            "UPDATE \(entity.table) SET \(name) = ?1"
                + " WHERE \(entity.rowid) = ?2 AND \(name) IS NOT ?1")
        if let target { update.bind(target, at: 1) } else { update.bindNull(at: 1) }
        update.bind(row, at: 2)
        try update.run()
        guard connection.changeCount > 0 else { return false }
        var columns = ColumnSet()
        columns.insert(column)
        statements.changes.noteUpdate(of: row, in: entity, columns: columns)
        return true
    }

    /// The rows of an entity, and of those below it, of which a to-one column leads to a row, in order.
    func rows(of entity: EntityPlan, leadingTo target: Int64, by column: Int) throws -> [Int64] {
        let select = try connection.prepare(
            "SELECT \(entity.rowid) FROM \(entity.table)"
                + " WHERE \(entity.columnNames[column].sqlName) = ?"
                + (entity.rowScope(entity.table).map { " AND \($0)" } ?? "")
                + " ORDER BY \(entity.rowid)")
        select.bind(target, at: 1)
        defer { select.reset() }
        var rows: [Int64] = []
        while try select.step() { rows.append(select.integer(at: 0)) }
        return rows
    }

    /// The links of an owner in a table, with those that wait to be written.
    func links(of owner: Int64, by links: LinkStatements) throws -> LinkStatements.Links {
        try statements.writeLinks()
        return try links.links(of: owner)
    }

    /// Has the links of an owner in a table be these, in this order where the table has one.
    ///
    /// - Parameter before: Those that there are.
    func link(
        _ after: [Int64], to owner: Int64, insteadOf before: LinkStatements.Links,
        by links: LinkStatements
    ) throws -> LinkDifference {
        let difference = LinkDifference(from: before.rows, to: after)
        for row in difference.gone { try links.delete(owner, row) }
        if links.isOrdered {
            try links.place(after, of: owner, after: before)
        } else {
            for row in difference.new { try links.insert(owner, row) }
        }
        return difference
    }
}

/// The rows whose links go, and those whose links come.
struct LinkDifference {
    let gone: [Int64]
    let new: [Int64]

    init(from before: [Int64], to after: [Int64]) {
        gone = RowList.difference(before, after)
        new = RowList.difference(after, before)
    }
}
