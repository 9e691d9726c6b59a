/// Properties of an endpoint that are optional by ``Endpoint``, of types that are not.
///
/// A property of another type than a protocol's has nothing to do with it, and the compiler takes the
/// default without a word. `let body = RequestBody.json(…)` would send nothing; here it counts.
public protocol DefiniteEndpoint {
    /// The content to send, of an endpoint that always has some.
    @_disfavoredOverload  // What is asked for by its name is the endpoint's.
    var body: RequestBody { get }

    /// The time that the exchange may take, of an endpoint that always says it.
    @_disfavoredOverload
    var timeout: Duration { get }
}

extension DefiniteEndpoint {
    /// None.
    @_disfavoredOverload
    public var body: RequestBody { .absent }

    /// None.
    @_disfavoredOverload
    public var timeout: Duration { .absent }

    fileprivate var ownBody: RequestBody? {
        let body: RequestBody = self.body
        return body.isAbsent ? nil : body
    }

    fileprivate var ownTimeout: Duration? {
        let timeout: Duration = self.timeout
        return timeout == .absent ? nil : timeout
    }
}

extension Endpoint {
    /// The content to send, however it is declared.
    var content: RequestBody? { ownBody ?? body }

    /// The time that the exchange may take, however it is declared.
    var allowedTime: Duration? { ownTimeout ?? timeout }
}

extension Duration {
    /// A time that nobody allows an exchange.
    fileprivate static let absent = Duration.nanoseconds(Int64.min)
}
