import Foundation
import HTTPTypes
public import LarderObjectStore

/// Makes a value of a response: the last stage, which a ``RespondingEndpoint`` has of its type.
///
/// There is one for each type that a response can become. An endpoint that stands for another one
/// hands on the other's; one whose response is wrapped in something says where it is:
///
/// ```swift
/// struct AllUsers: RespondingEndpoint {
///     typealias Response = Many<User>
///     let path = "users"
///     static var serializer: ResponseSerializer<Response> { .stored(at: "data.items") }
/// }
/// ```
public struct ResponseSerializer<Value: Sendable>: Sendable {
    /// Whether it writes to the store, and so has to wait for its turn.
    let isStoring: Bool
    let serialize: @Sendable (Arrival) throws -> (value: Value, report: ImportReport)

    /// Creates a serializer that stores nothing, such as of another format, or one that makes a value of a
    /// response that others would call an error, where the endpoint accepts its status.
    ///
    /// - Parameter value: Makes the value of the response, as processors have left it, and the request that
    ///   it answers. What it throws becomes part of a ``ClientError``, of the reason
    ///   ``ClientError/Reason/undecodable``.
    public init(
        _ value: @escaping @Sendable (TransportResponse, TransportRequest) throws -> Value
    ) {
        self.init(isStoring: false) { arrival in
            try ClientError.wrapping(.undecodable) {
                (try value(arrival.response, arrival.request), ImportReport())
            }
        }
    }

    init(
        isStoring: Bool,
        serialize: @escaping @Sendable (Arrival) throws -> (value: Value, report: ImportReport)
    ) {
        self.isStoring = isStoring
        self.serialize = serialize
    }

    /// The same value with the status and the header fields.
    public func withResponse<Whole: WholeResponse>() -> ResponseSerializer<Whole>
    where Whole.Value == Value {
        ResponseSerializer<Whole>(isStoring: isStoring) { arrival in
            let (value, report) = try serialize(arrival)
            let head = arrival.response.head
            let response = Whole(
                value, status: head.status, headerFields: head.headerFields,
                url: URL(string: arrival.request.urlText),
                redirects: arrival.response.redirects.compactMap(URL.init), report: report)
            return (response, report)
        }
    }
}

extension ResponseSerializer where Value: Importable {
    /// Stores the content in one transaction, which a cancellation rolls back; one that comes when it
    /// is about to be committed comes too late.
    ///
    /// - Parameter keyPath: The dotted path of what is stored; the whole where it is nil.
    public static func stored(at keyPath: String? = nil) -> ResponseSerializer {
        ResponseSerializer(isStoring: true) { arrival in
            if let value = arrival.empty(as: Value.self) { return (value, ImportReport()) }
            let json = try arrival.json(at: keyPath, for: Value.self)
            do {
                return try arrival.store(Value.self, from: json)
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
    ///
    /// - Parameter keyPath: The dotted path of what is decoded, `Data` and `String` too; the whole where
    ///   it is nil.
    public static func decoded(at keyPath: String? = nil) -> ResponseSerializer {
        if let type = Value.self as? any Importable.Type, let serializer = stored(type, keyPath) {
            return serializer
        }
        return ResponseSerializer(isStoring: false) { arrival in
            if let value = arrival.empty(as: Value.self) { return (value, ImportReport()) }
            if keyPath == nil, let plain: Value = try arrival.plain() {
                return (plain, ImportReport())
            }
            let json = try arrival.json(at: keyPath, for: Value.self)
            do {
                return (
                    try json.decode(Value.self, options: arrival.decodingOptions),
                    ImportReport()
                )
            } catch {
                throw ClientError(.undecodable, underlying: error)
            }
        }
    }

    /// Returns the serializer that stores `Known`, where that is `Value` itself.
    private static func stored<Known: Importable>(
        _ type: Known.Type, _ keyPath: String?
    ) -> ResponseSerializer? {
        ResponseSerializer<Known>.stored(at: keyPath) as? ResponseSerializer
    }
}

extension ResponseSerializer where Value == JSONDocument {
    /// Hands over the content as JSON.
    ///
    /// - Parameter keyPath: The dotted path of what becomes a document; the whole where it is nil.
    public static func document(at keyPath: String? = nil) -> ResponseSerializer {
        ResponseSerializer(isStoring: false) { arrival in
            guard let keyPath else { return (try arrival.document(), ImportReport()) }
            let json = try arrival.json(at: keyPath, for: JSONDocument.self)
            return (try JSONDocument(json.source), ImportReport())
        }
    }
}

extension ResponseSerializer where Value == Void {
    /// Reads the content only to see that it is the JSON that it claims to be.
    public static func ignored() -> ResponseSerializer {
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
    /// The content, where it has been read already.
    let content: JSONDocument?
    /// The transaction that its objects are written in with those of others, nil for one of their own.
    let shared: SharedTransaction?
    let isCancelled: () -> Bool
    /// Takes what is to be done once the value is given up.
    let onCancel: (@escaping @Sendable () -> Void) -> Void
    /// Takes the point of no return: throws where the value has been given up, and keeps it from being
    /// given up afterwards.
    let commit: () throws -> Void

    var decodingOptions: DecodingOptions { client.configuration.decodingOptions }

    /// The content as JSON.
    func document() throws -> JSONDocument {
        try content ?? client.configuration.document(from: response)
    }

    /// Writes the objects of JSON.
    func store<Value: Importable>(
        _ type: Value.Type, from json: JSONValue
    ) throws -> (value: Value, report: ImportReport) {
        let anonymousObjects = client.anonymousObjects
        if let shared {
            let stored = try shared.import(
                type, from: json, options: decodingOptions, isCancelled: isCancelled,
                willCommit: commit)
            shared.whenCommitted { anonymousObjects.note(type, stored.report) }
            return stored
        }
        let stored = try client.store.import(
            type, from: json, willWait: onCancel, options: decodingOptions,
            isCancelled: isCancelled, willCommit: commit)
        anonymousObjects.note(type, stored.report)
        return stored
    }

    /// The JSON that stands at a key path, the whole where there is none.
    func json(at keyPath: String?, for type: Any.Type) throws -> JSONValue {
        let document = try document()
        do {
            return try document.value(at: keyPath, for: type)
        } catch {
            throw ClientError(.undecodable, underlying: error)
        }
    }

    /// The content as it is, where that is what was asked for.
    func plain<Value>() throws -> Value? {
        if let data = response.body as? Value { return data }
        guard Value.self == String.self || Value.self == String?.self else { return nil }
        guard let text = String(validating: response.body, as: UTF8.self) as? Value else {
            throw ClientError(.undecodable)
        }
        return text
    }

    /// Returns the value of a response without content: nil as a value where it may be, else none.
    func empty<Value>(as type: Value.Type = Value.self) -> Value? {
        guard response.bodyCount == 0, let type = type as? any AbsentValue.Type else { return nil }
        return type.absent as? Value
    }
}

extension Client.Configuration {
    /// The content of a response as JSON.
    func document(from response: TransportResponse) throws -> JSONDocument {
        guard response.bodyCount > 0 else { throw ClientError(.emptyBody) }
        do {
            return try documentReader.document(from: response)
        } catch let error as JSONError {
            throw ClientError(.malformedJSON, underlying: error)
        } catch {
            throw ClientError.wrapped(error, as: .unprocessed)
        }
    }
}

/// A type that has a value for what is not there.
private protocol AbsentValue {
    static var absent: Self { get }
}

extension Optional: AbsentValue {
    fileprivate static var absent: Wrapped? { nil }
}
