public import Foundation
public import LarderPromises

extension Store {
    /// Writes the object of a JSON document, or the elements of its array, in one transaction as an
    /// entity that is known by its name only.
    ///
    ///     let report = try store.insert("Issue", from: data, at: "data.items").report
    ///
    /// - Parameter keyPath: The dotted path of the value to write; the whole document unless given.
    /// - Throws: `JSONError`, `MappingError`, `DecodingError` where nothing stands at the path, or
    ///   `StoreError`; nothing is stored then.
    @discardableResult
    public func insert(
        _ entity: String, from json: Data, at keyPath: String? = nil
    ) throws -> DynamicImport {
        let value = try JSONDocument(json).value(at: keyPath, for: DynamicObjects.self)
        return try write { try $0.importObjects(entity, from: value) }
    }

    /// Writes the object of a JSON file, or the elements of its array, in one transaction as an
    /// entity that is known by its name only.
    ///
    /// Long arrays are never in memory whole; see ``JSONDocument/init(contentsOf:depthLimit:)``.
    ///
    /// - Throws: Also `POSIXError` where the file can't be read.
    @discardableResult
    public func insert(
        _ entity: String, contentsOf file: URL, at keyPath: String? = nil
    ) throws -> DynamicImport {
        let value = try JSONDocument(contentsOf: file).value(at: keyPath, for: DynamicObjects.self)
        return try write { try $0.importObjects(entity, from: value) }
    }

    /// Deletes the objects that a query finds, and what their relationships' delete rules say, and
    /// returns how many objects have gone.
    ///
    /// - Throws: `WritingError` where a rule denies it, `StoreError`, or `ExpressionError` for a
    ///   mistake in the query; nothing is deleted then.
    @discardableResult
    public func delete(_ query: DynamicQuery) throws -> Int {
        try write { try $0.delete(query) }
    }
}

extension Store.Background {
    /// The objects that a query finds.
    public func fetch(_ query: DynamicQuery) async throws -> [DynamicObject] {
        try await read { try $0.fetch(query) }
    }

    /// The first object that a query finds, nil where there is none.
    public func first(_ query: DynamicQuery) async throws -> DynamicObject? {
        try await read { try $0.first(query) }
    }

    /// Returns the number of objects that a query finds.
    public func count(_ query: DynamicQuery) async throws -> Int {
        try await read { try $0.count(query) }
    }

    /// The objects that a query finds as a JSON array, by the model.
    public func json(
        _ query: DynamicQuery, relationships: ExportedRelationships = .nested
    ) async throws -> Data {
        try await read { try $0.json(query, relationships: relationships) }
    }

    /// Writes the object of a JSON document, or the elements of its array, in one transaction.
    @discardableResult
    public func insert(
        _ entity: String, from json: Data, at keyPath: String? = nil
    ) async throws -> DynamicImport {
        try await write(
            parsing: { try JSONDocument(json).value(at: keyPath, for: DynamicObjects.self) }
        ) { try $0.importObjects(entity, from: $1) }
    }

    /// Writes the object of a JSON file, or the elements of its array, in one transaction.
    @discardableResult
    public func insert(
        _ entity: String, contentsOf file: URL, at keyPath: String? = nil
    ) async throws -> DynamicImport {
        try await write(
            parsing: {
                try JSONDocument(contentsOf: file).value(at: keyPath, for: DynamicObjects.self)
            }
        ) { try $0.importObjects(entity, from: $1) }
    }
}

extension Store.PromiseCalls {
    /// The objects that a query finds.
    public func fetch(
        _ query: DynamicQuery,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<[DynamicObject]> {
        read(fileID: fileID, line: line) { try $0.fetch(query) }
    }

    /// The first object that a query finds, nil where there is none.
    public func first(
        _ query: DynamicQuery,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<DynamicObject?> {
        read(fileID: fileID, line: line) { try $0.first(query) }
    }

    /// Returns the number of objects that a query finds.
    public func count(
        _ query: DynamicQuery,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Int> {
        read(fileID: fileID, line: line) { try $0.count(query) }
    }

    /// The objects that a query finds as a JSON array, by the model.
    public func json(
        _ query: DynamicQuery, relationships: ExportedRelationships = .nested,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Data> {
        read(fileID: fileID, line: line) { try $0.json(query, relationships: relationships) }
    }

    /// Writes the object of a JSON document, or the elements of its array, in one transaction.
    public func insert(
        _ entity: String, from json: Data, at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<DynamicImport> {
        write(
            parsing: { try JSONDocument(json).value(at: keyPath, for: DynamicObjects.self) },
            fileID: fileID, line: line
        ) { try $0.importObjects(entity, from: $1) }
    }

    /// Writes the object of a JSON file, or the elements of its array, in one transaction.
    public func insert(
        _ entity: String, contentsOf file: URL, at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<DynamicImport> {
        write(
            parsing: {
                try JSONDocument(contentsOf: file).value(at: keyPath, for: DynamicObjects.self)
            },
            fileID: fileID, line: line
        ) { try $0.importObjects(entity, from: $1) }
    }
}

extension Context {
    /// Writes what stands at a value, and says what that has done.
    fileprivate func importObjects(_ entity: String, from value: JSONValue) throws -> DynamicImport
    {
        let records = try insert(entity, from: value)
        return DynamicImport(report: report, records: records)
    }
}

extension Context {
    /// Writes the object at a JSON value, or the elements of an array, as an entity that is known by
    /// its name only; null elements are passed over.
    ///
    /// - Throws: `MappingError` where the JSON does not fit the model, `StoreError` also where the
    ///   model has no such entity; nothing of the value is written then.
    @discardableResult
    public func insert(_ entity: String, from value: JSONValue) throws -> DynamicObjects {
        let entity = try store.plan.entity(known: entity).name
        let rows = try whole {
            try inserting {
                value.kind == .array
                    ? try mapElements(of: value, as: entity) : [try map(value, as: entity)]
            }
        }
        return DynamicObjects(entityName: entity, rows: rows, store: store)
    }

    /// Deletes the objects that a query finds, and what their relationships' delete rules say, and
    /// returns how many objects have gone.
    ///
    /// - Throws: `WritingError` where a rule denies it, `StoreError`, or `ExpressionError` for a
    ///   mistake in the query; nothing is deleted then.
    @discardableResult
    public func delete(_ query: DynamicQuery) throws -> Int {
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
    public func delete(_ record: DynamicObject) throws -> Int {
        guard record.store === store else {
            throw StoreError(.otherStore, "the object of \(record.entityName) is of another store")
        }
        return try writing { try Deletion(of: record.plan, in: self).delete([record.row]) }
    }
}

/// The result of importing JSON by the name of an entity.
public struct DynamicImport: Sendable {
    /// The counts of what was inserted, updated and linked, by entity.
    public let report: ImportReport
    /// The objects that the JSON, or the elements of its array, have become.
    public let records: DynamicObjects
}

extension Model {
    /// Reads the model that a store was written with, by which it can be opened without types and
    /// without a model file.
    ///
    ///     let store = try Store(at: path, model: Model(ofStoreAt: path))
    ///
    /// - Throws: `StoreError` where there is no store, or it can't be read.
    public init(
        ofStoreAt path: String, configuration: Store.Configuration = Store.Configuration()
    ) throws {
        let file = StoreFile(path: path, configuration: configuration)
        try file.checkIsStore()
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        self = try StoredModel(of: file.connect(readOnly: true), path: path).model(named: name)
    }
}
