/// A question to a store: which objects of an entity, in which order, how many.
///
///     Issue.where { $0.title.contains("crash") && $0.user.login == "ann" }
///         .sorted { $0.createdAt.descending }
///         .limit(20)
///
/// Without an order objects come as they were inserted. Objects that are known by a reference
/// only are not found; `Issue.references` finds the references.
public struct Query<Object: Entity>: Sendable {
    var description: QueryDescription

    /// All objects of the entity.
    init() { description = QueryDescription(entity: Object.entityName) }

    /// The columns of the query's own entity.
    static var columns: Object.Columns { Object.Columns(path: ColumnPath()) }

    /// Keeps the objects that fulfil a condition too.
    public func `where`(_ condition: (Object.Columns) -> Condition) -> Query {
        changed {
            let added = condition(Self.columns).expression
            $0.condition = $0.condition.map { .joined($0, .and, added) } ?? added
        }
    }

    /// Sorts by a column, within the orders that were asked for before.
    public func sorted(_ key: (Object.Columns) -> SortKey) -> Query {
        changed { $0.sortKeys.append(key(Self.columns)) }
    }

    /// Sorts by several columns, each within the orders before it.
    public func sorted(_ keys: (Object.Columns) -> [SortKey]) -> Query {
        changed { $0.sortKeys += keys(Self.columns) }
    }

    /// Keeps the first objects, at most this many; a negative number keeps none.
    public func limit(_ count: Int) -> Query {
        changed { $0.maximumCount = max(count, 0) }
    }

    /// Leaves out the first objects, this many.
    public func offset(_ count: Int) -> Query {
        changed { $0.skippedCount = max(count, 0) }
    }

    /// Keeps the objects behind a page that was read before; see `Store.page(_:size:after:)`.
    ///
    /// A limit and an offset of the query count from there.
    public func after(_ cursor: QueryCursor?) -> Query {
        changed { $0.cursor = cursor }
    }

    /// Selects equal values once only, in their own order unless the query has one.
    ///
    /// It counts where values are selected; objects are never equal.
    public func distinct() -> Query {
        changed { $0.isDistinct = true }
    }

    func changed(_ change: (inout QueryDescription) -> Void) -> Query {
        var query = self
        change(&query.description)
        return query
    }
}

extension Entity {
    /// All objects of the entity.
    public static var all: Query<Self> { Query() }

    /// All references to objects of the entity that have not arrived: what is still to be fetched.
    ///
    ///     let missing = try store.select(User.references) { $0.login }
    ///
    /// They can be counted, deleted, and their identities be selected; they can't be read as objects.
    public static var references: Query<Self> {
        Query().changed { $0.rowKind = .reference }
    }

    /// The objects that fulfil a condition.
    public static func `where`(_ condition: (Columns) -> Condition) -> Query<Self> {
        Query().where(condition)
    }
}

extension Query: CustomDebugStringConvertible {
    /// The query in words, with a question mark for each value.
    public var debugDescription: String { "\(description)" }
}
