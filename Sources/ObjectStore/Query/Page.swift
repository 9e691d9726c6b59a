/// Some of a query's objects, and where to go on behind them.
public struct Page<Object: Entity>: Sendable {
    /// The objects, in the query's order.
    public let objects: [Object]
    /// What the next page comes after, nil where this page is the last.
    public let next: QueryCursor?
}
