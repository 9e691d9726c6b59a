/// Updates columns of the objects that a query finds, in one statement.
struct ColumnUpdate {
    private let context: Context
    private let entity: EntityPlan
    /// Selects the rows.
    private let rows: String
    private var values: [SQLValue]
    private var assignments: [(column: String, value: String)] = []
    private var checks: [Check] = []

    /// A statement that finds objects which an assignment does not suit, and why.
    private struct Check {
        let sql: String
        let error: WritingError
    }

    init(_ query: QueryDescription, in context: Context) throws {
        self.context = context
        entity = try context.store.plan.entity(query.entity)
        var compiler = QueryCompiler(entity: entity, in: context.store.plan)
        rows = try compiler.select(query, columns: [entity.family.rowidName])
        values = compiler.values
        try compiler.catchUpSearches(on: context.connection)
    }

    /// Adds an assignment.
    mutating func add(_ assignment: ColumnAssignment) throws {
        let column = try column(assignment.target)
        let name = entity.columnNames[column]
        guard !identifies(name) else { throw error(name, .fixed) }
        guard !assignments.contains(where: { $0.column == name.sqlName }) else {
            throw error(name, .unfit("an update sets a column once"))
        }
        switch assignment.source {
        case .value(let value):
            assignments.append((name.sqlName, try bind(value, to: column)))
        case .sum(let number, let range):
            var sum = "(\(name.sqlName) + \(try bind(number, to: column)))"
            if entity.description.attributes[column].allowedValues.isSingle {
                sum = "\(SingleFunction.name)\(sum)"
            }
            assignments.append((name.sqlName, sum))
            // A sum that is not a number is empty, one beyond 64 bits a real, which may be rounded into the
            // range again.
            let isUnfit =
                range.map {
                    "(typeof(\(sum)) = 'real'"
                        + " OR \(sum) NOT BETWEEN \($0.lowerBound) AND \($0.upperBound))"
                }
                ?? "\(sum) IS NULL AND \(name.sqlName) IS NOT NULL"
            check(isUnfit, error(name, .unfit("the sum is no number that the attribute can have")))
        case .column(let other):
            let source = try self.column(other)
            assignments.append((name.sqlName, entity.columnNames[source].sqlName))
            if !entity.columns[column].isOptional, entity.columns[source].isOptional {
                check("\(entity.columnNames[source].sqlName) IS NULL", error(name, .missing))
            }
        case .link(let link):
            let destination = context.store.plan.entities[entity.columns[column].destination]
            let row = try ObjectWriter(context: context).row(of: link, in: destination)
            assignments.append(
                (name.sqlName, try bind(row.map(SQLValue.integer) ?? .null, to: column)))
        }
    }

    /// Runs the statement and returns how many objects have changed.
    func run() throws -> Int {
        guard !assignments.isEmpty else { return 0 }
        for check in checks {
            let find = try context.connection.prepare(check.sql)
            try find.bind(Array(values.prefix(find.parameterCount)))
            defer { find.reset() }
            if try find.step() { throw check.error }
        }
        let changes = assignments.map { "\($0.column) = \($0.value)" }
        let differences = assignments.map { "\($0.column) IS NOT \($0.value)" }
        let update =
            "UPDATE \(entity.table) SET \(changes.joined(separator: ", ")) WHERE \(isFound)"
            + " AND (\(differences.joined(separator: " OR ")))"
        guard entity.family.isAlone, entity.rules.isEmpty else { return try runEach(update) }
        let statement = try context.connection.prepare(update)
        try statement.bind(values)
        try ObjectWriter(context: context).run(statement, of: entity)
        let count = context.connection.changeCount
        if count > 0 { context.count(entity.name) { $0.updated += count } }
        return count
    }

    /// Runs the statement, and looks at each row for what its object is of and must keep to.
    private func runEach(_ update: String) throws -> Int {
        let name = entity.entityColumn ?? SQLValue.text(entity.name).literal
        let statement = try context.connection.prepare(
            "\(update) RETURNING \(entity.rowid), \(name)")
        try statement.bind(values)
        let changed = try rows(of: statement)
        for (row, name) in changed {
            let concrete = try context.store.plan.entity(name, inTableOf: entity)
            context.expectRules(of: row, as: concrete)
            context.count(concrete.name) { $0.updated += 1 }
        }
        return changed.count
    }

    private func rows(of statement: Statement) throws -> [(row: Int64, entity: String)] {
        defer { statement.reset() }
        var rows: [(row: Int64, entity: String)] = []
        while try ObjectWriter(context: context).step(statement, of: entity) {
            rows.append((statement.integer(at: 0), statement.text(at: 1)))
        }
        return rows
    }

    /// Whether a column identifies objects of the entity, or of one below it.
    private func identifies(_ name: String) -> Bool {
        entity.family.descendants.contains { index in
            context.store.plan.entities[index].description.identity.contains(name)
        }
    }

    private var isFound: String { "\(entity.rowid) IN (\(rows))" }

    private mutating func check(_ condition: String, _ error: WritingError) {
        checks.append(
            Check(
                sql: "SELECT 1 FROM \(entity.table) WHERE \(isFound) AND \(condition) LIMIT 1",
                error: error))
    }

    private mutating func bind(_ value: SQLValue, to column: Int) throws -> String {
        let name = entity.columnNames[column]
        if value == .null {
            guard entity.columns[column].isOptional else { throw error(name, .missing) }
        } else if column < entity.attributeCount {
            let type = entity.description.attributes[column].type
            guard type.keeps(value) else {
                throw error(name, .unfit("expected \(type.plainName)"))
            }
            try ObjectWriter(context: context).checkIsAllowed(value, in: column, of: entity)
        }
        values.append(value)
        return "?\(values.count)"
    }

    private func column(_ expression: QueryExpression) throws -> Int {
        guard case .column(let path, let name) = expression, path.isEmpty,
            let column = entity.columnNames.firstIndex(of: name)
        else {
            throw WritingError(
                entity: entity.name,
                reason: .unfit("an update can only set columns of the objects themselves"))
        }
        return column
    }

    private func error(_ name: String, _ reason: WritingError.Reason) -> WritingError {
        WritingError(entity: entity.name, attribute: name, reason: reason)
    }
}
