public import LarderObjectStore
public import LarderPromises

extension Client {
    /// Enqueues an endpoint and stores its response, with a way to cancel it.
    public func cancellableEnqueue<Value: Insertable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> CancellablePromise<Value> {
        CancellablePromise(perform(endpoint, .stored(), fileID: fileID, line: line))
    }

    /// Enqueues an endpoint and decodes its response, with a way to cancel it.
    @_disfavoredOverload  // A wrapper is insertable too, and is to be stored.
    public func cancellableEnqueue<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> CancellablePromise<Value> {
        CancellablePromise(perform(endpoint, .decoded(), fileID: fileID, line: line))
    }

    /// Enqueues an endpoint whose response becomes JSON, with a way to cancel it.
    @_disfavoredOverload  // Where nothing says what the response becomes, it is void.
    public func cancellableEnqueue(
        _ endpoint: some Endpoint, as type: JSONDocument.Type = JSONDocument.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> CancellablePromise<JSONDocument> {
        CancellablePromise(perform(endpoint, .document(), fileID: fileID, line: line))
    }

    /// Enqueues an endpoint whose response matters by its status only, with a way to cancel it.
    public func cancellableEnqueue(
        _ endpoint: some Endpoint,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> CancellablePromise<Void> {
        CancellablePromise(perform(endpoint, .ignored(), fileID: fileID, line: line))
    }

    /// Enqueues an endpoint that fixes what its response becomes, with a way to cancel it.
    public func cancellableEnqueue<Target: RespondingEndpoint>(
        _ endpoint: Target,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> CancellablePromise<Target.Response> {
        CancellablePromise(perform(endpoint, Target.serializer, fileID: fileID, line: line))
    }
}
