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
            conditions.append(try sql(cursor.condition(in: query)))
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
        // Objects are never equal.
        let query = query.ofObjects
        guard query.isCut || query.cursor != nil else {
            return "SELECT count(*)\(try from(query))"
        }
        return "SELECT count(*) FROM (\(try select(query, expressions: [.value(.integer(1))])))"
    }

    /// The statement `SELECT EXISTS (SELECT 1 FROM …)`.
    mutating func exists(_ query: QueryDescription) throws(StoreError) -> String {
        let query = query.ofObjects
        guard query.isCut || query.cursor != nil else {
            return "SELECT EXISTS (SELECT 1\(try from(query)))"
        }
        return "SELECT EXISTS (\(try select(query, expressions: [.value(.integer(1))])))"
    }

    /// The statement `SELECT t0."state", max(t0."price") FROM … GROUP BY 1 ORDER BY 1`, of the objects
    /// within limit and offset.
    mutating func aggregate(
        _ aggregates: [AggregateExpression], groupedBy keys: [QueryExpression] = [],
        _ query: QueryDescription
    ) throws(StoreError) -> String {
        let query = query.ofObjects
        let places = keys.indices.map { "\($0 + 1)" }.joined(separator: ", ")
        let tail = keys.isEmpty ? "" : " GROUP BY \(places) ORDER BY \(places)"
        let expressions = keys + aggregates.map(\.column)
        var columns: [String] = []
        let source: String
        if query.isCut || query.cursor != nil {
            let rows = try select(query, expressions: expressions)
            let names = expressions.indices.map { "c\($0)" }
            for (name, expression) in zip(names, expressions) {
                // What is selected from a selection is compared as SQLite does.
                if case .collated(_, let collation) = expression {
                    columns.append("\(name) COLLATE \(collation)")
                } else {
                    columns.append(name)
                }
            }
            let list = names.joined(separator: ", ")
            source = " FROM (WITH \"$rows\" (\(list)) AS (\(rows)) SELECT * FROM \"$rows\")"
        } else {
            try begin(query)
            for expression in expressions { columns.append(try sql(expression)) }
            source = try from(query)
        }
        let values = zip(aggregates, columns[keys.count...]).map { $0.sql(of: $1) }
        let results = (columns[..<keys.count] + values).joined(separator: ", ")
        return "SELECT \(results)\(source)\(tail)"
    }

    // MARK: Parts

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

extension QueryDescription {
    /// The same of the objects themselves, each of which is another one.
    fileprivate var ofObjects: QueryDescription {
        var query = self
        query.isDistinct = false
        return query
    }
}
