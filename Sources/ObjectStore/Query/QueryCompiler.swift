/// Turns a query into one SQL statement and the values to bind in it.
struct QueryCompiler {
    private let plan: StorePlan
    private let entity: EntityPlan
    private var aliases: [ColumnPath: (name: String, entity: EntityPlan)]
    private var joins: [String] = []
    private(set) var values: [SQLValue] = []

    init(entity: EntityPlan, in plan: StorePlan) {
        self.plan = plan
        self.entity = entity
        aliases = [ColumnPath(): ("t0", entity)]
    }

    /// The statement `SELECT t0."id", t0."title" FROM "Issue" AS t0 WHERE … ORDER BY … LIMIT …`.
    mutating func select<Object: Entity>(
        _ query: Query<Object>, columns: [String]
    ) throws(StoreError) -> String {
        let columns = columns.map { "t0.\($0.sqlName)" }.joined(separator: ", ")
        return try statement("SELECT \(columns)", query)
    }

    /// The statement `SELECT count(*) FROM …`, of the objects within limit and offset.
    mutating func count<Object: Entity>(_ query: Query<Object>) throws(StoreError) -> String {
        guard query.maximumCount != nil || query.skippedCount != nil else {
            var query = query
            query.sortKeys = []
            return try statement("SELECT count(*)", query)
        }
        return "SELECT count(*) FROM (\(try statement("SELECT 1", query)))"
    }

    private mutating func statement<Object: Entity>(
        _ head: String, _ query: Query<Object>
    ) throws(StoreError) -> String {
        var conditions: [String] = []
        for column in entity.completenessColumns {
            conditions.append("t0.\(entity.columnNames[column].sqlName) IS NOT NULL")
        }
        if let condition = query.condition {
            conditions.append(try sql(condition.expression))
        }
        var order: [String] = []
        for key in query.sortKeys {
            order.append(try sql(key.expression) + (key.isDescending ? " DESC" : ""))
        }
        var sql = "\(head) FROM \(entity.table) AS t0\(joins.joined())"
        if !conditions.isEmpty { sql += " WHERE " + conditions.joined(separator: " AND ") }
        // The rowid settles what the keys leave open, so that pages do not overlap.
        if head != "SELECT count(*)" {
            sql += " ORDER BY " + (order + ["t0.\(entity.rowid)"]).joined(separator: ", ")
        }
        if query.maximumCount != nil || query.skippedCount != nil {
            sql += " LIMIT \(bind(.integer(Int64(query.maximumCount ?? -1))))"
            if let skipped = query.skippedCount {
                sql += " OFFSET \(bind(.integer(Int64(skipped))))"
            }
        }
        return sql
    }

    // MARK: Expressions

    private mutating func sql(_ expression: QueryExpression) throws(StoreError) -> String {
        switch expression {
        case .column(let path, let name):
            return "\(try alias(path).name).\(name.sqlName)"
        case .count(let path, let name):
            return try count(of: name, at: path)
        case .value(.null):
            return "NULL"
        case .value(let value):
            return bind(value)
        case .list(let values):
            return try list(values)
        case .prefix(let sign, let operand):
            return "(\(sign) \(try sql(operand)))"
        case .infix(_, let sign, _) where sign == "AND" || sign == "OR":
            var operands: [String] = []
            for operand in expression.operands(of: sign) { operands.append(try sql(operand)) }
            return Self.joined(operands[...], by: " \(sign) ")
        case .infix(let left, let sign, let right):
            return "(\(try sql(left)) \(sign) \(try sql(right)))"
        case .function(let name, let arguments):
            var list: [String] = []
            for argument in arguments { list.append(try sql(argument)) }
            return "\(name)(\(list.joined(separator: ", ")))"
        }
    }

    /// Joins operands in brackets, many in halves: SQLite limits how deeply expressions nest.
    private static func joined(_ operands: ArraySlice<String>, by sign: String) -> String {
        if operands.count <= 64 { return "(\(operands.joined(separator: sign)))" }
        let middle = operands.startIndex + operands.count / 2
        return "(\(joined(operands[..<middle], by: sign))\(sign)"
            + "\(joined(operands[middle...], by: sign)))"
    }

    private mutating func bind(_ value: SQLValue) -> String {
        values.append(value)
        return "?\(values.count)"
    }

    /// One parameter for a list of any length: SQLite allows some thousands, and each length would
    /// be a statement of its own.
    private mutating func list(_ list: [SQLValue]) throws(StoreError) -> String {
        guard let json = JSONText.array(list) else {
            return "(\(list.map { bind($0) }.joined(separator: ", ")))"
        }
        return "(SELECT value FROM json_each(\(bind(.text(json)))))"
    }

    /// The alias of the table at a path, joined when it is first asked for.
    private mutating func alias(
        _ path: ColumnPath
    ) throws(StoreError) -> (name: String, entity: EntityPlan) {
        if let alias = aliases[path] { return alias }
        guard let name = path.relationships.last else { return ("t0", entity) }
        let owner = try alias(path.parent)
        guard let column = owner.entity.columnNames.firstIndex(of: name),
            owner.entity.columns[column].destination >= 0
        else { throw unknown(name, of: owner.entity) }
        let destination = plan.entities[owner.entity.columns[column].destination]
        let alias = "t\(aliases.count)"
        joins.append(
            " LEFT JOIN \(destination.table) AS \(alias)"
                + " ON \(alias).\(destination.rowid) = \(owner.name).\(name.sqlName)")
        aliases[path] = (alias, destination)
        return (alias, destination)
    }

    private mutating func count(
        of name: String, at path: ColumnPath
    ) throws(StoreError) -> String {
        let owner = try alias(path)
        guard let relationship = owner.entity.toMany.first(where: { $0.name == name }) else {
            throw unknown(name, of: owner.entity)
        }
        let links = LinkQuery(relationship, in: plan)
        return "(SELECT count(*) FROM \(links.table) AS l"
            + " WHERE l.\(links.source) = \(owner.name).\(owner.entity.rowid))"
    }

    private func unknown(_ name: String, of entity: EntityPlan) -> StoreError {
        StoreError(
            .unknownEntity, "\(entity.name) has no relationship \(name) in the store's model")
    }
}

extension ColumnPath {
    /// The path without its last step.
    fileprivate var parent: ColumnPath {
        relationships.dropLast().reduce(ColumnPath()) { $0.appending($1) }
    }
}
