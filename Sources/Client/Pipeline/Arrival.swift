import Foundation
import LarderObjectStore

/// A validated response on its way to becoming a value.
struct Arrival {
    let request: TransportRequest
    let response: TransportResponse
    let client: Client
    let isCancelled: () -> Bool
    /// Takes what is to be done once the value is given up.
    let onCancel: (@escaping @Sendable () -> Void) -> Void
    /// Takes the point of no return: throws where the value has been given up, and keeps it from being
    /// given up afterwards.
    let commit: () throws -> Void

    var decodingOptions: DecodingOptions { client.configuration.decodingOptions }

    /// The content as JSON.
    func document() throws -> JSONDocument {
        guard response.bodyCount > 0 else { throw ClientError(.emptyBody) }
        do {
            return try client.configuration.documentReader.document(from: response)
        } catch let error as JSONError {
            throw ClientError(.malformedJSON, underlying: error)
        } catch {
            throw ClientError.wrapped(error, as: .unprocessed)
        }
    }

    /// Returns the value of a response without content: nil as a value where it may be, else none.
    func empty<Value>(as type: Value.Type = Value.self) -> Value? {
        guard response.bodyCount == 0, let type = type as? any AbsentValue.Type else { return nil }
        return type.absent as? Value
    }
}

/// A type that has a value for what is not there.
private protocol AbsentValue {
    static var absent: Self { get }
}

extension Optional: AbsentValue {
    fileprivate static var absent: Wrapped? { nil }
}
