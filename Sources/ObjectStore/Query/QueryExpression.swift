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
    /// The moment when the object at a path was last fetched.
    case fetchedAt(ColumnPath)
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
        case .column, .row, .fetchedAt: []
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
        case .fetchedAt(let path): path.isEmpty ? "fetchedAt" : "\(path).fetchedAt"
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

/// The operands of a chain such as `a AND b AND c`, kept so that a chain of any length, built from
/// either end, is neither deep nor copied with each operand.
///
/// A tree balanced as by Adelson-Velsky and Landis, with the operands at its leaves; joining two
/// costs as many steps as their heights differ.
indirect enum OperandTree: Sendable {
    case leaf(QueryExpression)
    case node(OperandTree, OperandTree, height: Int)

    private var height: Int {
        switch self {
        case .leaf: 0
        case .node(_, _, let height): height
        }
    }

    private init(_ left: OperandTree, _ right: OperandTree) {
        self = .node(left, right, height: max(left.height, right.height) + 1)
    }

    /// The operands of one tree, then those of another.
    static func joining(_ left: OperandTree, _ right: OperandTree) -> OperandTree {
        if case .node(let first, let second, _) = left, left.height > right.height + 1 {
            return balanced(first, joining(second, right))
        }
        if case .node(let first, let second, _) = right, right.height > left.height + 1 {
            return balanced(joining(left, first), second)
        }
        return OperandTree(left, right)
    }

    /// A node of two trees whose heights differ by at most 2.
    private static func balanced(_ left: OperandTree, _ right: OperandTree) -> OperandTree {
        if case .node(let first, let second, _) = left, left.height > right.height + 1 {
            if case .node(let middle, let last, _) = second, second.height > first.height {
                return OperandTree(OperandTree(first, middle), OperandTree(last, right))
            }
            return OperandTree(first, OperandTree(second, right))
        }
        if case .node(let first, let second, _) = right, right.height > left.height + 1 {
            if case .node(let start, let middle, _) = first, first.height > second.height {
                return OperandTree(OperandTree(left, start), OperandTree(middle, second))
            }
            return OperandTree(OperandTree(left, first), second)
        }
        return OperandTree(left, right)
    }

    /// The operands, in order.
    var operands: [QueryExpression] {
        var operands: [QueryExpression] = []
        append(to: &operands)
        return operands
    }

    private func append(to operands: inout [QueryExpression]) {
        switch self {
        case .leaf(let operand):
            operands.append(operand)
        case .node(let left, let right, _):
            left.append(to: &operands)
            right.append(to: &operands)
        }
    }
}
