/// Stand where a column is taken for a condition, so that the compiler says what is wrong.
extension ToManyColumn {
    /// Says that a column is no condition.
    @available(
        *, unavailable,
        message: "a condition compares an attribute with a value: '$0.isOpen == true'"
    )
    @_disfavoredOverload
    public func contains<Value>(
        where column: (Destination.Columns) -> Column<Value>
    ) -> Condition {
        isEmpty
    }

    /// Says that a column is no condition.
    @available(
        *, unavailable,
        message: "a condition compares an attribute with a value: '$0.isOpen == true'"
    )
    @_disfavoredOverload
    public func allSatisfy<Value>(
        _ column: (Destination.Columns) -> Column<Value>
    ) -> Condition {
        isEmpty
    }

    /// Says that a column is no condition.
    @available(
        *, unavailable,
        message: "a condition compares an attribute with a value: '$0.isOpen == true'"
    )
    @_disfavoredOverload
    public func count<Value>(
        where column: (Destination.Columns) -> Column<Value>
    ) -> Column<Int> {
        count
    }
}
