import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

/// The types that an endpoint declares its properties with, of ``Endpoint`` or not.
///
/// A property of another type than a protocol's has nothing to do with it, and the compiler takes the
/// default of ``Endpoint`` beside it without a word. The compiler finds these types, and a request that
/// would go out without what a property says is refused instead, be the property stored or computed.
public protocol MistypedEndpoint {
    /// The type of `method`.
    associatedtype DeclaredMethod

    /// The type of `query`.
    associatedtype DeclaredQuery

    /// The type of `headerFields`.
    associatedtype DeclaredHeaderFields

    /// The type of `body`.
    associatedtype DeclaredBody

    /// The type of `timeout`.
    associatedtype DeclaredTimeout

    /// The type of `acceptedStatuses`.
    associatedtype DeclaredAcceptedStatuses

    /// The type of `acceptedContentTypes`.
    associatedtype DeclaredAcceptedContentTypes

    /// The type of `needsAuthorization`.
    associatedtype DeclaredNeedsAuthorization

    /// The type of `interceptors`.
    associatedtype DeclaredInterceptors

    /// The type of `validators`.
    associatedtype DeclaredValidators

    /// The type of `processors`.
    associatedtype DeclaredProcessors

    /// The type of `errorBody`.
    associatedtype DeclaredErrorBody

    /// The type of `coalescing`.
    associatedtype DeclaredCoalescing

    /// The type of `cachePolicy`.
    associatedtype DeclaredCachePolicy

    /// The type of `fetchPolicy`.
    associatedtype DeclaredFetchPolicy

    /// The type of `tags`.
    associatedtype DeclaredTags

    /// The type of `priority`.
    associatedtype DeclaredPriority

    /// The type of `completeness`.
    associatedtype DeclaredCompleteness

    /// The type of `removal`.
    associatedtype DeclaredRemoval

    /// The endpoint's property of that name.
    @_disfavoredOverload  // What is asked for by its name is the endpoint's.
    var method: DeclaredMethod { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var query: DeclaredQuery { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var headerFields: DeclaredHeaderFields { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var body: DeclaredBody { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var timeout: DeclaredTimeout { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var acceptedStatuses: DeclaredAcceptedStatuses { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var acceptedContentTypes: DeclaredAcceptedContentTypes { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var needsAuthorization: DeclaredNeedsAuthorization { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var interceptors: DeclaredInterceptors { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var validators: DeclaredValidators { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var processors: DeclaredProcessors { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var errorBody: DeclaredErrorBody { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var coalescing: DeclaredCoalescing { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var cachePolicy: DeclaredCachePolicy { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var fetchPolicy: DeclaredFetchPolicy { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var tags: DeclaredTags { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var priority: DeclaredPriority { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var completeness: DeclaredCompleteness { get }

    /// The endpoint's property of that name.
    @_disfavoredOverload
    var removal: DeclaredRemoval { get }
}

extension MistypedEndpoint {
    private static var declaredTypes: [(EndpointProperty, Any.Type)] {
        [
            (.method, DeclaredMethod.self),
            (.query, DeclaredQuery.self),
            (.headerFields, DeclaredHeaderFields.self),
            (.body, DeclaredBody.self),
            (.timeout, DeclaredTimeout.self),
            (.acceptedStatuses, DeclaredAcceptedStatuses.self),
            (.acceptedContentTypes, DeclaredAcceptedContentTypes.self),
            (.needsAuthorization, DeclaredNeedsAuthorization.self),
            (.interceptors, DeclaredInterceptors.self),
            (.validators, DeclaredValidators.self),
            (.processors, DeclaredProcessors.self),
            (.errorBody, DeclaredErrorBody.self),
            (.coalescing, DeclaredCoalescing.self),
            (.cachePolicy, DeclaredCachePolicy.self),
            (.fetchPolicy, DeclaredFetchPolicy.self),
            (.tags, DeclaredTags.self),
            (.priority, DeclaredPriority.self),
            (.completeness, DeclaredCompleteness.self),
            (.removal, DeclaredRemoval.self),
        ]
    }

    /// Refuses an endpoint that has one of the names for something of another type.
    func checkTypes() throws(TransportError) {
        let type = ObjectIdentifier(Swift.type(of: self))
        guard !EndpointProperty.soundTypes.withLock({ $0.contains(type) }) else { return }
        for (property, type) in Self.declaredTypes { try property.check(type) }
        try checkStoredProperties()
        EndpointProperty.soundTypes.withLock { _ = $0.insert(type) }
    }

    /// Finds what a subclass stores under one of the names, which is no part of what its base class declares.
    private func checkStoredProperties() throws(TransportError) {
        // What describes itself in its own way may do so by names that are no properties.
        guard Swift.type(of: self) is AnyClass, !(self is any CustomReflectable) else { return }
        var mirror: Mirror? = Mirror(reflecting: self)
        while let part = mirror {
            for case (let name?, let value) in part.children {
                try EndpointProperty(rawValue: name)?.check(Swift.type(of: value))
            }
            mirror = part.superclassMirror
        }
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

    /// Refuses a type under which it does not count.
    func check(_ type: Any.Type) throws(TransportError) {
        if !types.contains(where: { $0 == type }) { throw .mistyped(rawValue, type) }
    }

    /// The endpoints whose properties have been found to be of the right types.
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
