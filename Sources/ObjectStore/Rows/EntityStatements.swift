/// The statements that write one entity's rows, prepared as they are needed.
///
/// Which columns an object names decides which statement writes it; most responses need one.
final class EntityStatements {
    private let plan: EntityPlan
    private let connection: Connection
    /// Nil where what identifies an object is its row's number.
    private let numbers: RowNumbers?
    private let root: Int
    private var upserts = ColumnSetCache<Statement>()
    private var updates = ColumnSetCache<Statement>()
    private var cursors = ColumnSetCache<RowCursor>()
    private var lastUpsert: (columns: ColumnSet, statement: Statement)?
    private var lastCursor: (columns: ColumnSet, cursor: RowCursor)?
    private var generalUpsert: Statement?
    private var generalUpdate: Statement?
    private var generalCursor: RowCursor?
    private var preparedFind: Statement?
    private var preparedMissing: Statement?
    private var preparedReference: Statement?
    private var completions = ColumnSetCache<Statement>()

    init(plan: EntityPlan, connection: Connection, numbers: RowNumbers) {
        self.plan = plan
        self.connection = connection
        self.numbers = plan.hasOwnNumbers ? numbers : nil
        root = plan.family.members[0]
    }

    /// Inserts a row of these columns; where its identity is taken, updates what differs.
    ///
    /// `INSERT INTO t AS t0 (a, b) VALUES (?, ?) ON CONFLICT (a) DO UPDATE SET b = excluded.b
    /// WHERE t0.b IS NOT excluded.b`
    @inline(__always)
    func upsert(_ columns: ColumnSet) throws(StoreError) -> ColumnStatement {
        if let number = try numbers?.next(in: root) {
            return try generalUpsert(columns, number: number, asReference: isReference(columns))
        }
        if let lastUpsert, lastUpsert.columns == columns {
            return ColumnStatement(named: lastUpsert.statement)
        }
        let prepared = try upserts.value(for: columns) { () throws(StoreError) in
            try Statement(upsertSQL(columns), on: connection)
        }
        guard let prepared else {
            return try generalUpsert(columns, number: nil, asReference: isReference(columns))
        }
        lastUpsert = (columns, prepared)
        return ColumnStatement(named: prepared)
    }

    /// Reads these columns of rows that come by ascending rowid.
    @inline(__always)
    func cursor(_ columns: ColumnSet) throws(StoreError) -> RowCursor {
        if let lastCursor, lastCursor.columns == columns { return lastCursor.cursor }
        let prepared = try cursors.value(for: columns) { () throws(StoreError) in
            try RowCursor(columns, of: plan, on: connection)
        }
        guard let prepared else { return try cursorOfAllColumns() }
        lastCursor = (columns, prepared)
        return prepared
    }

    private func cursorOfAllColumns() throws(StoreError) -> RowCursor {
        if let generalCursor { return generalCursor }
        let cursor = try RowCursor(nil, of: plan, on: connection)
        generalCursor = cursor
        return cursor
    }

    /// Ends reading ahead: from now on others may write.
    func close() {
        for cursor in cursors.values { cursor.close() }
        lastCursor?.cursor.close()
        generalCursor?.close()
    }

    /// Updates the columns that differ in a row.
    func update(
        _ columns: ColumnSet, completing: Bool
    ) throws(StoreError) -> ColumnStatement {
        var key = columns
        if completing { key.insert(EntityPlan.referenceNumber) }
        let prepared = try updates.value(for: key) { () throws(StoreError) in
            try Statement(updateSQL(columns, completing: completing), on: connection)
        }
        if let prepared {
            return ColumnStatement(named: prepared, rowParameter: Int32(columns.count + 1))
        }
        let general: Statement
        if let generalUpdate {
            general = generalUpdate
        } else {
            general = try Statement(generalUpdateSQL, on: connection)
            generalUpdate = general
        }
        general.clear()
        mask.bind(columns, to: general)
        general.bind(Int64(completing ? 1 : 0), at: referenceParameter)
        return ColumnStatement(general: general, rowParameter: Int32(mask.nextParameter))
    }

    /// Finds the row of the identity in the parameters.
    func find() throws(StoreError) -> Statement {
        if let preparedFind { return preparedFind }
        let statement = try Statement(
            "SELECT \(plan.rowid) FROM \(plan.table) WHERE \(identityCondition)", on: connection)
        preparedFind = statement
        return statement
    }

    /// Returns a row's standing as to what its entity requires.
    func standing(of row: Int64) throws(StoreError) -> RowStanding {
        let find = try findMissing()
        find.bind(row, at: 1)
        defer { find.reset() }
        guard try find.step() else { return RowStanding(isReference: false, missing: nil) }
        let missing = plan.required.columns.enumerated()
            .first { find.integer(at: Int32($0.offset + 1)) != 0 }
        return RowStanding(isReference: find.integer(at: 0) != 0, missing: missing?.element)
    }

    /// Reads whether a row is a reference, and which of the required columns are empty in it.
    private func findMissing() throws(StoreError) -> Statement {
        if let preparedMissing { return preparedMissing }
        let isMissing = plan.required.columns.map { "\(name($0)) IS NULL" }
        let results = ["\(reference) IS NOT NULL"] + isMissing
        let statement = try Statement(
            "SELECT \(results.joined(separator: ", ")) FROM \(plan.table)"
                + " WHERE \(plan.rowid) = ?",
            on: connection)
        preparedMissing = statement
        return statement
    }

    /// Makes an object of the reference in a row; false where it was one already.
    ///
    /// - Parameter named: The columns that get no default where they are empty.
    func complete(_ row: Int64, besides named: ColumnSet) throws(StoreError) -> Bool {
        let columns = named.intersection(plan.defaultColumns)
        let prepared = try completions.value(for: columns) { () throws(StoreError) in
            try completion(besides: columns)
        }
        let statement = if let prepared { prepared } else { try completion(besides: columns) }
        statement.bind(row, at: 1)
        try statement.run()
        return connection.changeCount > 0
    }

    private func completion(besides columns: ColumnSet) throws(StoreError) -> Statement {
        let assignments = ["\(reference) = NULL"] + plan.fillings(besides: columns)
        return try Statement(
            "UPDATE \(plan.table) SET \(assignments.joined(separator: ", "))"
                + " WHERE \(plan.rowid) = ? AND \(reference) IS NOT NULL",
            on: connection)
    }

    /// Inserts a row that holds nothing but its identity, unless there is one.
    func insertReference() throws(StoreError) -> ColumnStatement {
        if let number = try numbers?.next(in: root) {
            return try generalUpsert(
                plan.identifying, number: number, asReference: !plan.isWholeByIdentity)
        }
        if let preparedReference { return ColumnStatement(named: preparedReference) }
        let columns = plan.identifying.columns.map(name)
        let values = columns.map { _ in "?" }
        let mark = plan.isWholeByIdentity ? [] : mark(besides: plan.identifying)
        let statement = try Statement(
            "INSERT INTO \(plan.table) (\((columns + mark.map(\.name)).joined(separator: ", ")))"
                + " VALUES (\((values + mark.map(\.value)).joined(separator: ", ")))"
                + " ON CONFLICT DO NOTHING",
            on: connection)
        preparedReference = statement
        return ColumnStatement(named: statement)
    }

    private func name(_ column: Int) -> String { plan.columnNames[column].sqlName }

    private var reference: String { EntityPlan.referenceColumn.sqlName }

    /// What marks a new row as a reference, with the columns that its table would give a default.
    private func mark(besides columns: ColumnSet) -> [(name: String, value: String)] {
        let unsaid = plan.defaults.filter { !columns.contains($0.column) }
        return [(name: reference, value: EntityPlan.referenceMark)]
            + unsaid.map { (name: name($0.column), value: "NULL") }
    }

    private var identityCondition: String {
        plan.identifying.columns.map {
            "\(name($0)) \(plan.columns[$0].isOptional ? "IS" : "=") ?"
        }.joined(separator: " AND ")
    }

    private func upsertSQL(_ columns: ColumnSet) -> String {
        var names = columns.columns.map(name)
        var values = names.map { _ in "?" }
        var others = columns.subtracting(plan.identifying).columns.map(name)
        var fillings: [String] = []
        if plan.completes(columns) {
            others.append(reference)
            fillings = plan.fillings(besides: columns, of: "t0.")
        } else if !plan.identifying.isEmpty {
            let mark = mark(besides: columns)
            names += mark.map(\.name)
            values += mark.map(\.value)
        }
        // SQLite's grammar has no conflicts where nothing is named, and an empty identity has none.
        guard !names.isEmpty else { return "INSERT INTO \(plan.table) DEFAULT VALUES" }
        let insert =
            "INSERT INTO \(plan.table) AS t0 (\(names.joined(separator: ", ")))"
            + " VALUES (\(values.joined(separator: ", ")))"
        guard !plan.identifying.isEmpty else { return insert }
        let identity = plan.identifying.columns.map(name).joined(separator: ", ")
        let assignments = others.map { "\($0) = excluded.\($0)" } + fillings
        let action =
            others.isEmpty
            ? "NOTHING"
            : "UPDATE SET \(assignments.joined(separator: ", "))"
                + " WHERE \(others.map { "t0.\($0) IS NOT excluded.\($0)" }.joined(separator: " OR "))"
        return insert + " ON CONFLICT (\(identity)) DO \(action)"
    }

    private func updateSQL(_ columns: ColumnSet, completing: Bool) -> String {
        let names = columns.columns.map(name)
        var assignments = names.enumerated().map { "\($1) = ?\($0 + 1)" }
        var differences = names.enumerated().map { "\($1) IS NOT ?\($0 + 1)" }
        if completing {
            assignments.append("\(reference) = NULL")
            assignments += plan.fillings(besides: columns)
            differences.append("\(reference) IS NOT NULL")
        }
        return "UPDATE \(plan.table) SET \(assignments.joined(separator: ", "))"
            + " WHERE \(plan.rowid) = ?\(names.count + 1)"
            + " AND (\(differences.joined(separator: " OR ")))"
    }

    // MARK: Any columns

    private var mask: ColumnMask { ColumnMask(columnCount: plan.columnCount) }

    /// The parameter of a statement for any columns that tells whether the object is complete.
    private var referenceParameter: Int32 { Int32(mask.nextParameter + 1) }

    /// Whether an object of these columns that is not there yet is a reference.
    private func isReference(_ columns: ColumnSet) -> Bool {
        !plan.identifying.isEmpty && !plan.completes(columns)
    }

    /// Inserts or updates a row of any columns, where these are too seldom to have a statement of
    /// their own or the row must have a number.
    private func generalUpsert(
        _ columns: ColumnSet, number: Int64?, asReference isReference: Bool
    ) throws(StoreError) -> ColumnStatement {
        let statement: Statement
        if let generalUpsert {
            statement = generalUpsert
        } else {
            statement = try Statement(generalUpsertSQL, on: connection)
            generalUpsert = statement
        }
        statement.clear()
        mask.bind(columns, to: statement)
        statement.bind(Int64(isReference ? 0 : 1), at: referenceParameter)
        if !isReference { try plan.bindDefaults(besides: columns, to: statement) }
        if let number { statement.bind(number, at: Int32(mask.nextParameter)) }
        return ColumnStatement(general: statement, rowParameter: 0)
    }

    /// The value of a column that is not named, in a row that is there.
    private func unnamedValue(of column: Int, in row: String = "") -> String {
        let value = "\(row)\(name(column))"
        guard let literal = plan.defaults.first(where: { $0.column == column })?.literal else {
            return value
        }
        let filled = plan.filled(column, by: literal, of: row)
        return "iif(?\(referenceParameter), \(filled), \(value))"
    }

    private var generalUpsertSQL: String {
        var names = plan.columnNames.map(\.sqlName)
        var values = names.indices.map { "?\($0 + 1)" }
        if plan.hasOwnNumbers {
            names.append(plan.rowid)
            values.append("?\(mask.nextParameter)")
        }
        names.append(reference)
        values.append("iif(?\(referenceParameter), NULL, \(EntityPlan.referenceMark))")
        let sql =
            "INSERT INTO \(plan.table) AS t0 (\(names.joined(separator: ", ")))"
            + " VALUES (\(values.joined(separator: ", ")))"
        guard !plan.identifying.isEmpty else { return sql }
        let identity = plan.identifying.columns.map(name).joined(separator: ", ")
        let others = (0..<plan.columnCount).filter { !plan.identifying.contains($0) }
        let assignments =
            others.map {
                "\(name($0)) = iif(\(mask.isNamed($0)), excluded.\(name($0)),"
                    + " \(unnamedValue(of: $0, in: "t0.")))"
            } + ["\(reference) = iif(?\(referenceParameter), NULL, t0.\(reference))"]
        let differences =
            others.map {
                "\(mask.isNamed($0)) AND t0.\(name($0)) IS NOT excluded.\(name($0))"
            } + ["?\(referenceParameter) AND t0.\(reference) IS NOT NULL"]
        return sql + " ON CONFLICT (\(identity)) DO UPDATE SET"
            + " \(assignments.joined(separator: ", "))"
            + " WHERE \(differences.joined(separator: " OR "))"
    }

    private var generalUpdateSQL: String {
        let assignments =
            (0..<plan.columnCount).map {
                "\(name($0)) = iif(\(mask.isNamed($0)), ?\($0 + 1), \(unnamedValue(of: $0)))"
            } + ["\(reference) = iif(?\(referenceParameter), NULL, \(reference))"]
        let differences =
            (0..<plan.columnCount).map {
                "\(mask.isNamed($0)) AND \(name($0)) IS NOT ?\($0 + 1)"
            } + ["?\(referenceParameter) AND \(reference) IS NOT NULL"]
        return "UPDATE \(plan.table) SET \(assignments.joined(separator: ", "))"
            + " WHERE \(plan.rowid) = ?\(mask.nextParameter)"
            + " AND (\(differences.joined(separator: " OR ")))"
    }
}
