public import LarderObjectStore
public import LarderPromises

extension Client {
    /// Enqueues an endpoint and stores its response, with a way to cancel it.
    public func cancellableEnqueue<Value: Insertable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self
    ) -> Cancellable<Value> {
        Cancellable(perform(endpoint, .stored()))
    }

    /// Enqueues an endpoint and decodes its response, with a way to cancel it.
    @_disfavoredOverload  // A wrapper is insertable too, and is to be stored.
    public func cancellableEnqueue<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self
    ) -> Cancellable<Value> {
        Cancellable(perform(endpoint, .decoded()))
    }

    /// Enqueues an endpoint whose response becomes JSON, with a way to cancel it.
    @_disfavoredOverload  // Where nothing says what the response becomes, it is void.
    public func cancellableEnqueue(
        _ endpoint: some Endpoint, as type: JSONDocument.Type = JSONDocument.self
    ) -> Cancellable<JSONDocument> {
        Cancellable(perform(endpoint, .document()))
    }

    /// Enqueues an endpoint whose response matters by its status only, with a way to cancel it.
    public func cancellableEnqueue(_ endpoint: some Endpoint) -> Cancellable<Void> {
        Cancellable(perform(endpoint, .ignored()))
    }
}
