extension Mapper {
    /// Writes the named columns of an object and says what became of its row.
    func write(
        _ columns: ColumnSet, of frame: MapperFrame, at node: Int, in role: ObjectRole
    ) throws -> MapperOutcome {
        let entity = frame.entity
        guard entity.family.isAlone else {
            return try writeInFamily(columns, of: frame, at: node, in: role)
        }
        guard columns.isSuperset(of: entity.required) else {
            return try writePart(columns, of: frame, at: node, in: role)
        }
        if role.kind == .partial, isBare(columns, of: frame) {
            return try writeReference(frame, at: node)
        }
        return entity.hasOptionalIdentity
            ? try writeByOptionalIdentity(columns, of: frame, at: node)
            : try upsert(columns, of: frame, at: node)
    }

    private func upsert(
        _ columns: ColumnSet, of frame: MapperFrame, at node: Int
    ) throws -> MapperOutcome {
        if let row = try storedRow(columns, of: frame) {
            return MapperOutcome(row: row, kind: .unchanged)
        }
        let statement = try statements.entity(frame.entity).upsert(columns)
        try bind(columns, of: frame, to: statement)
        let connection = statements.connection
        // An upsert that updates leaves the last inserted row as it was.
        let none: Int64 = knownRow(of: frame) == .min ? .max : .min
        connection.lastInsertedRow = none
        try run(statement.statement, of: frame.entity, at: node)
        let isChanged = connection.changeCount > 0
        if isChanged, case let row = connection.lastInsertedRow, row != none {
            return MapperOutcome(row: row, kind: .inserted)
        }
        let row = try row(of: frame, at: node)
        guard isChanged else { return MapperOutcome(row: row, kind: .unchanged) }
        statements.changes.noteUpdate(
            of: row, in: frame.entity, columns: frame.entity.written(columns))
        return MapperOutcome(row: row, kind: .updated)
    }

    /// Writes an object of which the JSON does not have all that is required: the rest must be in
    /// the store, or come later in the document.
    private func writePart(
        _ columns: ColumnSet, of frame: MapperFrame, at node: Int, in role: ObjectRole
    ) throws -> MapperOutcome {
        let entity = frame.entity
        let missingIdentity = entity.identifying.intersection(entity.required).subtracting(columns)
        if entity.identifying.isEmpty || !missingIdentity.isEmpty {
            let missing = missingIdentity.first ?? entity.required.subtracting(columns).first
            throw error(node, entity: entity, field: missing, .missing)
        }
        let outcome =
            entity.hasOptionalIdentity
            ? try writeByOptionalIdentity(columns, of: frame, at: node)
            : try upsert(columns, of: frame, at: node)
        return try settle(outcome, columns, of: frame, at: node, in: role)
    }

    /// Writes an object whose identity may be empty in part, which SQLite would take as different
    /// from all others; one that is empty as a whole makes a new object.
    private func writeByOptionalIdentity(
        _ columns: ColumnSet, of frame: MapperFrame, at node: Int
    ) throws -> MapperOutcome {
        let entity = frame.entity
        let empty = entity.identifying.columns.filter { isEmpty($0, of: frame) }
        if empty.isEmpty || entity.identifying.columns.count == empty.count {
            return try upsert(columns, of: frame, at: node)
        }
        let find = try statements.entity(entity).find()
        try bind(entity.identifying, of: frame, to: ColumnStatement(named: find))
        guard let row = try firstRow(of: find) else {
            return try upsert(columns, of: frame, at: node)
        }
        let others = columns.subtracting(entity.identifying)
        guard !others.isEmpty || entity.completes(columns) else {
            return MapperOutcome(row: row, kind: .unchanged)
        }
        let update = try statements.entity(entity).update(others)
        try bind(others, of: frame, to: update)
        update.statement.bind(row, at: update.rowParameter)
        try run(update.statement, of: entity, at: node)
        guard statements.connection.changeCount > 0 else {
            return MapperOutcome(row: row, kind: .unchanged)
        }
        statements.changes.noteUpdate(of: row, in: entity, columns: entity.written(others))
        return MapperOutcome(row: row, kind: .updated)
    }

    private func isEmpty(_ column: Int, of frame: MapperFrame) -> Bool {
        frame.values[column] < 0 || tape.kind(Int(frame.values[column])) == .null
    }

    // MARK: Rows

    /// The row of an object that is in the store.
    private func row(of frame: MapperFrame, at node: Int) throws -> Int64 {
        if let row = knownRow(of: frame) { return row }
        let find = try statements.entity(frame.entity).find()
        try bind(frame.entity.identifying, of: frame, to: ColumnStatement(named: find))
        return try row(from: find, of: frame.entity, at: node)
    }

    /// The row that a bound statement finds, which must be there.
    func row(from find: Statement, of entity: EntityPlan, at node: Int) throws -> Int64 {
        guard let row = try firstRow(of: find) else {
            throw error(node, entity: entity, field: nil, .missing)
        }
        return row
    }

    private func firstRow(of find: Statement) throws -> Int64? {
        defer { find.reset() }
        return try find.step() ? find.integer(at: 0) : nil
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

    /// Runs a statement; a constraint that refuses the row is the JSON's fault.
    func run(_ statement: Statement, of entity: EntityPlan, at node: Int) throws {
        do {
            try statement.run()
        } catch let failure where failure.code == .constraint {
            throw error(node, entity: entity, field: nil, .refused(failure.message))
        }
    }
}
