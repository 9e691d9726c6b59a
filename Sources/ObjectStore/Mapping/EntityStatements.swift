/// The statements that write one entity's rows, prepared as they are needed.
///
/// Which columns an object names decides which statement writes it; most responses need one.
final class EntityStatements {
    private let plan: EntityPlan
    private let connection: Connection
    private var upserts: [ColumnSet: Statement] = [:]
    private var updates: [ColumnSet: Statement] = [:]
    private var preparedFind: Statement?
    private var preparedMissing: Statement?
    private var preparedReference: Statement?
    private var preparedCompletion: Statement?
    private var lastUpsert: (columns: ColumnSet, statement: Statement)?
    private var cursors: [ColumnSet: RowCursor] = [:]
    private var lastCursor: (columns: ColumnSet, cursor: RowCursor)?

    init(plan: EntityPlan, connection: Connection) {
        self.plan = plan
        self.connection = connection
    }

    /// Inserts a row of these columns; where its identity is taken, updates what differs.
    ///
    /// `INSERT INTO t AS t0 (a, b) VALUES (?, ?) ON CONFLICT (a) DO UPDATE SET b = excluded.b
    /// WHERE t0.b IS NOT excluded.b`
    @inline(__always)
    func upsert(_ columns: ColumnSet) throws(StoreError) -> Statement {
        if let lastUpsert, lastUpsert.columns == columns { return lastUpsert.statement }
        let statement: Statement
        if let prepared = upserts[columns] {
            statement = prepared
        } else {
            statement = try Statement(upsertSQL(columns), on: connection)
            upserts[columns] = statement
        }
        lastUpsert = (columns, statement)
        return statement
    }

    /// Reads these columns of rows that come by ascending rowid.
    @inline(__always)
    func cursor(_ columns: ColumnSet) throws(StoreError) -> RowCursor {
        if let lastCursor, lastCursor.columns == columns { return lastCursor.cursor }
        let cursor: RowCursor
        if let prepared = cursors[columns] {
            cursor = prepared
        } else {
            cursor = try RowCursor(columns, of: plan, on: connection)
            cursors[columns] = cursor
        }
        lastCursor = (columns, cursor)
        return cursor
    }

    /// Ends reading ahead: from now on others may write.
    func close() {
        for cursor in cursors.values { cursor.close() }
    }

    /// Updates the columns that differ in a row, whose parameter is behind those of the columns.
    func update(_ columns: ColumnSet) throws(StoreError) -> Statement {
        if let prepared = updates[columns] { return prepared }
        let statement = try Statement(updateSQL(columns), on: connection)
        updates[columns] = statement
        return statement
    }

    /// Finds the row of the identity in the parameters.
    func find() throws(StoreError) -> Statement {
        if let preparedFind { return preparedFind }
        let statement = try Statement(
            "SELECT \(plan.rowid) FROM \(plan.table) WHERE \(identityCondition)", on: connection)
        preparedFind = statement
        return statement
    }

    /// How a row is as to what is required.
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
    func complete(_ row: Int64) throws(StoreError) -> Bool {
        let statement: Statement
        if let preparedCompletion {
            statement = preparedCompletion
        } else {
            statement = try Statement(
                "UPDATE \(plan.table) SET \(reference) = NULL"
                    + " WHERE \(plan.rowid) = ? AND \(reference) IS NOT NULL",
                on: connection)
            preparedCompletion = statement
        }
        statement.bind(row, at: 1)
        try statement.run()
        return connection.changeCount > 0
    }

    /// Inserts a row that holds nothing but its identity, unless there is one.
    func insertReference() throws(StoreError) -> Statement {
        if let preparedReference { return preparedReference }
        let columns = plan.identifying.columns.map(name)
        let values = columns.map { _ in "?" }
        let mark = plan.isWholeByIdentity ? [] : [(reference, EntityPlan.referenceMark)]
        let statement = try Statement(
            "INSERT INTO \(plan.table) (\((columns + mark.map(\.0)).joined(separator: ", ")))"
                + " VALUES (\((values + mark.map(\.1)).joined(separator: ", ")))"
                + " ON CONFLICT DO NOTHING",
            on: connection)
        preparedReference = statement
        return statement
    }

    private func name(_ column: Int) -> String { plan.columnNames[column].sqlName }

    private var reference: String { EntityPlan.referenceColumn.sqlName }

    private var identityCondition: String {
        plan.identifying.columns.map {
            "\(name($0)) \(plan.columns[$0].isOptional ? "IS" : "=") ?"
        }.joined(separator: " AND ")
    }

    private func upsertSQL(_ columns: ColumnSet) -> String {
        var names = columns.columns.map(name)
        var values = names.map { _ in "?" }
        guard !plan.identifying.isEmpty else {
            return names.isEmpty
                ? "INSERT INTO \(plan.table) DEFAULT VALUES"
                : "INSERT INTO \(plan.table) AS t0 (\(names.joined(separator: ", ")))"
                    + " VALUES (\(values.joined(separator: ", ")))"
        }
        var others = columns.subtracting(plan.identifying).columns.map(name)
        if plan.completes(columns) {
            others.append(reference)
        } else {
            names.append(reference)
            values.append(EntityPlan.referenceMark)
        }
        let identity = plan.identifying.columns.map(name).joined(separator: ", ")
        let action =
            others.isEmpty
            ? "NOTHING"
            : "UPDATE SET \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))"
                + " WHERE \(others.map { "t0.\($0) IS NOT excluded.\($0)" }.joined(separator: " OR "))"
        return "INSERT INTO \(plan.table) AS t0 (\(names.joined(separator: ", ")))"
            + " VALUES (\(values.joined(separator: ", "))) ON CONFLICT (\(identity)) DO \(action)"
    }

    private func updateSQL(_ columns: ColumnSet) -> String {
        let names = columns.columns.map(name)
        var assignments = names.enumerated().map { "\($1) = ?\($0 + 1)" }
        var differences = names.enumerated().map { "\($1) IS NOT ?\($0 + 1)" }
        if plan.completes(columns) {
            assignments.append("\(reference) = NULL")
            differences.append("\(reference) IS NOT NULL")
        }
        return "UPDATE \(plan.table) SET \(assignments.joined(separator: ", "))"
            + " WHERE \(plan.rowid) = ?\(names.count + 1)"
            + " AND (\(differences.joined(separator: " OR ")))"
    }
}
