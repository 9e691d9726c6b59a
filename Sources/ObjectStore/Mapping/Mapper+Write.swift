extension Mapper {
    /// Writes the named columns of an object and says what became of its row.
    func write(
        _ columns: ColumnSet, of frame: MapperFrame, at node: Int
    ) throws -> MapperOutcome {
        guard columns.isSuperset(of: frame.entity.required) else {
            return try complete(columns, of: frame, at: node)
        }
        let statement = try statements.entity(frame.entity).upsert(columns)
        _ = try bind(columns, of: frame, to: statement, from: 1)
        let connection = statements.connection
        // An upsert that updates leaves the last inserted row as it was.
        connection.lastInsertedRow = .min
        try run(statement, of: frame.entity, at: node)
        let isChanged = connection.changeCount > 0
        let inserted = connection.lastInsertedRow
        if isChanged, inserted != .min {
            return MapperOutcome(row: inserted, kind: .inserted)
        }
        let row = try row(of: frame, at: node)
        return MapperOutcome(row: row, kind: isChanged ? .updated : .unchanged)
    }

    /// Updates an object of which the JSON does not have all that is required: the rest must be in
    /// the store.
    private func complete(
        _ columns: ColumnSet, of frame: MapperFrame, at node: Int
    ) throws -> MapperOutcome {
        let entity = frame.entity
        let missing = entity.required.subtracting(columns).first
        let statements = statements.entity(entity)
        guard columns.isSuperset(of: entity.identifying), !entity.identifying.isEmpty else {
            throw error(node, entity: entity, field: missing, .missing)
        }
        let find = try statements.find()
        _ = try bind(entity.identifying, of: frame, to: find, from: 1)
        let isComplete = try find.step() && find.integer(at: 1) != 0
        let row = isComplete ? find.integer(at: 0) : 0
        find.reset()
        guard isComplete else { throw error(node, entity: entity, field: missing, .missing) }
        let others = columns.subtracting(entity.identifying)
        guard !others.isEmpty else { return MapperOutcome(row: row, kind: .unchanged) }
        let update = try statements.update(columns)
        let next = try bind(entity.identifying, of: frame, to: update, from: 1)
        _ = try bind(others, of: frame, to: update, from: next)
        try run(update, of: entity, at: node)
        let isChanged = self.statements.connection.changeCount > 0
        return MapperOutcome(row: row, kind: isChanged ? .updated : .unchanged)
    }

    /// The row of an object that is in the store.
    private func row(of frame: MapperFrame, at node: Int) throws -> Int64 {
        if case .rowid(let column) = frame.entity.identity,
            let row = tape.integer(Int(frame.values[column]))
        {
            return row
        }
        let find = try statements.entity(frame.entity).find()
        _ = try bind(frame.entity.identifying, of: frame, to: find, from: 1)
        defer { find.reset() }
        guard try find.step() else {
            throw error(node, entity: frame.entity, field: nil, .missing)
        }
        return find.integer(at: 0)
    }

    /// Binds columns to parameters, in order, and returns the parameter behind the last.
    private func bind(
        _ columns: ColumnSet, of frame: MapperFrame, to statement: Statement, from first: Int32
    ) throws -> Int32 {
        let entity = frame.entity
        var parameter = first
        for index in 0..<entity.columns.count where columns.contains(index) {
            let value = Int(frame.values[index])
            let column = entity.columns[index]
            if value < 0 {
                statement.bind(frame.rows[index], at: parameter)
            } else if tape.kind(value) == .null {
                guard column.isOptional else {
                    throw error(value, entity: entity, field: index, .null)
                }
                statement.bindNull(at: parameter)
            } else if let coder = column.coder {
                guard try coder.bind(value, of: tape, to: statement, at: parameter) else {
                    throw unexpected(value, coder.expectation, entity: entity, field: index)
                }
            } else {
                statement.bind(frame.rows[index], at: parameter)
            }
            parameter &+= 1
        }
        return parameter
    }

    /// Runs a statement; a constraint that refuses the row is the JSON's fault.
    private func run(
        _ statement: Statement, of entity: EntityPlan, at node: Int
    ) throws {
        do {
            try statement.run()
        } catch let failure where failure.code == .constraint {
            throw error(node, entity: entity, field: nil, .refused(failure.message))
        }
    }
}
