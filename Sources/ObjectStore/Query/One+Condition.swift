extension One {
    /// The condition that the object at a path is this one.
    ///
    /// An object that was made in code is known by its identity; without one it is nowhere.
    func isObject(at path: ColumnPath) -> QueryExpression {
        if case .row(let row, let store) = content {
            return .infix(.row(path), "=", .object(row, of: store))
        }
        guard let identity, identity.contains(where: { $0 != .null }) else {
            return .value(.integer(0))
        }
        return .identity(path, identity)
    }
}
