import Foundation
public import LarderObjectStore
public import LarderPromises

extension Client {
    /// Enqueues an endpoint and stores its response, or what stands in it at a key path.
    ///
    /// ```swift
    /// client.enqueue(AllUsers(), as: [User].self, at: "data.items")
    /// ```
    ///
    /// Where nothing stands there, the promise is rejected with ``ClientError/Reason/undecodable``.
    public func enqueue<Value: Importable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self,
        at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        perform(endpoint, .stored(at: keyPath), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint and decodes its response, or what stands in it at a key path; nothing is stored.
    ///
    /// `Data` and `String` are the content as it is, whatever it holds; at a key path they are what
    /// stands there in JSON, base64 and text. An entity or a wrapper that
    /// generic code knows only as `Decodable` is stored all the same.
    @_disfavoredOverload  // A wrapper is importable too, and is to be stored.
    public func enqueue<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self,
        at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        perform(endpoint, .decoded(at: keyPath), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint and hands over its response as JSON; nothing is stored.
    @_disfavoredOverload  // Where nothing says what the response becomes, it is void.
    public func enqueue(
        _ endpoint: some Endpoint, as type: JSONDocument.Type = JSONDocument.self,
        at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<JSONDocument> {
        perform(endpoint, .document(at: keyPath), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint whose response matters by its status only, which is so wherever nothing
    /// says what the response becomes.
    ///
    /// It may be empty; content that claims to be JSON, or claims nothing, has to be JSON.
    @discardableResult
    public func enqueue(
        _ endpoint: some Endpoint, as type: Void.Type = Void.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Void> {
        perform(endpoint, .ignored(), fileID: fileID, line: line)
    }
}

extension Client {
    /// Enqueues an endpoint and makes of its response what a serializer says.
    public func enqueue<Value: Sendable>(
        _ endpoint: some Endpoint, serializer: ResponseSerializer<Value>,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Value> {
        perform(endpoint, serializer, fileID: fileID, line: line)
    }
}

// MARK: With status and header fields

extension Client {
    /// Enqueues an endpoint, stores its response, and hands over its status and header fields too.
    public func enqueue<Value: Importable>(
        _ endpoint: some Endpoint, as type: Response<Value>.Type = Response<Value>.self,
        at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Response<Value>> {
        perform(
            endpoint, ResponseSerializer<Value>.stored(at: keyPath).withResponse(), fileID: fileID,
            line: line)
    }

    /// Enqueues an endpoint, decodes its response, and hands over its status and header fields too.
    @_disfavoredOverload  // A wrapper is importable too, and is to be stored.
    public func enqueue<Value: Decodable & Sendable>(
        _ endpoint: some Endpoint, as type: Response<Value>.Type = Response<Value>.self,
        at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Response<Value>> {
        perform(
            endpoint, ResponseSerializer<Value>.decoded(at: keyPath).withResponse(), fileID: fileID,
            line: line
        )
    }

    /// Enqueues an endpoint, and hands over its response as JSON with status and header fields.
    @_disfavoredOverload  // Where nothing says what the response becomes, it is void.
    public func enqueue(
        _ endpoint: some Endpoint,
        as type: Response<JSONDocument>.Type = Response<JSONDocument>.self,
        at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Response<JSONDocument>> {
        perform(
            endpoint, ResponseSerializer<JSONDocument>.document(at: keyPath).withResponse(),
            fileID: fileID,
            line: line)
    }

    /// Enqueues an endpoint, and hands over its status and header fields only.
    @_disfavoredOverload  // Where nothing says what the response becomes, it is void.
    public func enqueue(
        _ endpoint: some Endpoint, as type: Response<Void>.Type = Response<Void>.self,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Response<Void>> {
        perform(
            endpoint, ResponseSerializer<Void>.ignored().withResponse(), fileID: fileID, line: line)
    }
}

// MARK: Endpoints that fix what their response becomes

extension Client {
    /// Enqueues an endpoint that fixes what its response becomes.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Target.Response> {
        perform(endpoint, Target.serializer, fileID: fileID, line: line)
    }
}

extension Client {
    /// Enqueues an endpoint and stores its response, with a way to cancel it.
    ///
    /// For a response that becomes something else there is `CancellablePromise(client.enqueue(…))`; each
    /// promise has a `cancel()` of its own as well.
    public func cancellableEnqueue<Value: Importable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self,
        at keyPath: String? = nil,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> CancellablePromise<Value> {
        CancellablePromise(perform(endpoint, .stored(at: keyPath), fileID: fileID, line: line))
    }
}
