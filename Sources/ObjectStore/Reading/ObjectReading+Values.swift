import CLarderSQLite

extension ObjectReading {
    /// The values that the objects have in a column, in the query's order.
    public func select<Object: Entity, Value: AttributeValue>(
        _ query: Query<Object>, _ column: (Object.Columns) -> Column<Value>
    ) throws -> [Value] {
        var values: [Value] = []
        try rows(query, [column(Query<Object>.columns).ordered]) { row in
            values.append(try row.next())
        }
        return values
    }

    /// The values that the objects have in several columns, in the query's order.
    ///
    ///     for (title, login) in try store.select(Issue.all, { ($0.title, $0.user.login ?? "") }) { … }
    ///
    /// Where the compiler refuses what goes on right behind it, as `.first?.1`, give the result a
    /// name first.
    public func select<Object: Entity, each Value: AttributeValue>(
        _ query: Query<Object>, _ columns: (Object.Columns) -> (repeat Column<each Value>)
    ) throws -> [(repeat each Value)] {
        let columns = columns(Query<Object>.columns)
        var expressions: [QueryExpression] = []
        repeat expressions.append((each columns).ordered)
        var values: [(repeat each Value)] = []
        try rows(query, expressions) { row in
            values.append((repeat try row.next((each Value).self)))
        }
        return values
    }

    // MARK: Aggregates

    /// The value that is worked out of a column of all the objects.
    ///
    ///     let most = try store.value(Issue.all) { $0.comments.max }
    ///
    /// - Throws: `StoreError` where the store can't be read, or a sum of whole numbers takes more
    ///   than 64 bits.
    public func value<Object: Entity, Value: AttributeValue>(
        _ query: Query<Object>, _ aggregate: (Object.Columns) -> Aggregate<Value>
    ) throws -> Value {
        let aggregate = aggregate(Query<Object>.columns).expression
        return try reader {
            try $0.value(query.description) { compiler throws(StoreError) in
                try compiler.aggregate([aggregate], query.description)
            }
        }
    }

    /// The values that are worked out of the objects of each group, behind the values that the group
    /// has in common, in the order of these.
    ///
    ///     for (state, login, count, last) in try store.select(
    ///         Issue.all, groupedBy: { ($0.state, $0.user.login) }, { ($0.id.count, $0.createdAt.max) }) { … }
    ///
    /// The order of the query counts only where it is limited. Where the compiler refuses what goes
    /// on right behind it, as `.first?.1` or `.reduce(0) { $0 + $1.1 }`, give the result a name first.
    ///
    /// - Throws: `StoreError` where the store can't be read, or a sum of whole numbers takes more
    ///   than 64 bits.
    public func select<Object: Entity, each Key: AttributeValue, each Value: AttributeValue>(
        _ query: Query<Object>, groupedBy keys: (Object.Columns) -> (repeat Column<each Key>),
        _ aggregates: (Object.Columns) -> (repeat Aggregate<each Value>)
    ) throws -> [(repeat each Key, repeat each Value)] {
        let keys = keys(Query<Object>.columns)
        let aggregates = aggregates(Query<Object>.columns)
        var keyExpressions: [QueryExpression] = []
        repeat keyExpressions.append((each keys).ordered)
        var expressions: [AggregateExpression] = []
        repeat expressions.append((each aggregates).expression)
        var groups: [(repeat each Key, repeat each Value)] = []
        try reader {
            try $0.rows(query.description) { compiler throws(StoreError) in
                try compiler.aggregate(expressions, groupedBy: keyExpressions, query.description)
            } _: { row in
                groups.append(
                    (repeat try row.next((each Key).self), repeat try row.next((each Value).self)))
            }
        }
        return groups
    }

    // MARK: Parts

    private func rows<Object: Entity>(
        _ query: Query<Object>, _ expressions: [QueryExpression],
        _ body: (inout ValueRow) throws -> Void
    ) throws {
        try reader {
            try $0.rows(
                query.description,
                { compiler throws(StoreError) in
                    try compiler.select(query.description, expressions: expressions)
                }, body)
        }
    }
}

/// A row whose columns are read one after the other.
struct ValueRow {
    let statement: OpaquePointer
    private var index: Int32 = 0

    init(statement: OpaquePointer) { self.statement = statement }

    /// The next column's value.
    mutating func next<Value: AttributeValue>(_: Value.Type = Value.self) throws -> Value {
        let column = RowColumn(statement: statement, index: index)
        index += 1
        if let value = Value.read(column) { return value }
        throw StoreError(
            .unexpectedValue,
            column.isNull
                ? "column \(index) is empty; select it as .optional, or a value instead by ??"
                : "column \(index) holds something else than \(Value.self)")
    }
}
