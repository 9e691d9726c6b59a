extension Context {
    /// Gives columns of the objects that a query finds new values, in one statement, and returns
    /// how many objects have changed.
    ///
    ///     try context.update(Issue.where { $0.state == .open }) {
    ///         $0.state.set(.closed)
    ///         $0.edits.increment()
    ///     }
    ///
    /// - Throws: `WritingError` where a value does not suit a column, an identity would change, or an
    ///   object would break a rule; nothing is written then.
    @discardableResult
    public func update<Object: Entity>(
        _ query: Query<Object>,
        @ColumnAssignmentBuilder _ assignments: (Object.Columns) throws -> [ColumnAssignment]
    ) throws -> Int {
        try writing {
            var update = try ColumnUpdate(query, in: self)
            for assignment in try assignments(Object.Columns(path: ColumnPath())) {
                try update.add(assignment)
            }
            return try update.run()
        }
    }
}
