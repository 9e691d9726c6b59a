/// A piece of a query: columns, values and what is made of them.
///
/// Values are always bound; names come from the model and are quoted; functions and signs are
/// Larder's own.
indirect enum QueryExpression: Sendable {
    /// The operator that joins conditions to a chain.
    enum Junction: String {
        case and = "AND"
        case or = "OR"
    }

    case column(ColumnPath, String)
    /// The rowid of the object at a path.
    case row(ColumnPath)
    case value(SQLValue)
    case list([SQLValue])
    /// The row of an object, which must be of the store that is asked.
    case object(Int64, of: Store)
    /// The rows of objects, which must be of the store that is asked.
    case objects([Int64], of: [Store])
    /// Whether the object at a path is the one with an identity, which must be one of its entity's.
    case identity(ColumnPath, [SQLValue])
    case joined(Junction, OperandTree)
    /// Whether a condition is true, or is not: what is unknown because of an empty value is not.
    case truth(QueryExpression, Bool)
    case infix(QueryExpression, String, QueryExpression)
    case between(QueryExpression, QueryExpression, QueryExpression)
    case function(String, [QueryExpression])
    /// A value as another of SQLite's types.
    case cast(QueryExpression, String)
    /// A value that is compared in another order than SQLite's.
    case collated(QueryExpression, String)
    /// A value made of the objects that a to-many relationship links.
    case links(LinkExpression)
    /// Whether an attribute holds what is searched for.
    case search(QueryExpression, SearchText)
    /// The rank of an object by what its query searches for: the smaller, the better the match.
    case relevance
}

extension QueryExpression {
    /// Conditions joined to a chain; what is a chain of the same kind becomes part of it.
    static func joined(
        _ left: QueryExpression, _ junction: Junction, _ right: QueryExpression
    ) -> QueryExpression {
        .joined(junction, .joining(left.tree(of: junction), right.tree(of: junction)))
    }

    private func tree(of junction: Junction) -> OperandTree {
        if case .joined(junction, let tree) = self { tree } else { .leaf(self) }
    }

    /// The opposite of a condition: true where it is false or unknown.
    var negated: QueryExpression {
        if case .truth(let condition, let isTrue) = self { return .truth(condition, !isTrue) }
        return .truth(self, false)
    }

    /// The values in it, in the order of its description, which leaves them out.
    ///
    /// - Parameter search: What the query searches for, which relevance depends on.
    func values(searching search: SearchText?) -> [SQLValue] {
        func values(_ expressions: [QueryExpression]) -> [SQLValue] {
            expressions.flatMap { $0.values(searching: search) }
        }
        return switch self {
        case .column, .row: []
        case .value(let value): [value]
        case .list(let list), .identity(_, let list): list
        case .object(let row, _): [.integer(row)]
        case .objects(let rows, _): rows.map(SQLValue.integer)
        case .joined(_, let tree): values(tree.operands)
        case .infix(let left, _, let right): values([left, right])
        case .between(let value, let lower, let upper): values([value, lower, upper])
        case .function(_, let arguments): values(arguments)
        case .truth(let value, _), .cast(let value, _), .collated(let value, _): values([value])
        case .links(let links):
            if case .aggregate(_, let value) = links.result {
                values([links.condition, value].compactMap(\.self))
            } else {
                links.condition.map { values([$0]) } ?? []
            }
        case .search(let attribute, let text):
            values([attribute]) + [.text(text.pattern(columns: []))]
        case .relevance: search.map { [.text($0.pattern(columns: []))] } ?? []
        }
    }

    /// The value in the order of its type.
    func ordered(as type: AttributeType) -> QueryExpression {
        type.collation.map { .collated(self, $0) } ?? self
    }
}

extension QueryExpression: CustomStringConvertible {
    var description: String {
        switch self {
        case .column(let path, let name): path.isEmpty ? name : "\(path).\(name)"
        case .row(let path): path.isEmpty ? "row" : "\(path)"
        case .value(.null): "NULL"
        case .value: "?"
        case .object: "?"
        case .objects(let rows, _): rows.count == 1 ? "(1 object)" : "(\(rows.count) objects)"
        case .identity(let path, _): "(\(path.isEmpty ? "row" : "\(path)") IS ?)"
        case .list(let values): values.count == 1 ? "(1 value)" : "(\(values.count) values)"
        case .joined(let junction, let tree):
            "(" + tree.operands.map { "\($0)" }.joined(separator: " \(junction.rawValue) ") + ")"
        case .truth(let condition, let isTrue): isTrue ? "\(condition)" : "NOT \(condition)"
        case .infix(let left, let sign, let right): "(\(left) \(sign) \(right))"
        case .between(let value, let lower, let upper): "(\(value) BETWEEN \(lower) AND \(upper))"
        case .function(let name, let arguments): "\(name)(\(QueryDescription.list(arguments)))"
        case .cast(let value, _), .collated(let value, _): "\(value)"
        case .links(let links): "\(links)"
        case .search(let attribute, _): "\(attribute) MATCHES ?"
        case .relevance: "relevance"
        }
    }
}
