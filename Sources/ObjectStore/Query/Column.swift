/// A column in a query, or what is computed from one.
///
/// A column that is reached through a to-one relationship may be empty, and its type says so:
/// `$0.user.login` is a `Column<String?>`, and `$0.user.login ?? ""` a `Column<String>`.
///
/// `Value` is an `AttributeValue`. The type doesn't ask for that itself: of an attribute that can't be
/// one the compiler would say so here, inside what `@Entity` writes, and not what to do about it.
public struct Column<Value>: Sendable {
    let expression: QueryExpression

    /// Names the column of an attribute.
    public init(_ path: ColumnPath, _ name: String) {
        expression = .column(path, name)
    }

    init(expression: QueryExpression) {
        self.expression = expression
    }
}

extension Column where Value: AttributeValue {
    /// The column as it is compared and sorted.
    var ordered: QueryExpression { expression.ordered(as: Value.attributeType) }

    /// Sorts by the column, smallest first; empty values come before all others.
    public var ascending: SortKey { SortKey(expression: ordered, isDescending: false) }

    /// Sorts by the column, largest first; empty values come after all others.
    public var descending: SortKey { SortKey(expression: ordered, isDescending: true) }

    /// True where the column is empty, also because a relationship on the way to it is.
    public var isNil: Condition {
        Condition(expression: .infix(expression, "IS", .value(.null)))
    }

    /// The column as one that may be empty: to calculate with it and another one that may be.
    public var optional: Column<Value?> { Column<Value?>(expression: expression) }

    /// The column's value, another where it is empty.
    public static func ?? (left: Column, right: Value) -> Column {
        coalescing(left.expression, .value(right.sqlValue))
    }

    /// The column's value, another's where it is empty.
    public static func ?? (left: Column, right: Column) -> Column {
        coalescing(left.expression, right.expression)
    }

    /// The column's value, another where it is empty.
    public static func ?? <Wrapped>(left: Column, right: Wrapped) -> Column<Wrapped>
    where Value == Wrapped? {
        .coalescing(left.expression, .value(right.sqlValue))
    }

    /// The column's value, another's where it is empty.
    public static func ?? <Wrapped>(left: Column, right: Column<Wrapped>) -> Column<Wrapped>
    where Value == Wrapped? {
        .coalescing(left.expression, right.expression)
    }

    private static func coalescing(
        _ left: QueryExpression, _ right: QueryExpression
    ) -> Column {
        Column(expression: .function("coalesce", [left, right]))
    }
}

extension Column where Value: AttributeValue & ExpressibleByNilLiteral {
    /// The column itself, which may be empty already.
    public var optional: Column { self }
}
