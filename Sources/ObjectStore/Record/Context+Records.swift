extension Context {
    /// Writes the object at a JSON value, or the elements of an array, as an entity that is known by
    /// its name only; null elements are passed over.
    ///
    /// - Throws: `MappingError` where the JSON does not fit the model, `StoreError` also where the
    ///   model has no such entity; nothing of the value is written then.
    @discardableResult
    public func insert(_ entity: String, from value: JSONValue) throws -> Records {
        let entity = try store.plan.entity(known: entity).name
        let rows = try whole {
            try inserting {
                value.kind == .array
                    ? try mapElements(of: value, as: entity) : [try map(value, as: entity)]
            }
        }
        return Records(entityName: entity, rows: rows, store: store)
    }

    /// Deletes the objects that a query finds, and what their relationships' delete rules say, and
    /// returns how many objects have gone.
    ///
    /// - Throws: `WritingError` where a rule denies it, `StoreError`, or `ExpressionError` for a
    ///   mistake in the query; nothing is deleted then.
    @discardableResult
    public func delete(_ query: RecordQuery) throws -> Int {
        try writing {
            let description = try query.description(in: store.plan)
            let entity = try store.plan.entity(description.entity)
            var compiler = QueryCompiler(entity: entity, in: store.plan)
            let rows = try compiler.select(description, columns: [entity.family.rowidName])
            try compiler.catchUpSearches(on: connection)
            return try Deletion(of: entity, in: self).delete(rows, compiler.values)
        }
    }

    /// Deletes an object, and what its relationships' delete rules say, and returns how many objects
    /// have gone; one that is not in the store any more is none.
    ///
    /// - Throws: `WritingError` where a rule denies it, `StoreError` where the object is another
    ///   store's; nothing is deleted then.
    @discardableResult
    public func delete(_ record: Record) throws -> Int {
        guard record.store === store else {
            throw StoreError(.otherStore, "the object of \(record.entityName) is of another store")
        }
        return try writing { try Deletion(of: record.plan, in: self).delete([record.row]) }
    }
}
