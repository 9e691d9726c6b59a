public import LarderObjectStore

/// Makes a JSON document of a response, for APIs that wrap theirs in something else.
public protocol DocumentReader: Sendable {
    /// Returns the document that is to be stored or decoded.
    ///
    /// It is not asked where there is no content, nor for `Data` and `String`, nor for `Void` where the
    /// content claims to be something else than JSON. What it throws becomes part of a
    /// ``ClientError``.
    func document(from response: TransportResponse) throws -> JSONDocument
}

/// Reads the content of a response as JSON, whatever content type it claims.
public struct JSONReader: DocumentReader {
    /// Creates a reader.
    public init() {}

    /// Returns the whole content as a document; one that is in a file is read from there as it is
    /// walked.
    public func document(from response: TransportResponse) throws -> JSONDocument {
        switch response.content {
        case .memory(let data): try JSONDocument(data)
        case .file(let file): try JSONDocument(file)
        case .written, .streamed: try JSONDocument("")
        }
    }
}
