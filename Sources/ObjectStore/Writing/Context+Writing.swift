extension Context {
    /// Inserts an object, or updates the one that has its identity, and says which it is.
    ///
    /// All attributes and to-one relationships are written, a to-many relationship where it was
    /// made in code; one that was read is left as it is, also where it was read from another object and
    /// its objects can have one owner only. Objects that are linked are inserted where
    /// the store does not have them, and otherwise left as they are. Nothing is written where
    /// nothing has changed.
    ///
    /// Rules are checked at the end, on the objects that were inserted or updated.
    ///
    /// - Throws: `WritingError` or `StoreError`; nothing of the object is written then.
    @discardableResult
    public func save<Object: Entity>(_ object: Object) throws -> One<Object> {
        try write(object, .save)
    }

    /// Inserts objects, or updates those that have their identities, in one go.
    @discardableResult
    public func save<Object: Entity>(_ objects: some Sequence<Object>) throws -> Many<Object> {
        let rows = try writing {
            let writer = ObjectWriter(context: self)
            // Two with one identity are one object.
            var list = RowList(capacity: objects.underestimatedCount)
            for object in objects { list.append(try writer.write(object)) }
            return list.rows
        }
        return Many(content: .rows(rows, store))
    }

    /// Inserts an object that is not in the store yet.
    ///
    /// - Throws: `WritingError` where its identity is taken.
    @discardableResult
    public func insert<Object: Entity>(_ object: Object) throws -> One<Object> {
        try write(object, .insert)
    }

    /// Updates an object that is in the store.
    ///
    /// - Throws: `StoreError` with the code `missingObject` where it is not.
    @discardableResult
    public func update<Object: Entity>(_ object: Object) throws -> One<Object> {
        try write(object, .update)
    }

    private func write<Object: Entity>(
        _ object: Object, _ mode: ObjectWriter.Mode
    ) throws -> One<Object> {
        let row = try writing { try ObjectWriter(context: self).write(object, mode) }
        return One(row: row, store: store)
    }
}
