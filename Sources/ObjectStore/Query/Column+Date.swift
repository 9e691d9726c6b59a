public import Foundation

/// A type whose columns hold points in time: `Date`, what an app lets conform, and their optionals.
public protocol DateValue: AttributeValue {
    /// The type of whole numbers worked out from the date: `Int`, or `Int?` for what may be empty.
    associatedtype WholeNumber: AttributeValue = Int
    /// The type of spans of time: `Double`, or `Double?` for what may be empty.
    associatedtype Span: NumericValue = Double
}

extension Date: DateValue {}
extension Optional: DateValue where Wrapped: DateValue {
    /// A whole number, or none.
    public typealias WholeNumber = Int?
    /// A span of time, or none.
    public typealias Span = Double?
}

extension Column where Value: DateValue {
    /// The year in the Gregorian calendar, UTC.
    public var year: Column<Value.WholeNumber> { part(.year) }

    /// The month in the Gregorian calendar, UTC, from 1 to 12.
    public var month: Column<Value.WholeNumber> { part(.month) }

    /// The day of the month in the Gregorian calendar, UTC, from 1 to 31.
    public var day: Column<Value.WholeNumber> { part(.day) }

    /// The hour of the day in UTC, from 0 to 23.
    public var hour: Column<Value.WholeNumber> { part(.hour) }

    /// The weekday in UTC, from 1 for Sunday to 7 for Saturday.
    public var weekday: Column<Value.WholeNumber> { part(.weekday) }

    /// The point in time so many seconds later.
    public func adding(seconds: Double) -> Column {
        Column(expression: .infix(expression, "+", .value(.real(seconds))))
    }

    /// The seconds from another point in time to this one.
    public func seconds(since other: Column) -> Column<Value.Span> {
        Column<Value.Span>(expression: .infix(expression, "-", other.expression))
    }

    /// The seconds from a point in time to this one.
    public func seconds(since date: Date) -> Column<Value.Span> {
        Column<Value.Span>(expression: .infix(expression, "-", .value(date.sqlValue)))
    }

    private func part(_ part: DatePart) -> Column<Value.WholeNumber> {
        Column<Value.WholeNumber>(
            expression: .function(
                DatePart.function, [expression, .value(.integer(part.rawValue))]))
    }
}
