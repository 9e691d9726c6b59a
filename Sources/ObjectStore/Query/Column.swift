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
        coalescing(left.expression, .value(right.keptValue))
    }

    /// The column's value, another's where it is empty.
    public static func ?? (left: Column, right: Column) -> Column {
        coalescing(left.expression, right.expression)
    }

    /// The column's value, another where it is empty.
    public static func ?? <Wrapped>(left: Column, right: Wrapped) -> Column<Wrapped>
    where Value == Wrapped? {
        .coalescing(left.expression, .value(right.keptValue))
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

/// The relationships that lead from a query's entity to the one that a column belongs to.
public struct ColumnPath: Hashable, Sendable {
    enum Step: Hashable {
        /// The object that a to-one relationship leads to.
        case one(String)
        /// Each of the objects that a to-many relationship links, in a condition on them; the
        /// level tells conditions apart that stand inside each other.
        case each(String, level: Int)
    }

    let steps: [Step]

    /// The query's own entity.
    init() { steps = [] }

    init(steps: [Step]) { self.steps = steps }

    /// Whether the path ends at the query's own entity.
    var isEmpty: Bool { steps.isEmpty }

    func appending(_ relationship: String) -> ColumnPath {
        ColumnPath(steps: steps + [.one(relationship)])
    }

    func appending(each relationship: String, level: Int) -> ColumnPath {
        ColumnPath(steps: steps + [.each(relationship, level: level)])
    }

    /// The path without its last step.
    var parent: ColumnPath { ColumnPath(steps: steps.dropLast()) }

    /// The path as far as the last objects of a to-many relationship: what is joined to them
    /// stands in the same subquery.
    var scope: ColumnPath {
        var steps = steps
        while case .one? = steps.last { steps.removeLast() }
        return ColumnPath(steps: steps)
    }

    /// Whether the path is this one or goes on from it.
    func isInside(_ path: ColumnPath) -> Bool { steps.starts(with: path.steps) }
}

extension ColumnPath: CustomStringConvertible {
    /// The relationships, joined by dots.
    public var description: String {
        steps.map { step in
            switch step {
            case .one(let name), .each(let name, _): name
            }
        }.joined(separator: ".")
    }
}

/// The number of conditions on linked objects that stand around the one being made.
///
/// It tells apart the columns of conditions on the same relationship that stand inside each other.
enum ColumnLevel {
    @TaskLocal static var current = 0
}

/// The columns of an entity, as queries name them.
///
/// `@Entity` writes a type `Columns` with a property for each attribute (`Column`) and
/// relationship (`ToOneColumn`, `ToManyColumn`).
public protocol EntityColumns: Sendable {
    /// Names the columns of the entity that a path leads to.
    init(path: ColumnPath)
}
