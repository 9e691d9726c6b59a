/// The assignment to a column in an update, made by `set`, `increment` and `decrement`.
public struct ColumnAssignment: Sendable {
    /// The source of the new value.
    enum Source: Sendable {
        case value(SQLValue)
        case sum(SQLValue, ClosedRange<Int64>?)
        case column(QueryExpression)
        case link(EntityValues.Link)
    }

    let target: QueryExpression
    let source: Source
}

extension Column where Value: AttributeValue {
    /// Gives the column a value.
    public func set(_ value: Value) -> ColumnAssignment {
        ColumnAssignment(target: expression, source: .value(value.keptValue))
    }

    /// Gives the column what another column of the same object holds.
    public func set(_ column: Column<Value>) -> ColumnAssignment {
        ColumnAssignment(target: expression, source: .column(column.expression))
    }
}

extension Column where Value: AttributeValue & FixedWidthInteger {
    /// Adds a number to the column.
    public func increment(by number: Value = 1) -> ColumnAssignment {
        ColumnAssignment(target: expression, source: .sum(number.sqlValue, Value.storedRange))
    }
}

extension Column where Value: AttributeValue & BinaryFloatingPoint {
    /// Adds a number to the column.
    public func increment(by number: Value) -> ColumnAssignment {
        ColumnAssignment(target: expression, source: .sum(number.sqlValue, nil))
    }
}

extension Column where Value: AttributeValue {
    /// Adds a number to the column; where it is empty it stays so.
    public func increment<Wrapped: AttributeValue & FixedWidthInteger>(
        by number: Wrapped = 1
    ) -> ColumnAssignment where Value == Wrapped? {
        ColumnAssignment(target: expression, source: .sum(number.sqlValue, Wrapped.storedRange))
    }

    /// Adds a number to the column; where it is empty it stays so.
    public func increment<Wrapped: AttributeValue & BinaryFloatingPoint>(
        by number: Wrapped
    ) -> ColumnAssignment where Value == Wrapped? {
        ColumnAssignment(target: expression, source: .sum(number.sqlValue, nil))
    }
}

extension ToOneColumn {
    /// Makes the relationship lead to an object, or to none for nil.
    public func set(_ object: One<Destination>?) -> ColumnAssignment {
        let (path, name) = Self.place(of: self)
        return ColumnAssignment(
            target: .column(path, name),
            source: .link(object.map(EntityValues.link) ?? EntityValues.Link.none))
    }
}

extension FixedWidthInteger {
    /// The values that a column of the type can hold.
    fileprivate static var storedRange: ClosedRange<Int64> {
        Int64(clamping: Self.min)...Int64(clamping: Self.max)
    }
}

/// Collects the assignments of an update: a list of statements, or an array.
@resultBuilder
public enum ColumnAssignmentBuilder {
    /// Takes one assignment.
    public static func buildExpression(_ assignment: ColumnAssignment) -> [ColumnAssignment] {
        [assignment]
    }

    /// Takes several assignments.
    public static func buildExpression(_ assignments: [ColumnAssignment]) -> [ColumnAssignment] {
        assignments
    }

    /// Joins what stands below each other.
    public static func buildBlock(_ parts: [ColumnAssignment]...) -> [ColumnAssignment] {
        parts.flatMap { $0 }
    }

    /// Takes what a condition lets through.
    public static func buildOptional(_ part: [ColumnAssignment]?) -> [ColumnAssignment] {
        part ?? []
    }

    /// Takes one of two.
    public static func buildEither(first part: [ColumnAssignment]) -> [ColumnAssignment] { part }

    /// Takes one of two.
    public static func buildEither(second part: [ColumnAssignment]) -> [ColumnAssignment] { part }
}
