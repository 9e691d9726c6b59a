public import Foundation

extension ObjectReading {
    /// The smallest value that the objects have in a column, nil where there is none.
    public func min<Object: Entity, Value: AttributeValue>(
        _ query: Query<Object>, of column: (Object.Columns) -> Column<Value>
    ) throws -> Value? {
        try aggregate("min", column(Query<Object>.columns).ordered, query)
    }

    /// The smallest value that the objects have in a column, nil where there is none.
    public func min<Object: Entity, Value: AttributeValue>(
        _ query: Query<Object>, of column: (Object.Columns) -> Column<Value?>
    ) throws -> Value? {
        try aggregate("min", column(Query<Object>.columns).ordered, query)
    }

    /// The largest value that the objects have in a column, nil where there is none.
    public func max<Object: Entity, Value: AttributeValue>(
        _ query: Query<Object>, of column: (Object.Columns) -> Column<Value>
    ) throws -> Value? {
        try aggregate("max", column(Query<Object>.columns).ordered, query)
    }

    /// The largest value that the objects have in a column, nil where there is none.
    public func max<Object: Entity, Value: AttributeValue>(
        _ query: Query<Object>, of column: (Object.Columns) -> Column<Value?>
    ) throws -> Value? {
        try aggregate("max", column(Query<Object>.columns).ordered, query)
    }

    /// The sum of the objects' numbers in a column, empty ones left out; 0 where there is none.
    ///
    /// - Throws: `StoreError` where the store can't be read, or a sum of whole numbers takes more
    ///   than 64 bits.
    public func sum<Object: Entity, Value: NumericValue>(
        _ query: Query<Object>, of column: (Object.Columns) -> Column<Value>
    ) throws -> Value.Sum {
        try aggregate("sum", column(Query<Object>.columns).expression, query) ?? 0
    }

    /// The exact sum of the objects' decimal numbers in a column, empty ones left out.
    ///
    /// The numbers are read and added one by one, in no time of SQLite's.
    public func sum<Object: Entity>(
        _ query: Query<Object>, of column: (Object.Columns) -> Column<Decimal>
    ) throws -> Decimal {
        try sum(query) { column($0).optional }
    }

    /// The exact sum of the objects' decimal numbers in a column, empty ones left out.
    public func sum<Object: Entity>(
        _ query: Query<Object>, of column: (Object.Columns) -> Column<Decimal?>
    ) throws -> Decimal {
        var sum: Decimal = 0
        try rows(query, [column(Query<Object>.columns).expression]) { row in
            sum += try row.next(Decimal?.self) ?? 0
        }
        return sum
    }

    /// The average of the objects' numbers in a column, empty ones left out; nil where there is none.
    public func average<Object: Entity, Value: NumericValue>(
        _ query: Query<Object>, of column: (Object.Columns) -> Column<Value>
    ) throws -> Double? {
        try aggregate("avg", column(Query<Object>.columns).expression, query)
    }

    /// How many objects there are of each value of a column, in the order of the values.
    public func count<Object: Entity, Key: AttributeValue>(
        _ query: Query<Object>, groupedBy key: (Object.Columns) -> Column<Key>
    ) throws -> [(key: Key, count: Int)] {
        let key = key(Query<Object>.columns).ordered
        var groups: [(key: Key, count: Int)] = []
        try reader {
            try $0.rows(query.description) { compiler throws(StoreError) in
                try compiler.group(query.description, by: key)
            } _: {
                groups.append((try $0.next(), try $0.next()))
            }
        }
        return groups
    }

    // MARK: Selecting

    /// The values that the objects have in a column, in the query's order.
    public func select<Object: Entity, Value: AttributeValue>(
        _ query: Query<Object>, _ column: (Object.Columns) -> Column<Value>
    ) throws -> [Value] {
        var values: [Value] = []
        try rows(query, [column(Query<Object>.columns).expression]) { row in
            values.append(try row.next())
        }
        return values
    }

    /// The values that the objects have in several columns, in the query's order.
    ///
    ///     for (title, login) in try store.select(Issue.all, { ($0.title, $0.user.login ?? "") }) { … }
    public func select<Object: Entity, each Value: AttributeValue>(
        _ query: Query<Object>, _ columns: (Object.Columns) -> (repeat Column<each Value>)
    ) throws -> [(repeat each Value)] {
        let columns = columns(Query<Object>.columns)
        var expressions: [QueryExpression] = []
        repeat expressions.append((each columns).expression)
        var values: [(repeat each Value)] = []
        try rows(query, expressions) { row in
            values.append((repeat try row.next((each Value).self)))
        }
        return values
    }

    // MARK: Parts

    private func aggregate<Object: Entity, Value: AttributeValue>(
        _ function: String, _ expression: QueryExpression, _ query: Query<Object>
    ) throws -> Value? {
        try reader {
            try $0.value(query.description) { compiler throws(StoreError) in
                try compiler.aggregate(function, of: expression, query.description)
            }
        }
    }

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
