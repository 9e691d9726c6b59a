extension Column where Value: AttributeValue {
    private func compare(_ sign: String, _ value: SQLValue) -> Condition {
        Condition(expression: .infix(expression, sign, .value(value)))
    }

    private func order(_ sign: String, _ other: QueryExpression) -> Condition {
        Condition(expression: .infix(ordered, sign, other))
    }

    private func same(_ other: QueryExpression, _ isSame: Bool) -> Condition {
        Condition(expression: .infix(expression, isSame ? "IS" : "IS NOT", other))
    }

    /// True where the column has this value; nil is a value like any other.
    public static func == (left: Column, right: Value) -> Condition {
        let value = right.keptValue
        return left.compare(value == .null ? "IS" : "=", value)
    }

    /// True where the column has another value or, unless compared with nil, none.
    public static func != (left: Column, right: Value) -> Condition {
        left.compare("IS NOT", right.keptValue)
    }

    /// True where both columns have the same value, or both are empty.
    public static func == (left: Column, right: Column) -> Condition {
        left.same(right.expression, true)
    }

    /// True where the columns have different values, or one of them is empty.
    public static func != (left: Column, right: Column) -> Condition {
        left.same(right.expression, false)
    }

    /// True where both columns have the same value.
    public static func == <Wrapped>(left: Column, right: Column<Wrapped>) -> Condition
    where Value == Wrapped? {
        left.same(right.expression, true)
    }

    /// True where the columns have different values, or one of them is empty.
    public static func != <Wrapped>(left: Column, right: Column<Wrapped>) -> Condition
    where Value == Wrapped? {
        left.same(right.expression, false)
    }

    /// True where both columns have the same value.
    public static func == (left: Column, right: Column<Value?>) -> Condition {
        left.optional.same(right.expression, true)
    }

    /// True where the columns have different values, or one of them is empty.
    public static func != (left: Column, right: Column<Value?>) -> Condition {
        left.optional.same(right.expression, false)
    }

    /// True where the column has one of these values; nil is a value like any other.
    public func isIn(_ values: some Sequence<Value>) -> Condition {
        let values = values.keptValues
        let found = Condition(
            expression: .infix(expression, "IN", .list(values.filter { $0 != .null })))
        guard values.contains(.null) else { return found }
        return found || isNil
    }

    /// True where the column has a value and that is one of these.
    @_disfavoredOverload  // A range of whole numbers is a sequence, too, and may have no end.
    public func isIn<Wrapped: AttributeValue>(_ values: some Sequence<Wrapped>) -> Condition
    where Value == Wrapped? {
        Condition(expression: .infix(expression, "IN", .list(values.keptValues)))
    }
}

extension Column where Value: AttributeValue & Comparable {
    /// True where the column's value is smaller.
    public static func < (left: Column, right: Value) -> Condition {
        left.order("<", .value(right.keptValue))
    }

    /// True where the column's value is smaller or equal.
    public static func <= (left: Column, right: Value) -> Condition {
        left.order("<=", .value(right.keptValue))
    }

    /// True where the column's value is larger.
    public static func > (left: Column, right: Value) -> Condition {
        left.order(">", .value(right.keptValue))
    }

    /// True where the column's value is larger or equal.
    public static func >= (left: Column, right: Value) -> Condition {
        left.order(">=", .value(right.keptValue))
    }
}

extension Column where Value: AttributeValue {
    /// True where the column has a value and that is smaller.
    public static func < <Wrapped: Comparable>(left: Column, right: Wrapped) -> Condition
    where Value == Wrapped? {
        left.order("<", .value(right.keptValue))
    }

    /// True where the column has a value and that is smaller or equal.
    public static func <= <Wrapped: Comparable>(left: Column, right: Wrapped) -> Condition
    where Value == Wrapped? {
        left.order("<=", .value(right.keptValue))
    }

    /// True where the column has a value and that is larger.
    public static func > <Wrapped: Comparable>(left: Column, right: Wrapped) -> Condition
    where Value == Wrapped? {
        left.order(">", .value(right.keptValue))
    }

    /// True where the column has a value and that is larger or equal.
    public static func >= <Wrapped: Comparable>(left: Column, right: Wrapped) -> Condition
    where Value == Wrapped? {
        left.order(">=", .value(right.keptValue))
    }
}

extension Column where Value: AttributeValue & Comparable {
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
            expression: .between(ordered, .value(lower.keptValue), .value(upper.keptValue)))
    }
}
