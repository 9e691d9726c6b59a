/// A column to sort by, in which direction, and where empty values stand.
public struct SortKey: Sendable {
    let expression: QueryExpression
    let isDescending: Bool
    /// Whether empty values come before all others: unless asked otherwise they are the smallest.
    let putsEmptyFirst: Bool

    init(expression: QueryExpression, isDescending: Bool, putsEmptyFirst: Bool? = nil) {
        self.expression = expression
        self.isDescending = isDescending
        self.putsEmptyFirst = putsEmptyFirst ?? !isDescending
    }

    /// The same order with empty values before all others.
    public var nullsFirst: SortKey {
        SortKey(expression: expression, isDescending: isDescending, putsEmptyFirst: true)
    }

    /// The same order with empty values after all others.
    public var nullsLast: SortKey {
        SortKey(expression: expression, isDescending: isDescending, putsEmptyFirst: false)
    }
}

extension SortKey: CustomStringConvertible {
    /// The expression to sort by and the direction, with a question mark for each value.
    public var description: String {
        let direction = isDescending ? "\(expression) descending" : "\(expression)"
        if putsEmptyFirst != isDescending { return direction }
        return direction + (putsEmptyFirst ? " nulls first" : " nulls last")
    }
}
