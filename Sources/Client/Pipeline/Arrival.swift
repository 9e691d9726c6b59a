import Foundation
import LarderObjectStore

/// A validated response on its way to becoming a value.
struct Arrival {
    let request: TransportRequest
    let response: TransportResponse
    let serializer: any Serializer
    let decodingOptions: DecodingOptions
    let store: Store
    let isCancelled: () -> Bool

    /// The content as JSON.
    func document() throws -> JSONDocument {
        guard response.bodyCount > 0 else { throw ClientError(.emptyBody) }
        do {
            return try serializer.document(from: response)
        } catch let error as JSONError {
            throw ClientError(.malformedJSON, underlying: error)
        }
    }
}
