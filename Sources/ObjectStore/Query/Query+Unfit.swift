/// Stands where a call can't be, so that the compiler says what is wrong with it.
extension Query {
    /// Says that an order has a direction.
    @available(
        *, unavailable, message: "say which way: '$0.title.ascending' or '$0.title.descending'"
    )
    @_disfavoredOverload
    public func sorted<Value>(_ column: (Object.Columns) -> Column<Value>) -> Query { self }
}
