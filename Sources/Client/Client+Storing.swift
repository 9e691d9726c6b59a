public import LarderObjectStore
public import LarderPromises

// MARK: What is written along with a response

extension Client {
    /// Enqueues an endpoint, stores its response, or what stands in it at a key path, and has a body write
    /// more in the same transaction.
    ///
    /// ```swift
    /// client.enqueue(Changes(since: token), storing: { (context, page: ChangePage) in
    ///     try context.save(SyncToken(page.token))
    /// })
    /// ```
    ///
    /// Both are in the store, or neither. Where the body throws, the promise is rejected with
    /// ``ClientError/Reason/notStored``. What a response becomes that is not stored has a body by
    /// ``ResponseSerializer/storing(_:)``. What the promise is fulfilled with is the value as it was before the body
    /// ran, without what that has changed in the store.
    ///
    /// - Parameter body: Runs once, on a thread of the client's, before the commit.
    public func enqueue<Value: Importable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self,
        at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        storing body: @escaping @Sendable (_ context: Context, _ value: Value) throws -> Void
    ) -> Promise<Value> {
        perform(endpoint, .stored(at: keyPath).storing(body), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint, stores its response, and has a body write more in the same transaction, such as
    /// of the header fields, which are handed over too.
    public func enqueue<Value: Importable>(
        _ endpoint: some Endpoint, as type: Response<Value>.Type = Response<Value>.self,
        at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        storing body:
            @escaping @Sendable (_ context: Context, _ response: Response<Value>) throws -> Void
    ) -> Promise<Response<Value>> {
        perform(
            endpoint,
            ResponseSerializer<Value>.stored(at: keyPath).withResponse().storing(body),
            fileID: fileID, line: line)
    }

    /// Enqueues an endpoint that fixes what its response becomes, and has a body write more in the
    /// transaction of the response, or in one of its own where that is not stored.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target,
        fileID: StaticString = #fileID, line: UInt = #line,
        storing body:
            @escaping @Sendable (_ context: Context, _ response: Target.Response) throws -> Void
    ) -> Promise<Target.Response> {
        perform(endpoint, Target.serializer.storing(body), fileID: fileID, line: line)
    }
}
