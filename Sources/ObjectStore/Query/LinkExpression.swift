/// A value made of the objects that a to-many relationship links: a subquery.
struct LinkExpression: Sendable {
    enum Result: Sendable {
        /// The number of linked objects.
        case count
        /// Whether there is one.
        case exists
        /// Whether there is none.
        case missing
        /// The value that one of SQLite's functions makes of one value of each.
        case aggregate(String, QueryExpression)
    }

    /// The path to the relationship's owner.
    let owner: ColumnPath
    let relationship: String
    /// The path to the linked objects, by which the condition and the result name their columns.
    let each: ColumnPath
    var condition: QueryExpression?
    let result: Result
    /// Whether links to objects that have not arrived count too.
    var includesReferences = false
}

extension LinkExpression: CustomStringConvertible {
    var description: String {
        let path = owner.isEmpty ? relationship : "\(owner).\(relationship)"
        let linked = condition.map { "\(path) where \($0)" } ?? path
        return switch result {
        case .count: "count(\(linked))"
        case .exists: "exists(\(linked))"
        case .missing: "NOT exists(\(linked))"
        case .aggregate(let function, let value): "\(function)(\(value) of \(linked))"
        }
    }
}
