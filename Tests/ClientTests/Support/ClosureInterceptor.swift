import LarderClient
import LarderPromises

/// An interceptor that is one closure.
struct ClosureInterceptor: Interceptor {
    let body:
        @Sendable (TransportRequest, any Endpoint, @escaping Next) -> Promise<TransportResponse>

    init(
        _ body: @escaping @Sendable (TransportRequest, @escaping Next) -> Promise<TransportResponse>
    ) {
        self.body = { body($0, $2) }
    }

    init(
        endpoint body:
            @escaping @Sendable (TransportRequest, any Endpoint, @escaping Next) ->
            Promise<TransportResponse>
    ) {
        self.body = body
    }

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        body(request, endpoint, next)
    }
}
