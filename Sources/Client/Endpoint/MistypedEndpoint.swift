public import Foundation

/// Properties of an endpoint of types that look right and are not those of ``Endpoint``.
///
/// The compiler takes the defaults of ``Endpoint`` beside them without a word. A request that would go
/// out without what they say is refused instead.
public protocol MistypedEndpoint {
    /// A method that is text.
    @_disfavoredOverload  // What is asked for by its name is the endpoint's.
    var method: String { get }

    /// A query in no order.
    @_disfavoredOverload
    var query: [String: String] { get }

    /// Header fields whose names are text.
    @_disfavoredOverload
    var headerFields: [String: String] { get }

    /// Content without a type.
    @_disfavoredOverload
    var body: Data { get }

    /// A time without a unit.
    @_disfavoredOverload
    var timeout: Double { get }
}

extension MistypedEndpoint {
    /// None.
    @_disfavoredOverload
    public var method: String { "" }

    /// None.
    @_disfavoredOverload
    public var query: [String: String] { [:] }

    /// None.
    @_disfavoredOverload
    public var headerFields: [String: String] { [:] }

    /// None.
    @_disfavoredOverload
    public var body: Data { Data() }

    /// None.
    @_disfavoredOverload
    public var timeout: Double { 0 }

    /// Refuses an endpoint that has one of these.
    func checkTypes() throws(TransportError) {
        let (method, body, timeout): (String, Data, Double) = (method, body, timeout)
        let (query, headerFields): ([String: String], [String: String]) = (query, headerFields)
        if !method.isEmpty { throw .mistyped("method", "String", "HTTPRequest.Method") }
        if !query.isEmpty { throw .mistyped("query", "[String: String]", "[URLQueryItem]") }
        if !headerFields.isEmpty {
            throw .mistyped("headerFields", "[String: String]", "HTTPFields")
        }
        if !body.isEmpty { throw .mistyped("body", "Data", "RequestBody") }
        if timeout != 0 { throw .mistyped("timeout", "Double", "Duration") }
    }
}

extension TransportError {
    fileprivate static func mistyped(
        _ name: String, _ type: String, _ expected: String
    ) -> TransportError {
        .invalidRequest(
            "The endpoint's '\(name)' is of type \(type), so nothing would be sent of it; it has to be "
                + "of type \(expected).")
    }
}
