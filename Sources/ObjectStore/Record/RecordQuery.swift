/// A question to a store about the objects of an entity that is known by its name only.
///
///     RecordQuery("Issue").where("state = 'open'").where("user.login", is: name)
///         .sorted("-createdAt")
///         .limit(20)
///
/// The names are looked up where the query is used. Without an order objects come as they were
/// inserted. Objects that have not arrived are not found; ``references()`` finds the references to them.
public struct RecordQuery: Sendable {
    /// A predicate on objects.
    enum Condition: Sendable {
        case text(String)
        case value(path: String, SQLValue)
    }

    /// The name of the entity.
    public let entityName: String

    private(set) var conditions: [Condition] = []
    /// Orders as text, nil for that of relevance.
    private(set) var orders: [String?] = []
    /// The words that the searchable attributes must hold.
    private(set) var search: SearchText?
    private(set) var maximumCount: Int?
    private(set) var skippedCount: Int?
    private(set) var rowKind = EntityPlan.RowKind.object

    /// All objects of an entity.
    public init(_ entityName: String) { self.entityName = entityName }

    /// Keeps the objects that fulfil a condition too, such as `title like '%crash%'`.
    ///
    /// See `Query.where(_:in:)` for what a condition may say. Text that others have given does not
    /// belong into it: `where(_:is:)` is for that.
    public func `where`(_ condition: String) -> RecordQuery {
        changed { $0.conditions.append(.text(condition)) }
    }

    /// Keeps the objects whose attribute has a value too, nil for an empty one.
    ///
    /// - Parameter path: The attribute's name, or a dotted path over relationships to one; over a
    ///   to-many relationship one of the objects has to have the value. A path that ends at a to-one
    ///   relationship stands for the identity of the object there.
    public func `where`(_ path: String, is value: some AttributeValue) -> RecordQuery {
        changed { $0.conditions.append(.value(path: path, value.sqlValue)) }
    }

    /// Keeps the objects whose searchable attributes hold all words of a text too; see
    /// ``Query/matching(_:by:)``.
    public func matching(_ text: String, by matching: WordMatching = .wholeWords) -> RecordQuery {
        let added = SearchText(text, matching)
        return changed { $0.search = $0.search.map { $0.joined(with: added) } ?? added }
    }

    /// Sorts what `matching` finds by how well it matches, best first, within the orders that were
    /// asked for before.
    public func sortedByRelevance() -> RecordQuery {
        changed { $0.orders.append(nil) }
    }

    /// Sorts by attributes, such as `user.login, -createdAt`, within the orders that were asked for
    /// before; a minus sorts descending.
    public func sorted(_ order: String) -> RecordQuery {
        changed { $0.orders.append(order) }
    }

    /// Keeps the first objects, at most this many; a negative number keeps none.
    public func limit(_ count: Int) -> RecordQuery {
        changed { $0.maximumCount = max(count, 0) }
    }

    /// Leaves out the first objects, this many.
    public func offset(_ count: Int) -> RecordQuery {
        changed { $0.skippedCount = max(count, 0) }
    }

    /// Finds references to objects that have not arrived, instead of objects: records that are not
    /// complete.
    public func references() -> RecordQuery {
        changed { $0.rowKind = .reference }
    }

    private func changed(_ change: (inout RecordQuery) -> Void) -> RecordQuery {
        var query = self
        change(&query)
        return query
    }
}

extension RecordQuery: CustomStringConvertible {
    /// The query in words, with a question mark for each value that is bound.
    public var description: String {
        var parts = [rowKind == .reference ? "references to \(entityName)" : entityName]
        if search != nil { parts.append("matching ?") }
        if !conditions.isEmpty {
            let texts = conditions.map { condition in
                switch condition {
                case .text(let text): "(\(text))"
                case .value(let path, _): "(\(path) IS ?)"
                }
            }
            parts.append("where \(texts.joined(separator: " AND "))")
        }
        if !orders.isEmpty {
            parts.append("sorted by \(QueryDescription.list(orders.map { $0 ?? "relevance" }))")
        }
        if let maximumCount { parts.append("limit \(maximumCount)") }
        if let skippedCount { parts.append("offset \(skippedCount)") }
        return parts.joined(separator: " ")
    }
}
