/// Documents that have been stored before: what has come since is newer, so that they bring back what is missing and
/// leave what is there.
extension Mapper {
    /// The row of an object that is there, and stays as it is with all that it leads to; nil where the object is to
    /// be written.
    ///
    /// A reference is not there; nor is what this import has written, which its document may complete.
    func standingRow(
        of frame: MapperFrame, at node: Int, in role: ObjectRole
    ) throws -> Int64? {
        guard let restoration, !frame.entity.identifying.isEmpty else { return nil }
        let entity = frame.entity
        let values = MapperValues(mapper: self, frame: frame, node: node)
        guard !values.hasEmptyIdentity, let known = try rows.find(values),
            entity.family.descendants.contains(known.entity.index),
            !restoration.hasWritten(known.row, of: known.entity),
            try rows.isComplete(known.row, of: known.entity)
        else { return nil }
        if role.kind == .top { memory.topWrittenAt = deletedCount }
        memory.note(RowOutcome(row: known.row, kind: .unchanged), of: known.entity)
        if known.entity.keepsFetchTimes, !isBare(named(in: frame), of: frame) {
            try noteFetched(known.row, of: known.entity)
        }
        if let owner = role.owner { try link(known.row, of: entity, to: owner, at: node) }
        return known.row
    }

    /// Notes objects that are there, and stand for themselves.
    func noteStanding(_ standing: [FoundRow], as entity: EntityPlan) {
        memory.topWrittenAt = deletedCount
        for found in standing {
            memory.note(RowOutcome(row: found.row, kind: .unchanged), of: found.entity)
            listing?.objects.note(found.row, of: entity, .element)
        }
    }

    private func named(in frame: MapperFrame) -> ColumnSet {
        var named = ColumnSet()
        for index in 0..<frame.entity.columnCount where frame.values[index] >= 0 {
            named.insert(index)
        }
        return named
    }

    /// Whether all that identifies an object is its own.
    func isSelfIdentified(_ entity: EntityPlan) -> Bool {
        entity.identifying.allSatisfy { $0 < entity.attributeCount }
    }
}

extension RowWriter {
    /// Has a to-one column of a row lead to another row where it leads to none; false where it does.
    func fill(
        _ column: Int, of row: Int64, in entity: EntityPlan, with target: Int64
    ) throws -> Bool {
        try isEmpty(column, of: row, in: entity) && point(column, of: row, in: entity, to: target)
    }

    /// Whether a column of a row is empty.
    func isEmpty(_ column: Int, of row: Int64, in entity: EntityPlan) throws -> Bool {
        let name = entity.columnNames[column].sqlName
        let find = try connection.prepare(
            "SELECT 1 FROM \(entity.table) WHERE \(entity.rowid) = ? AND \(name) IS NULL")
        find.bind(row, at: 1)
        defer { find.reset() }
        return try find.step()
    }
}
