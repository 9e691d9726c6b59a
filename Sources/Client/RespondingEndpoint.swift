public import LarderObjectStore

/// An endpoint that says what comes back, so that the call site need not.
///
/// ```swift
/// struct AllUsers: RespondingEndpoint {
///     typealias Response = Many<User>
///     let path = "users"
/// }
///
/// client.enqueue(AllUsers()).then { users in print(users) }
/// ```
///
/// Code that knows an endpoint only as `some RespondingEndpoint` enqueues it all the same, and gets a
/// promise of its ``Response``.
public protocol RespondingEndpoint: Endpoint {
    /// The type that the response becomes: any that ``Client`` can enqueue for.
    ///
    /// Inside the endpoint this name hides the library's own: there, status and header fields come
    /// with `typealias Response = Larder.Response<Many<User>>`.
    ///
    /// In a module that is isolated to the main actor, a `Decodable` of the module's own is
    /// `nonisolated`, or nested in the endpoint.
    associatedtype Response: Sendable

    /// The serializer of a ``Response``; it is there for each type that a response can become.
    static var serializer: ResponseSerializer<Response> { get }
}

extension RespondingEndpoint where Response: Importable {
    /// Stores the response.
    public static var serializer: ResponseSerializer<Response> { .stored() }
}

extension RespondingEndpoint where Response: Decodable {
    /// Decodes the response; stores it where its type turns out to be one that is stored.
    public static var serializer: ResponseSerializer<Response> { .decoded() }
}

extension RespondingEndpoint where Response: Importable & Decodable {
    /// Stores the response, a wrapper.
    public static var serializer: ResponseSerializer<Response> { .stored() }
}

extension RespondingEndpoint where Response == JSONDocument {
    /// Hands over the response as JSON.
    public static var serializer: ResponseSerializer<Response> { .document() }
}

extension RespondingEndpoint where Response == Void {
    /// Looks at the response's status only.
    public static var serializer: ResponseSerializer<Response> { .ignored() }
}

// MARK: With status and header fields

extension RespondingEndpoint where Response: WholeResponse, Response.Value: Importable {
    /// Stores the response, and hands over its status and header fields too.
    public static var serializer: ResponseSerializer<Response> {
        ResponseSerializer<Response.Value>.stored().withResponse()
    }
}

extension RespondingEndpoint where Response: WholeResponse, Response.Value: Decodable {
    /// Decodes the response, and hands over its status and header fields too.
    public static var serializer: ResponseSerializer<Response> {
        ResponseSerializer<Response.Value>.decoded().withResponse()
    }
}

extension RespondingEndpoint where Response: WholeResponse, Response.Value: Importable & Decodable {
    /// Stores the response, a wrapper, and hands over its status and header fields too.
    public static var serializer: ResponseSerializer<Response> {
        ResponseSerializer<Response.Value>.stored().withResponse()
    }
}

extension RespondingEndpoint where Response: WholeResponse, Response.Value == JSONDocument {
    /// Hands over the response as JSON, with status and header fields.
    public static var serializer: ResponseSerializer<Response> {
        ResponseSerializer<Response.Value>.document().withResponse()
    }
}

extension RespondingEndpoint where Response: WholeResponse, Response.Value == Void {
    /// Hands over the response's status and header fields only.
    public static var serializer: ResponseSerializer<Response> {
        ResponseSerializer<Response.Value>.ignored().withResponse()
    }
}

// MARK: A misfit

extension RespondingEndpoint {
    /// Stands where no serializer can be, so that the compiler says what is wrong with the type.
    @available(
        *, unavailable,
        message: """
            a response becomes an entity, a 'Many', an array or an optional of these, a 'Wrapper', a \
            'Decodable', a 'JSONDocument', 'Data', 'String' or 'Void', or a 'Larder.Response' of \
            these; where the module is isolated to the main actor, mark the type 'nonisolated'
            """
    )
    public static var serializer: ResponseSerializer<Response> {
        ResponseSerializer(isStoring: false) { _ in throw CancellationError() }
    }
}
