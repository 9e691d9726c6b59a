/// A target of writing: a store or a transaction.
///
/// On a store each call is a transaction of its own, of which nothing is left where it throws. In a
/// transaction nothing is left of any call that throws but `write`, which is the transaction itself;
/// `Context.savepoint` is for that.
public protocol ObjectWriting: ObjectReading {
    /// Runs a body that writes.
    func write<Result>(_ body: (Context) throws -> Result) throws -> Result
}

extension Store: ObjectWriting {}

extension Context: ObjectWriting {
    /// Runs a body that writes in this transaction.
    public func write<Result>(_ body: (Context) throws -> Result) throws -> Result {
        try body(self)
    }
}

extension ObjectWriting {
    /// Writes the objects of JSON, each inserted or updated by its identity, and returns what they make.
    ///
    ///     let issues = try store.import([Issue].self, from: data, at: "data.items")
    ///
    /// A file of up to 4 GiB, read by ``JSONDocument/init(contentsOf:depthLimit:)``, takes at most some
    /// 60 MB of memory.
    ///
    /// - Parameters:
    ///   - type: What the JSON makes: an entity, `Many`, an array, an optional, a wrapper.
    ///   - json: Text, a document or a value of one. Text is parsed before the transaction begins, where
    ///     the call is one of its own.
    ///   - keyPath: The dotted path of the value to write, such as `data.items`; the whole unless given.
    /// - Throws: `JSONError`, `MappingError`, `DecodingError` or `StoreError`; nothing is stored then.
    @discardableResult
    public func `import`<Value: Importable>(
        _ type: Value.Type = Value.self, from json: some JSONSource, at keyPath: String? = nil
    ) throws -> Value {
        let value = try json.value(at: keyPath, for: type)
        return try write { context in
            try context.importing(value) { try type.import(from: value, in: context) }
        }
    }
}

extension ObjectWriting {
    /// Inserts an object, or updates the one that has its identity, and says which it is.
    ///
    /// Without an identity it is inserted, also where it was read before; `update` with a query changes it where
    /// it is.
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
        try write { try $0.write(object, .save) }
    }

    /// Inserts objects, or updates those that have their identities, in one go.
    @discardableResult
    public func save<Object: Entity>(_ objects: some Sequence<Object>) throws -> Many<Object> {
        try write { try $0.write(objects) }
    }

    /// Inserts an object that is not in the store yet.
    ///
    /// - Throws: `WritingError` where its identity is taken.
    @discardableResult
    public func insert<Object: Entity>(_ object: Object) throws -> One<Object> {
        try write { try $0.write(object, .insert) }
    }

    /// Updates an object that is in the store.
    ///
    /// - Throws: `StoreError` with the reason `missingObject` where it is not.
    @discardableResult
    public func update<Object: Entity>(_ object: Object) throws -> One<Object> {
        try write { try $0.write(object, .update) }
    }

    /// Gives columns of the objects that a query finds new values, in one statement, and returns
    /// how many objects have changed.
    ///
    ///     try store.update(Issue.where { $0.state == .open }) {
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
        try write { context in
            try context.writing {
                var update = try ColumnUpdate(query.description, in: context)
                for assignment in try assignments(Object.Columns(path: ColumnPath())) {
                    try update.add(assignment)
                }
                return try update.run()
            }
        }
    }

    /// Deletes an object, and what its relationships' delete rules say, and returns how many
    /// objects have gone; one that is not in the store any more is none.
    ///
    /// - Throws: `WritingError` where a rule denies it, or where an object that stays would be left
    ///   without something that it must have; nothing is deleted then.
    @discardableResult
    public func delete<Object: Entity>(_ object: Object) throws -> Int {
        try delete(One(object))
    }

    /// Deletes an object, and what its relationships' delete rules say.
    @discardableResult
    public func delete<Object: Entity>(_ object: One<Object>) throws -> Int {
        try write { try $0.delete([EntityValues.link(object)], of: Object.self) }
    }

    /// Deletes objects together, so that one of them does not keep another from going.
    @discardableResult
    public func delete<Object: Entity>(_ objects: some Sequence<Object>) throws -> Int {
        try write { try $0.delete(objects.map { .object($0) }, of: Object.self) }
    }

    /// Deletes the objects that a query finds, in a few statements however many they are.
    ///
    /// - Throws: `WritingError` where a rule denies it, `StoreError`, or `ExpressionError` for a
    ///   mistake in a query that is text; nothing is deleted then.
    @discardableResult
    public func delete(_ query: some ObjectQuery) throws -> Int {
        try write { try $0.delete(query.description(in: $0.store)) }
    }
}
