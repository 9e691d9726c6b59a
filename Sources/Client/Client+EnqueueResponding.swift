public import LarderObjectStore
public import LarderPromises

extension Client {
    /// Enqueues an endpoint that fixes what its response becomes, and stores its response.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target
    ) -> Promise<Target.Response> where Target.Response: Insertable {
        perform(endpoint, .stored())
    }

    /// Enqueues an endpoint that fixes what its response becomes, and decodes its response.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target
    ) -> Promise<Target.Response> where Target.Response: Decodable & Sendable {
        perform(endpoint, .decoded())
    }

    /// Enqueues an endpoint that fixes what its response becomes, a wrapper, and stores its response.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target
    ) -> Promise<Target.Response> where Target.Response: Insertable & Decodable {
        perform(endpoint, .stored())
    }

    /// Enqueues an endpoint whose response becomes JSON.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target
    ) -> Promise<JSONDocument> where Target.Response == JSONDocument {
        perform(endpoint, .document())
    }

    /// Enqueues an endpoint whose response matters by its status only.
    public func enqueue<Target: RespondingEndpoint>(
        _ endpoint: Target
    ) -> Promise<Void> where Target.Response == Void {
        perform(endpoint, .ignored())
    }
}
