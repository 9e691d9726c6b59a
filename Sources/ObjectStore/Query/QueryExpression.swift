/// A piece of a query: columns, values and what is made of them.
///
/// Values are always bound; names come from the model and are quoted.
indirect enum QueryExpression: Sendable {
    case column(ColumnPath, String)
    /// The number of objects that a to-many relationship links.
    case count(ColumnPath, String)
    case value(SQLValue)
    case list([SQLValue])
    case prefix(String, QueryExpression)
    case infix(QueryExpression, String, QueryExpression)
    case function(String, [QueryExpression])
}

extension QueryExpression {
    /// What a chain such as `a AND b AND c` joins, in order.
    func operands(of sign: String) -> [QueryExpression] {
        var operands: [QueryExpression] = []
        var rest = self
        while case .infix(let left, sign, let right) = rest {
            operands.append(right)
            rest = left
        }
        operands.append(rest)
        return operands.reversed()
    }
}
