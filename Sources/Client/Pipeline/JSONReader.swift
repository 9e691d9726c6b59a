public import LarderObjectStore

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
        }
    }
}
