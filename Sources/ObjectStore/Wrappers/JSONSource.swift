public import Foundation

/// JSON that can be imported: text, a parsed document, or a value of one.
public protocol JSONSource {
    /// The value that is imported.
    ///
    /// - Throws: `JSONError` where text is no JSON.
    var jsonValue: JSONValue { get throws }
}

extension Data: JSONSource {
    /// The root of the document that these bytes are.
    public var jsonValue: JSONValue { get throws { try JSONDocument(self).root } }
}

extension String: JSONSource {
    /// The root of the document that this text is.
    public var jsonValue: JSONValue { get throws { try JSONDocument(self).root } }
}

extension JSONDocument: JSONSource {
    /// The root.
    public var jsonValue: JSONValue { root }
}

extension JSONValue: JSONSource {
    /// The value itself.
    public var jsonValue: JSONValue { self }
}

extension JSONSource {
    /// The value at a dotted key path, the whole where none is given.
    package func value(at keyPath: String?, for type: Any.Type) throws -> JSONValue {
        let root = try jsonValue
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
