/// What objects must fulfil to be found by a query.
///
/// Conditions are made of columns: `$0.title.contains("crash") && $0.comments > 10`.
public struct Condition: Sendable {
    let expression: QueryExpression

    /// True where both are.
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(expression: .infix(left.expression, "AND", right.expression))
    }

    /// True where one or both are.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(expression: .infix(left.expression, "OR", right.expression))
    }

    /// True where the condition is not, empty values included.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(expression: .infix(condition.expression, "IS NOT", .value(.integer(1))))
    }
}
