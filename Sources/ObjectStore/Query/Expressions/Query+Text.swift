extension Query {
    /// Keeps the objects that fulfil a condition given as text too.
    ///
    ///     Issue.all.where("user.login = 'ann' and (comments > 3 or title like 'crash%')", in: store)
    ///
    /// Conditions compare attributes with values: `=`, `!=`, `<`, `<=`, `>`, `>=`, `like`, `in (…)`,
    /// `between … and …`, `is null`, `is not null`, joined by `and`, `or`, `not` and brackets. Strings
    /// stand in single quotes, doubled inside; dates are strings as in ISO 8601; names that are words
    /// of the language stand in double quotes. A path over a to-many relationship asks whether one
    /// of the objects there, or more, fulfils the comparison. The values are bound.
    ///
    /// - Throws: `ExpressionError` with the column of a mistake; `StoreError` where the store's model
    ///   does not have the entity.
    public func `where`(_ text: String, in store: Store) throws -> Query {
        let condition = try description.condition(text, in: store.plan)
        return self.where { _ in Condition(expression: condition) }
    }

    /// Sorts by attributes given as text, such as `user.login, -createdAt`; a minus sorts
    /// descending.
    ///
    /// - Throws: `ExpressionError` with the column of a mistake; `StoreError` where the store's model
    ///   does not have the entity.
    public func sorted(_ text: String, in store: Store) throws -> Query {
        let keys = try description.sortKeys(text, in: store.plan)
        return sorted { _ in keys }
    }
}

extension QueryDescription {
    /// A condition on the query's entity, read from text.
    func condition(_ text: String, in plan: StorePlan) throws -> QueryExpression {
        var parser = try ExpressionParser(text, of: try plan.entity(entity), in: plan)
        return try parser.condition()
    }

    /// Keys to sort the query's entity by, read from text.
    func sortKeys(_ text: String, in plan: StorePlan) throws -> [SortKey] {
        var parser = try ExpressionParser(text, of: try plan.entity(entity), in: plan)
        return try parser.sortKeys()
    }
}
