public import Foundation
import HTTPTypes
import LarderObjectStore

/// The content of a request and its type.
public struct RequestBody: Sendable {
    private let encode: @Sendable () throws -> EncodedBody

    /// Makes the body that can be encoded, where that takes waiting.
    private var gather: (@Sendable () async throws -> RequestBody)?

    /// Whether it has to be waited for.
    var isGathered: Bool { gather != nil }

    /// Whether it is what has been gathered for one request.
    private(set) var isWhole = false

    /// Whether others may be encoded beside it, as it reads a file or a store, or runs code of the app's.
    private(set) var mayTakeLong = true

    /// Whether it stands for no body at all.
    private(set) var isAbsent = false

    /// The value that stands for no body.
    static let absent: RequestBody = {
        var body = RequestBody.brief(nil) { Data() }
        body.isAbsent = true
        return body
    }()

    /// Creates a body that is encoded when its request is built.
    ///
    /// `contentType` is sent as `Content-Type` unless the endpoint's header fields name another.
    public init(contentType: String?, encode: @escaping @Sendable () throws -> Data) {
        self.init { EncodedBody(data: try encode(), contentType: contentType) }
    }

    /// Creates a body that says what it is when it is encoded.
    init(_ encode: @escaping @Sendable () throws -> EncodedBody) {
        self.encode = encode
    }

    /// Creates a body that has to be waited for.
    init(gather: @escaping @Sendable () async throws -> RequestBody) {
        self.init {
            throw TransportError.invalidRequest(
                "A body that is a stream is gathered by a client, once, for the request that it builds then. An"
                    + " interceptor changes that one rather than build another."
            )
        }
        self.gather = gather
    }

    /// Creates a body that is encoded in its turn, which takes no longer than it is long.
    static func brief(
        _ contentType: String?, encode: @escaping @Sendable () throws -> Data
    ) -> RequestBody {
        var body = RequestBody(contentType: contentType, encode: encode)
        body.mayTakeLong = false
        return body
    }

    /// Encodes `value` as JSON, in the way that `DecodingOptions` and entities read it.
    ///
    /// Dates become ISO 8601 strings in UTC, such as `2026-11-21T10:30:00.25Z`, with as much of a
    /// fraction as they have, bytes base64, and slashes and the names of properties stay what they are.
    /// An encoder of your own decides for itself; Foundation's writes dates as seconds since 2001 unless
    /// told otherwise.
    public static func json(
        _ value: some Encodable & Sendable, encoder: JSONEncoder? = nil
    ) -> RequestBody {
        json(value, "application/json", encoder)
    }

    /// Encodes members of several types as a JSON object, nil as null: `["title": "x", "n": 3]`.
    ///
    /// Of a name that is there twice, the last value is sent. Values are encoded as one alone is.
    @_disfavoredOverload  // What has a type of its own is encoded as that.
    public static func json(
        _ members: KeyValuePairs<String, (any Encodable & Sendable)?>,
        encoder: JSONEncoder? = nil
    ) -> RequestBody {
        json(JSONMember.object(of: members), encoder: encoder)
    }

    static func json(
        _ value: some Encodable & Sendable, _ contentType: String, _ encoder: JSONEncoder? = nil
    ) -> RequestBody {
        .brief(contentType) {
            try (encoder ?? .ofRequestBodies).encode(value)
        }
    }

    /// Encodes names and values as `application/x-www-form-urlencoded`, in the order given.
    ///
    /// A type's properties make a form, too, by ``QueryParameters``: `.form(QueryParameters(filter))`.
    public static func form(_ fields: QueryParameters) -> RequestBody {
        .brief("application/x-www-form-urlencoded") {
            Data(PercentEncoding.form(try fields.items()).utf8)
        }
    }

    /// Encodes names and values as `application/x-www-form-urlencoded`, in the order given.
    public static func form(_ fields: [URLQueryItem]) -> RequestBody {
        form(QueryParameters(fields))
    }

    /// Encodes the properties of a value as `application/x-www-form-urlencoded`.
    @_disfavoredOverload  // A literal keeps its order.
    public static func form(_ value: some Encodable & Sendable) -> RequestBody {
        form(QueryParameters(value))
    }

    /// Sends `text` in UTF-8.
    public static func text(
        _ text: String, contentType: String? = "text/plain; charset=utf-8"
    ) -> RequestBody {
        .brief(contentType) { Data(text.utf8) }
    }

    /// Sends `data` as it is.
    public static func data(
        _ data: Data, contentType: String? = "application/octet-stream"
    ) -> RequestBody {
        .brief(contentType) { data }
    }

    /// The body that can be encoded.
    func gathered() async throws -> RequestBody {
        guard let gather else { return self }
        return try await gather().gathered()
    }

    /// What has been gathered for one request, or throws why it could not be as it is encoded.
    ///
    /// It is handed on, rather than looked up: whoever else encodes a stream meanwhile has another one.
    func whole() async -> RequestBody {
        var body: RequestBody
        do { body = try await gathered() } catch { body = RequestBody { throw error } }
        body.isWhole = true
        return body
    }

    func encoded() throws -> EncodedBody {
        let body = try encode()
        if let contentType = body.contentType, !HTTPField.isValidValue(contentType) {
            throw TransportError.invalidRequest("The content type is no valid field value.")
        }
        return body
    }
}

/// The content of a request as it is sent.
struct EncodedBody: Sendable {
    var data: Data
    var contentType: String?
    /// The coding that has been applied to the content, as `Content-Encoding` names it.
    var contentCoding: String?
}

/// Stands where a call can't be, so that the compiler says what is wrong with it.
extension RequestBody {
    /// Says what a body is.
    @available(
        *, unavailable,
        message: """
            a body is 'Encodable' and 'Sendable', and so is each value in '["name": value]'; for an \
            object of unlike values inside another write a struct
            """
    )
    @_disfavoredOverload
    public static func json(_ value: Any, encoder: JSONEncoder? = nil) -> RequestBody {
        .data(Data())
    }
}

extension JSONEncoder {
    /// The encoder of bodies whose endpoint names no other.
    static var ofRequestBodies: JSONEncoder {
        let encoder = JSONEncoder()
        // The same value is the same content, also in another process.
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        encoder.dateEncodingStrategy = .wholeISO8601
        return encoder
    }
}

/// A value of whatever type, or null.
struct JSONMember: Encodable, Sendable {
    let value: (any Encodable & Sendable)?

    /// Members as a dictionary, whose names no encoder rewrites; of a name that is there twice, the last.
    static func object(
        of members: KeyValuePairs<String, (any Encodable & Sendable)?>
    ) -> [String: JSONMember] {
        Dictionary(members.map { ($0.key, JSONMember(value: $0.value)) }) { $1 }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let value { try container.encode(value) } else { try container.encodeNil() }
    }
}
