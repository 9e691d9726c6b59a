public import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

/// Properties of an endpoint of types that look right and are not those of ``Endpoint``.
///
/// The compiler takes the defaults of ``Endpoint`` beside them without a word. A request that would go
/// out without what they say is refused instead, and so is a stored property of one of the names whose
/// type is any other.
public protocol MistypedEndpoint: OptionallyMistypedEndpoint, PlainlyMistypedEndpoint {
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

    /// Refuses an endpoint that has one of these, or one of their names for something else.
    func checkTypes() throws(TransportError) {
        let (method, query, headerFields): (String, [String: String], [String: String]) =
            (method, query, headerFields)
        let (data, optionalData, text): (Data, Data?, String) = (body, body, body)
        let (seconds, optionalSeconds, whole): (Double, Double?, Int) = (timeout, timeout, timeout)
        if !method.isEmpty { throw .mistyped("method", String.self) }
        if !query.isEmpty { throw .mistyped("query", [String: String].self) }
        if !headerFields.isEmpty { throw .mistyped("headerFields", [String: String].self) }
        if !data.isEmpty { throw .mistyped("body", Data.self) }
        if optionalData != nil { throw .mistyped("body", Data?.self) }
        if !text.isEmpty { throw .mistyped("body", String.self) }
        if seconds != 0 { throw .mistyped("timeout", Double.self) }
        if optionalSeconds != nil { throw .mistyped("timeout", Double?.self) }
        if whole != 0 { throw .mistyped("timeout", Int.self) }
        try checkStoredProperties()
    }

    /// Finds what is stored under one of the names, whatever its type.
    private func checkStoredProperties() throws(TransportError) {
        let type = ObjectIdentifier(type(of: self))
        guard !EndpointProperty.soundTypes.withLock({ $0.contains(type) }) else { return }
        // What describes itself in its own way may do so by names that are no properties.
        var mirror = self is any CustomReflectable ? nil : Mirror(reflecting: self)
        // The children of an enum are its cases.
        while let part = mirror, part.displayStyle == .struct || part.displayStyle == .class {
            for case (let name?, let value) in part.children {
                guard let property = EndpointProperty(rawValue: name) else { continue }
                let type = Swift.type(of: value)
                if !property.types.contains(where: { $0 == type }) { throw .mistyped(name, type) }
            }
            mirror = part.superclassMirror
        }
        EndpointProperty.soundTypes.withLock { _ = $0.insert(type) }
    }
}

/// A property of an endpoint that has a default.
private enum EndpointProperty: String {
    case method, query, headerFields, body, timeout
    case acceptedStatuses, acceptedContentTypes, needsAuthorization, interceptors, validators,
        processors, errorBody, coalescing, cachePolicy, fetchPolicy, tags, priority, completeness,
        removal

    /// The types under which it counts; the first is the one to name.
    var types: [Any.Type] {
        switch self {
        case .method: [HTTPRequest.Method.self]
        case .query: [QueryParameters.self, [URLQueryItem].self]
        case .headerFields: [HTTPFields.self]
        case .body: [RequestBody.self, RequestBody?.self]
        case .timeout: [Duration.self, Duration?.self]
        case .acceptedStatuses: [StatusCodes.self, StatusCodes?.self]
        case .acceptedContentTypes: [[String].self]
        case .needsAuthorization: [Bool.self]
        case .interceptors: [[any Interceptor].self]
        case .validators: [[Validator].self]
        case .processors: [[ResponseProcessor].self]
        case .errorBody: [ErrorBody.self]
        case .coalescing: [Coalescing.self]
        case .cachePolicy: [CachePolicy.self]
        case .fetchPolicy: [FetchPolicy.self]
        case .tags: [[String].self]
        case .priority: [RequestPriority.self]
        case .completeness: [Completeness.self]
        case .removal: [Removal.self]
        }
    }

    /// The endpoints whose stored properties have been found to be sound.
    static let soundTypes = Guarded<Set<ObjectIdentifier>>([])
}

extension TransportError {
    fileprivate static func mistyped(_ name: String, _ type: Any.Type) -> TransportError {
        let expected = EndpointProperty(rawValue: name)?.types.first.map { "\($0)" } ?? ""
        return .invalidRequest(
            "The endpoint's '\(name)' is of type \(type), so nothing would be sent of it; it has to be "
                + "of type \(expected).")
    }
}

/// Properties as in ``MistypedEndpoint``, of optional types: a protocol has one property of a name.
public protocol OptionallyMistypedEndpoint {
    /// Content without a type, or none.
    @_disfavoredOverload  // What is asked for by its name is the endpoint's.
    var body: Data? { get }

    /// A time without a unit, or none.
    @_disfavoredOverload
    var timeout: Double? { get }
}

extension OptionallyMistypedEndpoint {
    /// None.
    @_disfavoredOverload
    public var body: Data? { nil }

    /// None.
    @_disfavoredOverload
    public var timeout: Double? { nil }
}

/// Properties as in ``MistypedEndpoint``, of literals' types: a protocol has one property of a
/// name.
public protocol PlainlyMistypedEndpoint {
    /// Content that is text.
    @_disfavoredOverload  // What is asked for by its name is the endpoint's.
    var body: String { get }

    /// A whole number without a unit.
    @_disfavoredOverload
    var timeout: Int { get }
}

extension PlainlyMistypedEndpoint {
    /// None.
    @_disfavoredOverload
    public var body: String { "" }

    /// None.
    @_disfavoredOverload
    public var timeout: Int { 0 }
}
