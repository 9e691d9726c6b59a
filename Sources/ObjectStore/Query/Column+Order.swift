/// Comparing two columns; where one of them is empty, it is neither smaller nor larger.
extension Column where Value: AttributeValue {
    private func order<Other>(_ sign: String, _ other: Column<Other>) -> Condition {
        Condition(expression: .infix(ordered, sign, other.expression))
    }

    /// True where both columns have values and the left one's value is smaller.
    public static func < (left: Column, right: Column) -> Condition
    where Value: Comparable {
        left.order("<", right)
    }

    /// True where both columns have values and the left one's value is smaller.
    public static func < <Wrapped: Comparable>(left: Column, right: Column) -> Condition
    where Value == Wrapped? {
        left.order("<", right)
    }

    /// True where both columns have values and the left one's value is smaller.
    public static func < <Wrapped: Comparable>(
        left: Column, right: Column<Wrapped>
    ) -> Condition where Value == Wrapped? {
        left.order("<", right)
    }

    /// True where both columns have values and the left one's value is smaller.
    public static func < (left: Column, right: Column<Value?>) -> Condition
    where Value: Comparable {
        left.order("<", right)
    }

    /// True where both columns have values and the left one's value is smaller or equal.
    public static func <= (left: Column, right: Column) -> Condition
    where Value: Comparable {
        left.order("<=", right)
    }

    /// True where both columns have values and the left one's value is smaller or equal.
    public static func <= <Wrapped: Comparable>(left: Column, right: Column) -> Condition
    where Value == Wrapped? {
        left.order("<=", right)
    }

    /// True where both columns have values and the left one's value is smaller or equal.
    public static func <= <Wrapped: Comparable>(
        left: Column, right: Column<Wrapped>
    ) -> Condition where Value == Wrapped? {
        left.order("<=", right)
    }

    /// True where both columns have values and the left one's value is smaller or equal.
    public static func <= (left: Column, right: Column<Value?>) -> Condition
    where Value: Comparable {
        left.order("<=", right)
    }

    /// True where both columns have values and the left one's value is larger.
    public static func > (left: Column, right: Column) -> Condition
    where Value: Comparable {
        left.order(">", right)
    }

    /// True where both columns have values and the left one's value is larger.
    public static func > <Wrapped: Comparable>(left: Column, right: Column) -> Condition
    where Value == Wrapped? {
        left.order(">", right)
    }

    /// True where both columns have values and the left one's value is larger.
    public static func > <Wrapped: Comparable>(
        left: Column, right: Column<Wrapped>
    ) -> Condition where Value == Wrapped? {
        left.order(">", right)
    }

    /// True where both columns have values and the left one's value is larger.
    public static func > (left: Column, right: Column<Value?>) -> Condition
    where Value: Comparable {
        left.order(">", right)
    }

    /// True where both columns have values and the left one's value is larger or equal.
    public static func >= (left: Column, right: Column) -> Condition
    where Value: Comparable {
        left.order(">=", right)
    }

    /// True where both columns have values and the left one's value is larger or equal.
    public static func >= <Wrapped: Comparable>(left: Column, right: Column) -> Condition
    where Value == Wrapped? {
        left.order(">=", right)
    }

    /// True where both columns have values and the left one's value is larger or equal.
    public static func >= <Wrapped: Comparable>(
        left: Column, right: Column<Wrapped>
    ) -> Condition where Value == Wrapped? {
        left.order(">=", right)
    }

    /// True where both columns have values and the left one's value is larger or equal.
    public static func >= (left: Column, right: Column<Value?>) -> Condition
    where Value: Comparable {
        left.order(">=", right)
    }
}
