extension Store {
    /// Inserts an object, or updates the one that has its identity, in a transaction of its own.
    ///
    /// - Throws: `WritingError` or `StoreError`; nothing is written then.
    @discardableResult
    public func save<Object: Entity>(_ object: Object) throws -> One<Object> {
        try write { try $0.save(object) }
    }

    /// Inserts objects, or updates those that have their identities, in one transaction.
    @discardableResult
    public func save<Object: Entity>(_ objects: some Sequence<Object>) throws -> Many<Object> {
        try write { try $0.save(objects) }
    }

    /// Deletes an object, and what its relationships' delete rules say, and returns how many
    /// objects have gone.
    ///
    /// - Throws: `WritingError` where a rule denies it; nothing is deleted then.
    @discardableResult
    public func delete<Object: Entity>(_ object: Object) throws -> Int {
        try write { try $0.delete(object) }
    }

    /// Deletes the objects that a query finds, and what their relationships' delete rules say, and
    /// returns how many objects have gone.
    ///
    /// - Throws: `WritingError` where a rule denies it; nothing is deleted then.
    @discardableResult
    public func delete<Object: Entity>(_ query: Query<Object>) throws -> Int {
        try write { try $0.delete(query) }
    }
}
