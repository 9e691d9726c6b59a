public import LarderObjectStore

/// Reads the content of a response as JSON, whatever content type it claims.
public struct JSONSerializer: Serializer {
    /// Creates a serializer.
    public init() {}

    /// Returns the whole content as a document.
    public func document(from response: TransportResponse) throws -> JSONDocument {
        try JSONDocument(response.body)
    }
}
