public import LarderObjectStore
public import LarderPromises

/// Stand where a call can't be, so that the compiler says what is wrong with it.
extension Client {
    /// Says what a response becomes.
    @available(
        *, unavailable,
        message: """
            a response becomes an entity, a 'Many', an array or an optional of these, a 'Wrapper', a \
            'Decodable', a 'JSONDocument', 'Data', 'String' or 'Void'
            """
    )
    @_disfavoredOverload
    public func enqueue<Value: Sendable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self,
        at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        .rejected(CancellationError())
    }

    // With `as:`, these would be as good as the call that is right where a mistake stands behind it,
    // as in `enqueue(…, as: Book.self).then { … }`; so would be one of a `Response`, even without.

    /// Says how the value of a promise is awaited.
    @available(
        *, unavailable, message: "this is a promise: write 'try await client.enqueue(…).value'"
    )
    public func enqueue<Value: Importable>(
        _ endpoint: some Endpoint, at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Value {
        throw CancellationError()
    }

    /// Says how the value of a promise is awaited.
    @available(
        *, unavailable, message: "this is a promise: write 'try await client.enqueue(…).value'"
    )
    @_disfavoredOverload
    public func enqueue<Value: Decodable>(
        _ endpoint: some Endpoint, at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Value {
        throw CancellationError()
    }

    /// Says that nothing says what a response becomes.
    @available(
        *, unavailable,
        message: """
            nothing says what the response becomes: write 'enqueue(…, as: [User].self)', or \
            '{ (users: [User]) in … }'
            """
    )
    @_disfavoredOverload
    public func enqueue(
        _ endpoint: some Endpoint,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<UnsaidResponse> {
        .rejected(CancellationError())
    }

    /// Says that what follows does not fit what an endpoint's response becomes.
    @available(
        *, unavailable,
        message: """
            what follows does not fit the endpoint's Response: write that type there, as in \
            '{ (users: [User]) in … }', to see why
            """
    )
    @_disfavoredOverload
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<UnsaidResponse> {
        .rejected(CancellationError())
    }
}

/// The response of a call that gives it no type; such a call doesn't compile.
@dynamicMemberLookup
public struct UnsaidResponse: Sendable, Sequence, IteratorProtocol {
    /// The number of elements; what `Sequence` has of that name takes a closure.
    public var count: Int { 0 }

    /// The first of them; what `Sequence` has of that name takes a closure.
    public var first: UnsaidResponse? { nil }

    /// The last of them.
    public var last: UnsaidResponse? { nil }

    /// Whether there are none.
    public var isEmpty: Bool { true }

    /// Any property.
    public subscript(dynamicMember name: String) -> UnsaidResponse { self }

    /// No element.
    public mutating func next() -> UnsaidResponse? { nil }
}
