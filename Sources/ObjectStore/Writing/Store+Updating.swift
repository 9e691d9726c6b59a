extension Store {
    /// Gives columns of the objects that a query finds new values, in a transaction of its own, and
    /// returns how many objects have changed.
    ///
    ///     try store.update(Issue.where { $0.state == .open }) { $0.state.set(.closed) }
    ///
    /// - Throws: `WritingError` where a value does not suit a column, an identity would change, or an
    ///   object would break a rule; nothing is written then.
    @discardableResult
    public func update<Object: Entity>(
        _ query: Query<Object>,
        @ColumnAssignmentBuilder _ assignments: (Object.Columns) throws -> [ColumnAssignment]
    ) throws -> Int {
        try write { try $0.update(query, assignments) }
    }
}
