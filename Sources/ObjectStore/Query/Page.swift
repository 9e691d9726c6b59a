/// Some of a query's objects, and where to go on behind them.
public struct Page<Object: Entity>: Sendable {
    /// The objects, in the query's order.
    public let objects: [Object]
    /// The cursor behind this page; nil where it is the last.
    public let next: QueryCursor?
}
