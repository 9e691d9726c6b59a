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

/// A query as a store asks it, apart from the type that its objects are read into.
public struct QueryDescription: Sendable {
    /// The entity's name.
    let entity: String
    var condition: QueryExpression?
    /// The words that the searchable attributes must hold.
    var search: SearchText?
    var sortKeys: [SortKey] = []
    var maximumCount: Int?
    var skippedCount: Int?
    /// The end of the page before this one.
    var cursor: QueryCursor?
    /// Whether equal values are selected once only.
    var isDistinct = false
    /// Whether objects are looked for, or references to those that have not arrived.
    var rowKind = EntityPlan.RowKind.object

    init(entity: String) { self.entity = entity }

    /// The query for the first of the objects.
    var first: QueryDescription {
        var first = self
        first.maximumCount = min(maximumCount ?? 1, 1)
        return first
    }

    /// Whether the query keeps only some of the objects that fulfil its condition.
    var isCut: Bool { maximumCount != nil || skippedCount != nil }
}

/// The query in words, for people: each value is a question mark, since values may be secret.
extension QueryDescription: CustomStringConvertible {
    /// The query in words, with a question mark for each value.
    public var description: String {
        var parts = [isDistinct ? "distinct \(entity)" : entity]
        if rowKind == .reference { parts.insert("references to", at: 0) }
        if search != nil { parts.append("matching ?") }
        if let condition { parts.append("where \(condition)") }
        if !sortKeys.isEmpty { parts.append("sorted by \(Self.list(sortKeys))") }
        if cursor != nil { parts.append("after ?") }
        if let maximumCount { parts.append("limit \(maximumCount)") }
        if let skippedCount { parts.append("offset \(skippedCount)") }
        return parts.joined(separator: " ")
    }

    /// Parts with commas between them.
    static func list(_ parts: [some Any]) -> String {
        parts.map { "\($0)" }.joined(separator: ", ")
    }
}

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

/// Some of a query's objects, and where to go on behind them.
public struct Page<Object: Entity>: Sendable {
    /// The objects, in the query's order.
    public let objects: [Object]
    /// The cursor behind this page; nil where it is the last.
    public let next: QueryCursor?
}

/// Stand where a call can't be, so that the compiler says what is wrong with it.
extension Query {
    /// Says that an order has a direction.
    @available(
        *, unavailable, message: "say which way: '$0.title.ascending' or '$0.title.descending'"
    )
    @_disfavoredOverload
    public func sorted<Value>(_ column: (Object.Columns) -> Column<Value>) -> Query { self }

    /// Says that a column is no condition.
    @available(
        *, unavailable,
        message: "a condition compares an attribute with a value: '$0.isOpen == true'"
    )
    @_disfavoredOverload
    public func `where`<Value>(_ column: (Object.Columns) -> Column<Value>) -> Query { self }
}

/// Stands where a call can't be, so that the compiler says what is wrong with it.
extension Entity {
    /// Says that a column is no condition.
    @available(
        *, unavailable,
        message: "a condition compares an attribute with a value: '$0.isOpen == true'"
    )
    @_disfavoredOverload
    public static func `where`<Value>(_ column: (Columns) -> Column<Value>) -> Query<Self> {
        all
    }
}
