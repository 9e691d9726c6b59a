public import LarderObjectStore

/// Makes a JSON document of a response, for APIs that wrap theirs in something else.
public protocol Serializer: Sendable {
    /// Returns the document that is to be stored or decoded.
    ///
    /// What it throws is what the promise is rejected with, except for a `JSONError`, which becomes
    /// part of a ``ClientError``.
    func document(from response: TransportResponse) throws -> JSONDocument
}
