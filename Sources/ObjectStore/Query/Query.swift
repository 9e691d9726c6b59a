/// A question to a store: which objects of an entity, in which order, how many.
///
///     Issue.where { $0.title.contains("crash") && $0.user.login == "ann" }
///         .sorted { $0.createdAt.descending }
///         .limit(20)
///
/// Without an order objects come as they were inserted. Objects that are known by a reference
/// only are not found.
public struct Query<Object: Entity>: Sendable {
    var condition: Condition?
    var sortKeys: [SortKey] = []
    var maximumCount: Int?
    var skippedCount: Int?

    /// All objects of the entity.
    init() {}

    /// Keeps the objects that fulfil a condition too.
    public func `where`(_ condition: (Object.Columns) -> Condition) -> Query {
        var query = self
        let added = condition(Object.Columns(path: ColumnPath()))
        query.condition = query.condition.map { $0 && added } ?? added
        return query
    }

    /// Sorts by a column, within the orders that were asked for before.
    public func sorted(_ key: (Object.Columns) -> SortKey) -> Query {
        var query = self
        query.sortKeys.append(key(Object.Columns(path: ColumnPath())))
        return query
    }

    /// Keeps the first objects, at most this many; a negative number keeps none.
    public func limit(_ count: Int) -> Query {
        var query = self
        query.maximumCount = max(count, 0)
        return query
    }

    /// Leaves out the first objects, this many.
    public func offset(_ count: Int) -> Query {
        var query = self
        query.skippedCount = max(count, 0)
        return query
    }
}

extension Entity {
    /// All objects of the entity.
    public static var all: Query<Self> { Query() }

    /// The objects that fulfil a condition.
    public static func `where`(_ condition: (Columns) -> Condition) -> Query<Self> {
        Query().where(condition)
    }
}
