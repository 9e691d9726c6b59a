public import LarderObjectStore
public import LarderPromises

extension Client {
    /// Enqueues an endpoint that fixes what its response becomes, and stores its response.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Target.Response> where Target.Response: Insertable {
        perform(endpoint, .stored(), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint that fixes what its response becomes, and decodes its response.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Target.Response> where Target.Response: Decodable & Sendable {
        perform(endpoint, .decoded(), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint that fixes what its response becomes, a wrapper, and stores its response.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Target.Response> where Target.Response: Insertable & Decodable {
        perform(endpoint, .stored(), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint whose response becomes JSON.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<JSONDocument> where Target.Response == JSONDocument {
        perform(endpoint, .document(), fileID: fileID, line: line)
    }

    /// Enqueues an endpoint whose response matters by its status only.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Void> where Target.Response == Void {
        perform(endpoint, .ignored(), fileID: fileID, line: line)
    }
}
