extension Column where Value: AttributeValue & Comparable {
    /// True where the column's value is one of these or between them.
    public func isBetween(_ lower: Value, _ upper: Value) -> Condition {
        between(lower, upper)
    }

    /// True where the column's value is in the range.
    public func isIn(_ range: ClosedRange<Value>) -> Condition {
        between(range.lowerBound, range.upperBound)
    }

    /// True where the column's value is in the range.
    public func isIn(_ range: Range<Value>) -> Condition {
        self >= range.lowerBound && self < range.upperBound
    }

    /// True where the column's value is in the range.
    public func isIn(_ range: PartialRangeFrom<Value>) -> Condition { self >= range.lowerBound }

    /// True where the column's value is in the range.
    public func isIn(_ range: PartialRangeThrough<Value>) -> Condition {
        self <= range.upperBound
    }

    /// True where the column's value is in the range.
    public func isIn(_ range: PartialRangeUpTo<Value>) -> Condition { self < range.upperBound }
}

extension Column where Value: AttributeValue {
    /// True where the column has a value and that is one of these or between them.
    public func isBetween<Wrapped: Comparable>(_ lower: Wrapped, _ upper: Wrapped) -> Condition
    where Value == Wrapped? {
        between(lower, upper)
    }

    /// True where the column has a value and that is in the range.
    public func isIn<Wrapped: Comparable>(_ range: ClosedRange<Wrapped>) -> Condition
    where Value == Wrapped? {
        between(range.lowerBound, range.upperBound)
    }

    /// True where the column has a value and that is in the range.
    public func isIn<Wrapped: Comparable>(_ range: Range<Wrapped>) -> Condition
    where Value == Wrapped? {
        self >= range.lowerBound && self < range.upperBound
    }

    /// True where the column has a value and that is in the range.
    public func isIn<Wrapped: Comparable>(_ range: PartialRangeFrom<Wrapped>) -> Condition
    where Value == Wrapped? {
        self >= range.lowerBound
    }

    /// True where the column has a value and that is in the range.
    public func isIn<Wrapped: Comparable>(_ range: PartialRangeThrough<Wrapped>) -> Condition
    where Value == Wrapped? {
        self <= range.upperBound
    }

    /// True where the column has a value and that is in the range.
    public func isIn<Wrapped: Comparable>(_ range: PartialRangeUpTo<Wrapped>) -> Condition
    where Value == Wrapped? {
        self < range.upperBound
    }

    private func between(_ lower: some AttributeValue, _ upper: some AttributeValue) -> Condition {
        Condition(
            expression: .between(ordered, .value(lower.sqlValue), .value(upper.sqlValue)))
    }
}

extension ClosedRange where Bound: AttributeValue {
    /// True where the column's value is in the range.
    public func contains(_ column: Column<Bound>) -> Condition { column.isIn(self) }

    /// True where the column has a value and that is in the range.
    public func contains(_ column: Column<Bound?>) -> Condition { column.isIn(self) }
}

extension Range where Bound: AttributeValue {
    /// True where the column's value is in the range.
    public func contains(_ column: Column<Bound>) -> Condition { column.isIn(self) }

    /// True where the column has a value and that is in the range.
    public func contains(_ column: Column<Bound?>) -> Condition { column.isIn(self) }
}
