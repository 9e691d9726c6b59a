extension ObjectWriting {
    /// Writes the object of JSON, or the elements of an array, as an entity that is known by its name
    /// only, and returns what they make; null elements are passed over.
    ///
    ///     let issues = try store.import("Issue", from: data, at: "data.items")
    ///
    /// For the counts import in a transaction: `Context.report` has them.
    ///
    /// - Parameters:
    ///   - entity: The entity's name.
    ///   - json: Text, a document or a value of one.
    ///   - keyPath: The dotted path of the value to write; the whole unless given.
    /// - Throws: `JSONError`, `MappingError`, `DecodingError` where nothing stands at the path, or
    ///   `StoreError`, also where the model has no such entity; nothing is stored then.
    @discardableResult
    public func `import`(
        _ entity: String, from json: some JSONSource, at keyPath: String? = nil
    ) throws -> DynamicObjects {
        let value = try json.value(at: keyPath, for: DynamicObjects.self)
        return try write { context in
            let entity = try context.store.plan.entity(known: entity).name
            let rows = try context.importing {
                value.kind == .array
                    ? try context.mapElements(of: value, as: entity)
                    : [try context.mapIfAny(value, as: entity)].compactMap(\.self)
            }
            return DynamicObjects(entityName: entity, rows: rows, store: context.store)
        }
    }

    /// Deletes an object, and what its relationships' delete rules say, and returns how many objects
    /// have gone; one that is not in the store any more is none.
    ///
    /// - Throws: `WritingError` where a rule denies it, `StoreError` where the object is another
    ///   store's; nothing is deleted then.
    @discardableResult
    public func delete(_ object: DynamicObject) throws -> Int {
        try write { context in
            guard object.store === context.store else {
                throw StoreError(
                    .otherStore, "the object of \(object.entityName) is of another store")
            }
            return try context.writing {
                try Deletion(of: object.plan, in: context).delete([object.row])
            }
        }
    }
}
