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
    /// Whether it writes more than what has come, which must not be done a second time.
    let writesMore: Bool
    /// Tells the way in which content is stored from others; nil where it is not, or that is not known before it has come.
    let way: StoredImport.Way?
    /// Makes beside the store what needs nothing of it, and returns the serializer of the rest; nil where
    /// all is done in its turn.
    let prepare: (@Sendable (Arrival) throws -> ResponseSerializer<Value>)?
    /// Makes a value again of a response that is kept; nil where that can't be.
    let replay: (@Sendable (Replay) throws -> Replayed<Value>)?
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
        isStoring: Bool, writesMore: Bool = false, way: StoredImport.Way? = nil,
        prepare: (@Sendable (Arrival) throws -> ResponseSerializer<Value>)? = nil,
        replay: (@Sendable (Replay) throws -> Replayed<Value>)? = nil,
        serialize: @escaping @Sendable (Arrival) throws -> (value: Value, report: ImportReport)
    ) {
        (self.isStoring, self.writesMore, self.way) = (isStoring, writesMore, way)
        (self.prepare, self.replay) = (prepare, replay)
        self.serialize = serialize
    }

    /// Tells the way in which content is stored in a store, by its model and options; nil where ``way`` is.
    func way(in kept: KeptResponses, by options: DecodingOptions) -> (@Sendable () -> Int64)? {
        guard let way else { return nil }
        return { way.digest(kept.store, kept.origin, options) }
    }

    /// What is done beside the store, where the rest is done as `change` has it.
    func preparing<Other>(
        _ change: @escaping @Sendable (ResponseSerializer) -> ResponseSerializer<Other>
    ) -> (@Sendable (Arrival) throws -> ResponseSerializer<Other>)? {
        guard let prepare else { return nil }
        return { arrival in change(try prepare(arrival)) }
    }

    /// The same value with the status and the header fields.
    public func withResponse<Whole: WholeResponse>() -> ResponseSerializer<Whole>
    where Whole.Value == Value {
        ResponseSerializer<Whole>(
            isStoring: isStoring, writesMore: writesMore, way: way,
            prepare: preparing { $0.withResponse() },
            replay: replay.map(Self.replayingWhole)
        ) { arrival in
            let (value, report) = try serialize(arrival)
            let head = arrival.response.head
            var response = Whole(
                value, status: head.status, headerFields: head.headerFields,
                url: URL(reference: arrival.request.urlText),
                redirects: arrival.response.redirects.compactMap { URL(reference: $0) },
                report: report)
            (response.source, response.age) = (arrival.response.source, arrival.response.age)
            // What a cache had before brings back no more than what the store lacks.
            response.note(
                isOfStoredObjects: isStoring && !arrival.response.isOfNow,
                of: arrival.request)
            return (response, report)
        }
    }
}

extension ResponseSerializer {
    /// Makes a value again, with the status and the header fields.
    private static func replayingWhole<Whole: WholeResponse>(
        _ make: @escaping @Sendable (Replay) throws -> Replayed<Value>
    ) -> @Sendable (Replay) throws -> Replayed<Whole> where Whole.Value == Value {
        { replay in
            let replayed = try make(replay)
            let head = replay.kept.head
            var response = Whole(
                replayed.value, status: head.status, headerFields: head.headerFields,
                url: URL(reference: replay.request.urlText), redirects: [], report: ImportReport())
            (response.source, response.age) = (replay.source, replay.age)
            response.missingCount = replayed.missingCount
            response.note(isOfStoredObjects: true, of: replay.request)
            return Replayed(
                value: response, missingCount: replayed.missingCount,
                hasReplaced: replayed.hasReplaced)
        }
    }
}

extension ResponseSerializer where Value: Importable {
    /// Makes a value again of the objects in the store.
    private static func replaying(
        at keyPath: String?
    ) -> @Sendable (Replay) throws -> Replayed<Value> {
        { replay in
            var hasReplaced = false
            let (value, missingCount) = try replay.kept.value(
                Value.self, at: keyPath, in: replay.snapshot, options: replay.options,
                noteReplaced: { hasReplaced = true })
            return Replayed(value: value, missingCount: missingCount, hasReplaced: hasReplaced)
        }
    }

    /// Stores the content in one transaction, which a cancellation rolls back; one that comes when it
    /// is about to be committed comes too late.
    ///
    /// - Parameter keyPath: The dotted path of what is stored; the whole where it is nil.
    public static func stored(at keyPath: String? = nil) -> ResponseSerializer {
        stored(at: keyPath, as: nil)
    }

    /// - Parameters:
    ///   - page: The walk that the content is a page of.
    ///   - count: Takes the number of the elements that are to be stored, nil where it is no list.
    static func stored(
        at keyPath: String?, as page: ListedPages?,
        counting count: (@Sendable (Int?) -> Void)? = nil
    ) -> ResponseSerializer {
        ResponseSerializer(
            isStoring: true, way: StoredImport.way(Value.self, at: keyPath),
            replay: page == nil ? replaying(at: keyPath) : nil
        ) { arrival in
            if let value = arrival.empty(as: Value.self) { return (value, ImportReport()) }
            let json = try arrival.json(at: keyPath, for: Value.self)
            count?(json.kind == .array ? json.count : nil)
            do {
                return try arrival.store(Value.self, from: json, at: keyPath, as: page)
            } catch let error as CancellationError {
                throw error
            } catch let error as ClientError {
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
            if arrival.response.bodyCount > 0, arrival.response.claimsJSON ?? true {
                _ = try arrival.document()
            }
            return ((), ImportReport())
        }
    }
}
