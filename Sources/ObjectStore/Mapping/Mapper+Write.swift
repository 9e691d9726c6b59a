extension Mapper {
    /// Writes the named columns of an object and says what became of its row.
    ///
    /// Of an object that does not name all that is required the rest must be in the store, or come later
    /// in the document.
    func write(
        _ columns: ColumnSet, of frame: MapperFrame, at node: Int, in role: ObjectRole
    ) throws -> RowOutcome {
        let entity = frame.entity
        let isWhole = columns.isSuperset(of: entity.required)
        // Its place may make a reference of what is an identity alone, even if no more is required.
        let isReference = isWhole && role.kind == .partial && isBare(columns, of: frame)
        if !isReference, let row = try storedRow(columns, of: frame) {
            let outcome = RowOutcome(row: row, kind: .unchanged)
            return isWhole
                ? outcome : try settle(outcome, columns, [], of: frame, at: node, in: role)
        }
        let nulls = try earlierNulls(besides: columns, of: frame, at: node)
        // Objects inside this one may have referred to it since its row was looked for.
        let written = try rows.write(
            columns.union(nulls), of: MapperValues(mapper: self, frame: frame, node: node),
            asReference: isReference || !isWhole)
        noteSettled(written)
        guard written.entity === entity else {
            throw error(node, entity: entity, field: nil, .otherEntity(written.entity.name))
        }
        var outcome = written.outcome
        outcome.isReference = isReference
        guard isWhole else {
            return try settle(outcome, columns, nulls, of: frame, at: node, in: role)
        }
        if !isReference { noteNulls([], in: outcome.row, of: entity) }
        return outcome
    }

    /// The columns that the document has said before to be empty, of a reference that an object is
    /// about to fill which does not name them.
    private func earlierNulls(
        besides columns: ColumnSet, of frame: MapperFrame, at node: Int
    ) throws -> ColumnSet {
        guard !outermost.nulls.isEmpty, !frame.entity.identifying.isEmpty else { return [] }
        let values = MapperValues(mapper: self, frame: frame, node: node)
        guard !values.hasEmptyIdentity, let known = try rows.find(values) else { return [] }
        return nulls(in: known.row, of: known.entity).intersection(frame.entity.defaultColumns)
            .subtracting(columns)
    }

    /// Whether an object has no value for a column.
    func isEmpty(_ column: Int, of frame: MapperFrame) -> Bool {
        let value = Int(frame.values[column])
        if value < 0 { return frame.values[column] == MapperFrames.missing }
        return isEmpty(value, column: column, of: frame.entity)
    }

    /// Whether a value is null, or a transformer makes it so.
    func isEmpty(_ value: Int, column: Int, of entity: EntityPlan) -> Bool {
        if tape.kind(value) == .null { return true }
        guard !entity.alwaysHasValue(column), let converter = entity.columns[column].converter
        else { return false }
        return (try? converter.value(of: value, in: storage)) == .null
    }

    // MARK: Binding

    /// Binds columns to their parameters.
    func bind(
        _ columns: ColumnSet, of frame: MapperFrame, to target: ColumnStatement
    ) throws {
        let entity = frame.entity
        let statement = target.statement
        var parameter: Int32 = 1
        for index in 0..<entity.columnCount where columns.contains(index) {
            if target.isGeneral { parameter = Int32(truncatingIfNeeded: index) &+ 1 }
            let value = Int(frame.values[index])
            if value == MapperFrames.givenRow {
                statement.bind(frame.rows[index], at: parameter)
            } else if value < 0 {
                statement.bindNull(at: parameter)
            } else if tape.kind(value) == .null {
                guard entity.columns[index].isOptional else {
                    throw error(value, entity: entity, field: index, .null)
                }
                statement.bindNull(at: parameter)
            } else if let coder = entity.columns[index].coder {
                if !(try coder.bind(value, of: tape, to: statement, at: parameter)) {
                    try convert(value, column: index, of: entity, to: statement, at: parameter)
                }
            } else {
                statement.bind(frame.rows[index], at: parameter)
            }
            parameter &+= 1
        }
    }

    /// Binds the value of an attribute that is not null.
    func bind(
        _ value: Int, column: Int, of entity: EntityPlan, to statement: Statement, at index: Int32
    ) throws {
        let coder = entity.columns[column].coder
        if try coder?.bind(value, of: tape, to: statement, at: index) != true {
            try convert(value, column: column, of: entity, to: statement, at: index)
        }
    }

    /// Binds the value that a converter makes; without one a coder has refused what stands there.
    @inline(never)
    private func convert(
        _ value: Int, column: Int, of entity: EntityPlan, to statement: Statement, at index: Int32
    ) throws {
        guard let converter = entity.columns[column].converter else {
            throw unexpected(
                value, entity.columns[column].coder?.expectation ?? "a value", entity: entity,
                field: column)
        }
        do {
            let converted = try converter.value(of: value, in: storage)
            if converted == .null, !entity.columns[column].isOptional {
                throw error(value, entity: entity, field: column, .null)
            }
            try statement.bind(converted, at: index)
        } catch let failure as ValueConverter.Failure {
            switch failure {
            case .unexpected(let expectation):
                throw unexpected(value, expectation, entity: entity, field: column)
            case .thrown(let transformer, let message):
                throw error(
                    value, entity: entity, field: column,
                    .transformer(transformer, message: message))
            }
        }
    }
}

extension Mapper {
    /// The row of an object that is stored just as the JSON has it, nil where it is not, or where
    /// only writing it can tell.
    func storedRow(_ columns: ColumnSet, of frame: MapperFrame) throws -> Int64? {
        let entity = frame.entity
        guard case .rowid = entity.identity, entity.family.isAlone,
            plan.shortcuts.contains(.storedRows), !memory.hasDeleted,
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
