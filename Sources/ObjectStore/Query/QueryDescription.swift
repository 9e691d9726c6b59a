/// A query apart from the type that its objects are read into.
struct QueryDescription: Sendable {
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

    /// Whether the query keeps only some of the objects that fulfil its condition.
    var isCut: Bool { maximumCount != nil || skippedCount != nil }
}

/// The query in words, for people: each value is a question mark, since values may be secret.
extension QueryDescription: CustomStringConvertible {
    var description: String {
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
