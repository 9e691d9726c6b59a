extension One {
    /// The condition that the object at a path is this one.
    ///
    /// An object that was made in code is known by its identity; without a whole one it is nowhere.
    func isObject(at path: ColumnPath) -> QueryExpression {
        if case .row(let row, let store) = content {
            return .infix(.row(path), "=", .object(row, of: store))
        }
        let names = Destination.entityDescription.identity
        let terms = zip(names, identity ?? []).map { name, value in
            QueryExpression.infix(.column(path, name), "IS", .value(value))
        }
        guard let first = terms.first, names.count == identity?.count else {
            return .value(.integer(0))
        }
        return terms.dropFirst().reduce(first) { .joined($0, .and, $1) }
    }
}
