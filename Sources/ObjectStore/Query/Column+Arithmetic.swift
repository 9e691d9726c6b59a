/// A type whose columns hold numbers that can be calculated with: whole numbers, `Double`, `Float`,
/// and their optionals.
///
/// `Decimal` is none: SQLite has no exact decimal arithmetic.
public protocol NumericValue: AttributeValue {
    /// The type of sums: `Int` for whole numbers of fewer bits, whose sums soon take more than they have.
    associatedtype Sum: NumericValue & Numeric = Self
}

extension Int: NumericValue {}
extension Int8: NumericValue {
    /// The type of sums.
    public typealias Sum = Int
}
extension Int16: NumericValue {
    /// The type of sums.
    public typealias Sum = Int
}
extension Int32: NumericValue {
    /// The type of sums.
    public typealias Sum = Int
}
extension Int64: NumericValue {}
extension UInt8: NumericValue {
    /// The type of sums.
    public typealias Sum = Int
}
extension UInt16: NumericValue {
    /// The type of sums.
    public typealias Sum = Int
}
extension UInt32: NumericValue {
    /// The type of sums.
    public typealias Sum = Int
}
extension Double: NumericValue {}
extension Float: NumericValue {}
extension Optional: NumericValue where Wrapped: NumericValue {
    /// The type of sums, in which empty values are left out.
    public typealias Sum = Wrapped.Sum
}

/// Calculating with columns, in 64 bits: a sum of whole numbers that is larger becomes a
/// floating-point number. What is calculated from an empty value is empty. Reading a result is an error
/// where the columns' type has no room for it.
extension Column where Value: NumericValue {
    private static func infix(
        _ left: QueryExpression, _ sign: String, _ right: QueryExpression
    ) -> Column {
        Column(expression: .infix(left, sign, right))
    }

    /// The sum of two columns.
    public static func + (left: Column, right: Column) -> Column {
        infix(left.expression, "+", right.expression)
    }

    /// The sum of a column and a value.
    public static func + (left: Column, right: Value) -> Column {
        infix(left.expression, "+", .value(right.sqlValue))
    }

    /// The sum of a value and a column.
    public static func + (left: Value, right: Column) -> Column {
        infix(.value(left.sqlValue), "+", right.expression)
    }

    /// The difference of two columns.
    public static func - (left: Column, right: Column) -> Column {
        infix(left.expression, "-", right.expression)
    }

    /// The difference of a column and a value.
    public static func - (left: Column, right: Value) -> Column {
        infix(left.expression, "-", .value(right.sqlValue))
    }

    /// The difference of a value and a column.
    public static func - (left: Value, right: Column) -> Column {
        infix(.value(left.sqlValue), "-", right.expression)
    }

    /// The product of two columns.
    public static func * (left: Column, right: Column) -> Column {
        infix(left.expression, "*", right.expression)
    }

    /// The product of a column and a value.
    public static func * (left: Column, right: Value) -> Column {
        infix(left.expression, "*", .value(right.sqlValue))
    }

    /// The product of a value and a column.
    public static func * (left: Value, right: Column) -> Column {
        infix(.value(left.sqlValue), "*", right.expression)
    }

    /// The quotient of two columns.
    ///
    /// Whole numbers are divided as Swift divides them; dividing by 0 gives an empty value.
    public static func / (left: Column, right: Column) -> Column {
        infix(left.expression, "/", right.expression)
    }

    /// The quotient of a column and a value.
    public static func / (left: Column, right: Value) -> Column {
        infix(left.expression, "/", .value(right.sqlValue))
    }

    /// The quotient of a value and a column.
    public static func / (left: Value, right: Column) -> Column {
        infix(.value(left.sqlValue), "/", right.expression)
    }

    /// The remainder of dividing two columns.
    ///
    /// Both are taken as whole numbers; dividing by 0 gives an empty value.
    public static func % (left: Column, right: Column) -> Column {
        infix(left.expression, "%", right.expression)
    }

    /// The remainder of dividing a column and a value.
    public static func % (left: Column, right: Value) -> Column {
        infix(left.expression, "%", .value(right.sqlValue))
    }

    /// The remainder of dividing a value and a column.
    public static func % (left: Value, right: Column) -> Column {
        infix(.value(left.sqlValue), "%", right.expression)
    }

    /// The number with the opposite sign.
    public static prefix func - (column: Column) -> Column {
        infix(.value(.integer(0)), "-", column.expression)
    }
}
