import Foundation
import HTTPTypes
import LarderObjectStore

/// Makes a value of a response: the last stage, which a ``RespondingEndpoint`` has of its type.
///
/// There is one for each type that a response can become. An endpoint that stands for another one
/// hands on the other's.
public struct ResponseSerializer<Value: Sendable>: Sendable {
    /// Whether it writes to the store, and so has to wait for its turn.
    let isStoring: Bool
    let serialize: @Sendable (Arrival) throws -> (value: Value, report: ImportReport)

    /// The same value with the status and the header fields.
    func withResponse<Whole: WholeResponse>() -> ResponseSerializer<Whole>
    where Whole.Value == Value {
        ResponseSerializer<Whole>(isStoring: isStoring) { arrival in
            let (value, report) = try serialize(arrival)
            let head = arrival.response.head
            let response = Whole(
                value, status: head.status, headerFields: head.headerFields,
                url: URL(string: arrival.request.urlText), report: report)
            return (response, report)
        }
    }
}

extension ResponseSerializer where Value: Importable {
    /// Stores the content in one transaction, which a cancellation rolls back; one that comes when it
    /// is about to be committed comes too late.
    static func stored() -> ResponseSerializer {
        ResponseSerializer(isStoring: true) { arrival in
            if let value = arrival.empty(as: Value.self) { return (value, ImportReport()) }
            let document = try arrival.document()
            do {
                let stored = try arrival.client.store.import(
                    Value.self, from: document, willWait: arrival.onCancel,
                    options: arrival.decodingOptions, isCancelled: arrival.isCancelled,
                    willCommit: arrival.commit)
                arrival.client.anonymousObjects.note(Value.self, stored.report)
                return stored
            } catch let error as CancellationError {
                throw error
            } catch {
                throw ClientError(.notStored, underlying: error)
            }
        }
    }
}

extension ResponseSerializer where Value: Decodable {
    /// Decodes the content; `Data` and `String` take it as it is.
    ///
    /// What generic code knows only as `Decodable` is stored if it is importable: what becomes of a
    /// type must not depend on who asks for it.
    static func decoded() -> ResponseSerializer {
        if let type = Value.self as? any Importable.Type, let serializer = stored(type) {
            return serializer
        }
        return ResponseSerializer(isStoring: false) { arrival in
            if let value = arrival.empty(as: Value.self) { return (value, ImportReport()) }
            if let data = arrival.response.body as? Value { return (data, ImportReport()) }
            if Value.self == String.self || Value.self == String?.self {
                guard let text = String(validating: arrival.response.body, as: UTF8.self) as? Value
                else { throw ClientError(.undecodable) }
                return (text, ImportReport())
            }
            let document = try arrival.document()
            do {
                return (
                    try document.root.decode(Value.self, options: arrival.decodingOptions),
                    ImportReport()
                )
            } catch {
                throw ClientError(.undecodable, underlying: error)
            }
        }
    }

    /// Returns the serializer that stores `Known`, where that is `Value` itself.
    private static func stored<Known: Importable>(_ type: Known.Type) -> ResponseSerializer? {
        ResponseSerializer<Known>.stored() as? ResponseSerializer
    }
}

extension ResponseSerializer where Value == JSONDocument {
    /// Hands over the content as JSON.
    static func document() -> ResponseSerializer {
        ResponseSerializer(isStoring: false) { (try $0.document(), ImportReport()) }
    }
}

extension ResponseSerializer where Value == Void {
    /// Reads the content only to see that it is the JSON that it claims to be.
    static func ignored() -> ResponseSerializer {
        ResponseSerializer(isStoring: false) { arrival in
            let type = arrival.response.head.headerFields[.contentType]?.lowercased()
            if arrival.response.bodyCount > 0, type?.contains("json") ?? true {
                _ = try arrival.document()
            }
            return ((), ImportReport())
        }
    }
}

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
