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

    init<Object: Entity>(_ query: Query<Object>, in context: Context) throws {
        self.context = context
        entity = try context.store.plan.entity(Object.entityName)
        var compiler = QueryCompiler(entity: entity, in: context.store.plan)
        rows = try compiler.select(query.description, columns: [entity.family.rowidName])
        values = compiler.values
    }

    /// Adds an assignment.
    mutating func add(_ assignment: ColumnAssignment) throws {
        let column = try column(assignment.target)
        let name = entity.columnNames[column]
        guard !entity.identifying.contains(column) else { throw error(name, .fixed) }
        switch assignment.source {
        case .value(let value):
            assignments.append((name.sqlName, try bind(value, to: column)))
        case .sum(let number, let range):
            let sum = "(\(name.sqlName) + \(try bind(number, to: column)))"
            assignments.append((name.sqlName, sum))
            if let range {
                check(
                    "\(sum) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)",
                    error(name, .unfit("the sum is no number that the attribute can have")))
            }
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
        let update = try context.connection.prepare(
            "UPDATE \(entity.table) SET \(changes.joined(separator: ", ")) WHERE \(isFound)"
                + " AND (\(differences.joined(separator: " OR ")))")
        try update.bind(values)
        try ObjectWriter(context: context).run(update, of: entity)
        let count = context.connection.changeCount
        if count > 0 { context.count(entity.name) { $0.updated += count } }
        return count
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
        }
        values.append(value)
        return "?\(values.count)"
    }

    private func column(_ expression: QueryExpression) throws -> Int {
        guard case .column(let path, let name) = expression, path.steps.isEmpty,
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
