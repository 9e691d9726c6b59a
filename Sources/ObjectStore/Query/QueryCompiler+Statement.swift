/// Whole statements.
extension QueryCompiler {
    /// The statement `SELECT t0."id", t0."title" FROM "Issue" AS t0 WHERE … ORDER BY … LIMIT …`.
    ///
    /// - Parameters:
    ///   - columns: The names of the entity's columns to select.
    ///   - expressions: What to select behind them.
    mutating func select(
        _ query: QueryDescription, columns: [String] = [], expressions: [QueryExpression] = []
    ) throws(StoreError) -> String {
        try begin(query)
        var results = columns.map { "t0.\($0.sqlName)" }
        for expression in expressions { results.append(try sql(expression)) }
        let isDistinct = query.isDistinct && columns.isEmpty
        var conditions = try self.conditions(query)
        var order: [String] = []
        for key in query.sortKeys { order.append(try term(key)) }
        if let cursor = query.cursor {
            conditions.append(try sql(cursor.condition(behind: query.sortKeys)))
        }
        if !isDistinct {
            // The rowid settles what the keys leave open, so that pages do not overlap.
            order.append("t0.\(entity.rowid)")
        } else if order.isEmpty {
            order = results
        }
        let tables = from(conditions)
        return "SELECT \(isDistinct ? "DISTINCT " : "")\(results.joined(separator: ", "))"
            + tables + " ORDER BY " + order.joined(separator: ", ") + cut(query)
    }

    /// The statement `SELECT count(*) FROM …`, of the objects within limit and offset.
    mutating func count(_ query: QueryDescription) throws(StoreError) -> String {
        try aggregate("count", of: nil, query)
    }

    /// The statement `SELECT EXISTS (SELECT 1 FROM …)`.
    mutating func exists(_ query: QueryDescription) throws(StoreError) -> String {
        guard query.isCut || query.cursor != nil else {
            return "SELECT EXISTS (SELECT 1\(try from(query)))"
        }
        return "SELECT EXISTS (\(try select(query, expressions: [.value(.integer(1))])))"
    }

    /// The statement `SELECT max(t0."price") FROM …`, of the objects within limit and offset.
    mutating func aggregate(
        _ function: String, of expression: QueryExpression?, _ query: QueryDescription
    ) throws(StoreError) -> String {
        guard query.isCut || query.cursor != nil else {
            let argument = try argument(expression)
            return "SELECT \(function)(\(argument))\(try from(query))"
        }
        guard let expression else {
            let rows = try select(query, expressions: [.value(.integer(1))])
            return "SELECT \(function)(*) FROM (\(rows))"
        }
        let rows = try select(query, expressions: [expression])
        var argument = "value"
        if case .collated(_, let collation) = expression { argument += " COLLATE \(collation)" }
        return "WITH rows (value) AS (\(rows)) SELECT \(function)(\(argument)) FROM rows"
    }

    /// The statement `SELECT t0."state", count(*) FROM … GROUP BY 1 ORDER BY 1`.
    mutating func group(
        _ query: QueryDescription, by key: QueryExpression
    ) throws(StoreError) -> String {
        let tail = " GROUP BY 1 ORDER BY 1"
        guard query.isCut || query.cursor != nil else {
            let key = try sql(key)
            return "SELECT \(key), count(*)\(try from(query))\(tail)"
        }
        let rows = try select(query, expressions: [key])
        return "WITH rows (key) AS (\(rows)) SELECT key, count(*) FROM rows\(tail)"
    }

    // MARK: Parts

    private mutating func argument(
        _ expression: QueryExpression?
    ) throws(StoreError) -> String {
        if let expression { try sql(expression) } else { "*" }
    }

    private mutating func conditions(
        _ query: QueryDescription
    ) throws(StoreError) -> [String] {
        try begin(query)
        var conditions = [entity.isRow(query.rowKind, "t0")]
        if let condition = searched?.condition { conditions.append(condition) }
        if let condition = query.condition { conditions.append(try sql(condition)) }
        return conditions
    }

    private mutating func from(_ query: QueryDescription) throws(StoreError) -> String {
        let conditions = try conditions(query)
        return from(conditions)
    }

    /// To be called once all is compiled: the tables are those that were needed.
    private func from(_ conditions: [String]) -> String {
        " FROM \(source)\(joined)"
            + (conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND "))
    }

    private mutating func term(_ key: SortKey) throws(StoreError) -> String {
        var term = try sql(key.expression) + (key.isDescending ? " DESC" : "")
        if key.putsEmptyFirst == key.isDescending {
            term += key.putsEmptyFirst ? " NULLS FIRST" : " NULLS LAST"
        }
        return term
    }

    private mutating func cut(_ query: QueryDescription) -> String {
        guard query.isCut else { return "" }
        var sql = " LIMIT \(bind(.integer(Int64(query.maximumCount ?? -1))))"
        if let skipped = query.skippedCount {
            sql += " OFFSET \(bind(.integer(Int64(skipped))))"
        }
        return sql
    }
}
