public import Foundation

/// A value that is worked out of a column of all objects of a query, or of a group of them:
/// `$0.comments.max`.
///
/// Empty values are left out.
public struct Aggregate<Value: AttributeValue>: Sendable {
    let expression: AggregateExpression

    fileprivate init(
        _ function: String, of column: QueryExpression, isZeroOfNone: Bool = false
    ) {
        expression = AggregateExpression(
            function: function, column: column, isZeroOfNone: isZeroOfNone)
    }
}

extension Column where Value: AttributeValue {
    /// The number of values that are not empty: of an identity, the number of objects.
    public var count: Aggregate<Int> { Aggregate("count", of: expression) }

    /// The smallest value, nil where there is none.
    public var min: Aggregate<Value?> { Aggregate("min", of: ordered) }

    /// The largest value, nil where there is none.
    public var max: Aggregate<Value?> { Aggregate("max", of: ordered) }
}

extension Column where Value: AttributeValue & ExpressibleByNilLiteral {
    /// The smallest value, nil where there is none.
    public var min: Aggregate<Value> { Aggregate("min", of: ordered) }

    /// The largest value, nil where there is none.
    public var max: Aggregate<Value> { Aggregate("max", of: ordered) }
}

extension Column where Value: NumericValue {
    /// The sum; 0 where there is no value.
    ///
    /// Reading it throws a `StoreError` where a sum of whole numbers takes more than 64 bits. Where
    /// infinities of both signs meet, it is 0.
    public var sum: Aggregate<Value.Sum> { Aggregate("sum", of: expression, isZeroOfNone: true) }

    /// The average, nil where there is no value.
    public var average: Aggregate<Double?> { Aggregate("avg", of: expression) }
}

extension Column where Value == Decimal {
    /// The exact sum; 0 where there is no value.
    public var sum: Aggregate<Decimal> { Aggregate(DecimalSum.name, of: expression) }
}

extension Column where Value == Decimal? {
    /// The exact sum; 0 where there is no value.
    public var sum: Aggregate<Decimal> { Aggregate(DecimalSum.name, of: expression) }
}

/// An aggregate without the type of its value.
struct AggregateExpression: Sendable {
    let function: String
    let column: QueryExpression
    /// Whether SQLite's empty value stands for 0.
    let isZeroOfNone: Bool

    /// The call of the function.
    ///
    /// - Parameter argument: The column in SQL.
    func sql(of argument: String) -> String {
        let call = "\(function)(\(argument))"
        return isZeroOfNone ? "coalesce(\(call), 0)" : call
    }
}
