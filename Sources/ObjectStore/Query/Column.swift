/// A column in a query, or what is computed from one.
public struct Column<Value: AttributeValue>: Sendable {
    let expression: QueryExpression

    /// Names the column of an attribute.
    public init(_ path: ColumnPath, _ name: String) {
        expression = .column(path, name)
    }

    init(expression: QueryExpression) {
        self.expression = expression
    }

    /// Sorts by the column, smallest first; empty values come before all others.
    public var ascending: SortKey { SortKey(expression: expression, isDescending: false) }

    /// Sorts by the column, largest first; empty values come after all others.
    public var descending: SortKey { SortKey(expression: expression, isDescending: true) }
}
