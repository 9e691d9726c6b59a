import LarderClient
import LarderObjectStore
import LarderPromises
import Testing

extension Client {
    /// What httpbin says of a request.
    func json(_ endpoint: some Endpoint) async throws -> JSONValue {
        try await enqueue(endpoint, as: JSONDocument.self).value.root
    }

    /// The error of a request that is to fail; where it does not, an issue and nil.
    func error(
        of endpoint: some Endpoint, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> ClientError? {
        await enqueue(endpoint, as: Void.self).clientError(sourceLocation: sourceLocation)
    }
}

extension Promise {
    /// The error of a client that it is to be rejected with; where it is not, an issue and nil.
    func clientError(sourceLocation: SourceLocation = #_sourceLocation) async -> ClientError? {
        await #expect(throws: ClientError.self, sourceLocation: sourceLocation) { try await value }
    }
}

extension JSONValue {
    /// The text at a key path; nil where there is none.
    func text(_ keyPath: String) -> String? { value(at: keyPath)?.string }

    /// The texts of an array at a key path; nil where there is none.
    func texts(_ keyPath: String) -> [String]? {
        value(at: keyPath)?.elements?.compactMap(\.string)
    }

    /// The keys of an object at a key path, sorted; nil where there is none.
    func keys(_ keyPath: String) -> [String]? { value(at: keyPath)?.keys?.sorted() }
}
