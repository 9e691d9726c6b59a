/// A predicate that objects must fulfil to be found by a query.
///
/// Conditions are made of columns: `$0.title.contains("crash") && $0.comments > 10`. A comparison
/// with an empty value is neither true nor false in SQL; here a condition is fulfilled or it is
/// not, and `!` finds exactly the objects that it left out. A query that compares with what is not a
/// number, `.nan`, throws `StoreError`: no attribute holds it, and it has no place in an order.
public struct Condition: Sendable {
    let expression: QueryExpression

    /// True where both are.
    public static func && (left: Condition, right: Condition) -> Condition {
        Condition(expression: .joined(left.expression, .and, right.expression))
    }

    /// True where one or both are.
    public static func || (left: Condition, right: Condition) -> Condition {
        Condition(expression: .joined(left.expression, .or, right.expression))
    }

    /// True where the condition is not, empty values included.
    public static prefix func ! (condition: Condition) -> Condition {
        Condition(expression: condition.expression.negated)
    }
}

extension Condition: CustomStringConvertible {
    /// The predicate in words, with a question mark for each value.
    public var description: String { "\(expression)" }
}

extension One {
    /// The condition that the object at a path is this one.
    ///
    /// An object that was made in code is known by its identity; without one it is nowhere.
    func isObject(at path: ColumnPath) -> QueryExpression {
        if case .row(let row, let home) = content {
            return .infix(.row(path), "=", .object(row, of: home.store))
        }
        guard let identity, identity.contains(where: { $0 != .null }) else {
            return .value(.integer(0))
        }
        return .identity(path, identity)
    }
}
