/// A to-many relationship in a query: `$0.cities.count > 100`.
@dynamicMemberLookup
public struct ToManyColumn<Destination: Entity>: Sendable {
    private let path: ColumnPath
    private let name: String

    /// Names a to-many relationship.
    public init(_ path: ColumnPath, _ name: String) {
        self.path = path
        self.name = name
    }

    /// Returns the path and the name of a column; static so that no column can be meant instead.
    static func place(of column: ToManyColumn) -> (path: ColumnPath, name: String) {
        (column.path, column.name)
    }

    /// Says how the linked objects are asked.
    @available(
        *, unavailable,
        message:
            "the relationship leads to many objects; write '$0.labels.contains { $0.name == \"bug\" }'"
    )
    public subscript<Member>(dynamicMember member: KeyPath<Destination.Columns, Member>) -> Member {
        Destination.Columns(path: path)[keyPath: member]
    }

    /// The number of linked objects, those that are known by a reference only included.
    public var count: Column<Int> { Column(expression: links(.count)) }

    /// True where the relationship links no object, nor refers to one that has not arrived.
    public var isEmpty: Condition { count == 0 }

    /// True where one of the linked objects, or more, fulfils a condition:
    /// `$0.labels.contains { $0.name == "bug" }`.
    ///
    /// Objects that have not arrived are passed over, here and below.
    public func contains(where condition: (Destination.Columns) -> Condition) -> Condition {
        Condition(expression: links(condition, .exists))
    }

    /// True where all linked objects fulfil a condition, or there are none.
    public func allSatisfy(_ condition: (Destination.Columns) -> Condition) -> Condition {
        Condition(expression: links({ !condition($0) }, .missing))
    }

    /// Returns the number of linked objects that fulfil a condition.
    public func count(where condition: (Destination.Columns) -> Condition) -> Column<Int> {
        Column(expression: links(condition, .count))
    }

    /// True where the relationship links this object, whether it has arrived or not.
    public func contains(_ object: One<Destination>) -> Condition {
        Condition(
            expression: each { each in
                .links(
                    LinkExpression(
                        owner: path, relationship: name, each: each,
                        condition: object.isObject(at: each), result: .exists,
                        includesReferences: true))
            })
    }

    // MARK: Values of the linked objects

    /// The smallest value that the linked objects have in a column, empty where there is none.
    public func min<Value: AttributeValue>(
        _ column: (Destination.Columns) -> Column<Value>
    ) -> Column<Value?> {
        Column<Value?>(expression: aggregate("min", column))
    }

    /// The smallest value that the linked objects have in a column, empty where there is none.
    public func min<Value: AttributeValue>(
        _ column: (Destination.Columns) -> Column<Value?>
    ) -> Column<Value?> {
        Column<Value?>(expression: aggregate("min", column))
    }

    /// The largest value that the linked objects have in a column, empty where there is none.
    public func max<Value: AttributeValue>(
        _ column: (Destination.Columns) -> Column<Value>
    ) -> Column<Value?> {
        Column<Value?>(expression: aggregate("max", column))
    }

    /// The largest value that the linked objects have in a column, empty where there is none.
    public func max<Value: AttributeValue>(
        _ column: (Destination.Columns) -> Column<Value?>
    ) -> Column<Value?> {
        Column<Value?>(expression: aggregate("max", column))
    }

    /// The sum of the linked objects' numbers in a column, empty ones left out; 0 where there are
    /// none.
    public func sum<Value: NumericValue>(
        _ column: (Destination.Columns) -> Column<Value>
    ) -> Column<Value.Sum> {
        Column<Value.Sum>(
            expression: .function(
                "coalesce", [aggregate("sum", column), .value(.integer(0))]))
    }

    // MARK: Subqueries

    /// Makes an expression that names the columns of the linked objects.
    private func each(_ body: (ColumnPath) -> QueryExpression) -> QueryExpression {
        let level = ColumnLevel.current
        return ColumnLevel.$current.withValue(level + 1) {
            body(path.appending(each: name, level: level))
        }
    }

    private func links(
        _ condition: (Destination.Columns) -> Condition, _ result: LinkExpression.Result
    ) -> QueryExpression {
        each { each in
            links(
                result, each: each,
                condition: condition(Destination.Columns(path: each)).expression)
        }
    }

    private func links(
        _ result: LinkExpression.Result, each: ColumnPath? = nil,
        condition: QueryExpression? = nil
    ) -> QueryExpression {
        .links(
            LinkExpression(
                owner: path, relationship: name,
                each: each ?? path.appending(each: name, level: 0), condition: condition,
                result: result))
    }

    private func aggregate<Value: AttributeValue>(
        _ function: String, _ column: (Destination.Columns) -> Column<Value>
    ) -> QueryExpression {
        each { each in
            links(
                .aggregate(function, column(Destination.Columns(path: each)).ordered),
                each: each)
        }
    }
}
