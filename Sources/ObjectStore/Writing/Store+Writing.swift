public import Foundation
public import LarderPromises

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

extension Store {
    /// Writes the objects of a JSON document in one transaction and returns what they make.
    ///
    /// - Parameter keyPath: The dotted path of the value to write, such as `data.items`; the whole
    ///   document unless given.
    /// - Throws: `JSONError`, `MappingError`, `DecodingError` or `StoreError`; nothing is stored
    ///   then.
    @discardableResult
    public func insert<Value: Insertable>(
        _ type: Value.Type = Value.self, from json: Data, at keyPath: String? = nil
    ) throws -> Value {
        let value = try JSONDocument(json).value(at: keyPath, for: type)
        return try write { try $0.insert(type, from: value) }
    }

    /// Writes the objects of a JSON file in one transaction and returns what they make.
    ///
    /// Files of any size up to 4 GiB take at most some 60 MB of memory; see
    /// ``JSONDocument/init(contentsOf:depthLimit:)`` for what is needed on the disk. The database's
    /// log grows to about the size of what is written and shrinks again afterwards.
    ///
    /// ```swift
    /// let issues = try store.insert(Many<Issue>.self, contentsOf: file, at: "data.items")
    /// ```
    ///
    /// - Parameter keyPath: The dotted path of the value to write, such as `data.items`; the whole
    ///   document unless given.
    /// - Throws: `JSONError`, `MappingError`, `DecodingError`, `StoreError`, or `POSIXError` where
    ///   the file can't be read; nothing is stored then.
    @discardableResult
    public func insert<Value: Insertable>(
        _ type: Value.Type = Value.self, contentsOf file: URL, at keyPath: String? = nil
    ) throws -> Value {
        let value = try JSONDocument(contentsOf: file).value(at: keyPath, for: type)
        return try write { try $0.insert(type, from: value) }
    }
}

extension Store.Background {
    /// Writes the objects of a JSON file in one transaction and returns what they make.
    @discardableResult
    public func insert<Value: Insertable>(
        _ type: Value.Type = Value.self, contentsOf file: URL, at keyPath: String? = nil
    ) async throws -> Value {
        try await write(
            parsing: { try JSONDocument(contentsOf: file).value(at: keyPath, for: type) }
        ) { try $0.insert(type, from: $1) }
    }
}

extension Store.PromiseCalls {
    /// Writes the objects of a JSON file in one transaction and returns what they make.
    public func insert<Value: Insertable>(
        _ type: Value.Type = Value.self, contentsOf file: URL, at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        write(
            parsing: { try JSONDocument(contentsOf: file).value(at: keyPath, for: type) },
            fileID: fileID, line: line
        ) { try $0.insert(type, from: $1) }
    }
}

extension JSONDocument {
    /// The value at a dotted key path, the root where none is given.
    func value(at keyPath: String?, for type: Any.Type) throws -> JSONValue {
        guard let keyPath else { return root }
        guard let value = root.value(at: keyPath) else {
            throw DecodingError.valueNotFound(
                type,
                DecodingError.Context(
                    codingPath: [], debugDescription: "the document has nothing at \(keyPath)"))
        }
        return value
    }
}

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

extension Store {
    /// Deletes the objects that `Configuration.evictions` lets go, and what goes along with them, in
    /// one transaction, and gives their number by entity.
    ///
    /// Room in the file is used again by what is stored later; `vacuum` gives it back to the disk.
    ///
    /// - Parameter date: The moment that ages are counted to.
    /// - Throws: `StoreError`, also where an eviction names what the model does not have, or
    ///   `WritingError` where an object that stays would break a rule of its entity; nothing is
    ///   deleted then.
    @discardableResult
    public func evict(at date: Date = Date()) throws -> [String: Int] {
        let evictions = try configuration.evictions.map { ($0, try $0.statement(in: plan)) }
        if evictions.isEmpty { return [:] }
        return try write { context in
            try context.writing {
                for (eviction, rows) in evictions {
                    let age = eviction.age.map { $0 / .seconds(1) } ?? 0
                    let limit = date.timeIntervalSinceReferenceDate - age
                    let deletion = Deletion(of: try plan.entity(eviction.entity), in: context)
                    _ = try deletion.delete(
                        rows, eviction.age == nil ? [] : [.real(limit)], isSparing: true)
                }
            }
            return context.report.entities.mapValues(\.deleted).filter { $0.value > 0 }
        }
    }
}
