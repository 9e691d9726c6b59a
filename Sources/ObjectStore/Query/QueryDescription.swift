/// What a query asks, apart from the type that its objects are read into.
struct QueryDescription: Sendable {
    /// The entity's name.
    let entity: String
    var condition: QueryExpression?
    /// What the searchable attributes must hold.
    var search: SearchText?
    var sortKeys: [SortKey] = []
    var maximumCount: Int?
    var skippedCount: Int?
    /// Where the page before this one ended.
    var cursor: QueryCursor?
    /// Whether equal values are selected once only.
    var isDistinct = false

    init(entity: String) { self.entity = entity }

    /// Whether the query keeps only some of the objects that fulfil its condition.
    var isCut: Bool { maximumCount != nil || skippedCount != nil }
}
