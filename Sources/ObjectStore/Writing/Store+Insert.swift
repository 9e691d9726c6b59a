public import Foundation
public import LarderPromises

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
