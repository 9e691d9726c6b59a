extension Mapper {
    /// The row of an object that is stored just as the JSON has it, nil where it is not, or where
    /// only writing it can tell.
    func storedRow(_ columns: ColumnSet, of frame: MapperFrame) throws -> Int64? {
        let entity = frame.entity
        guard case .rowid = entity.identity, plan.shortcuts.contains(.storedRows),
            !memory.hasDeleted,
            let row = knownRow(of: frame),
            !memory.hasMet(row, of: entity)
        else { return nil }
        let cursor = try statements.entity(entity).cursor(columns)
        guard try cursor.move(to: row) else { return nil }
        return isStored(columns, of: frame, in: cursor) ? row : nil
    }

    /// Whether the columns of a statement's row, which stand behind its rowid, hold what the
    /// JSON has.
    private func isStored(
        _ columns: ColumnSet, of frame: MapperFrame, in cursor: RowCursor
    ) -> Bool {
        let entity = frame.entity
        let statement = cursor.statement
        var result: Int32 = 1
        for index in 0..<entity.columnCount where columns.contains(index) {
            if cursor.isGeneral { result = Int32(truncatingIfNeeded: index) &+ 1 }
            let value = Int(frame.values[index])
            if value == MapperFrames.givenRow {
                guard statement.holds(frame.rows[index], at: result) else { return false }
            } else if value < 0 || tape.kind(value) == .null {
                guard statement.isNull(at: result), entity.columns[index].isOptional else {
                    return false
                }
            } else if let coder = entity.columns[index].coder {
                guard coder.isEqual(value, of: tape, to: statement, at: result) else {
                    return false
                }
            } else {
                guard statement.holds(frame.rows[index], at: result) else { return false }
            }
            result &+= 1
        }
        if cursor.isGeneral { result = Int32(truncatingIfNeeded: entity.columnCount) &+ 1 }
        // A reference becomes an object by being written.
        return statement.isNull(at: result)
    }
}
