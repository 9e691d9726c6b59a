import Larder

/// A transport that asks the server on this machine in place of the host in a request's URL.
///
/// The server's port is another one in each run. URLs stay the same, and so do the requests that the store can
/// answer: it knows them by their URLs.
struct LocalTransport: Transport {
    /// The address and the port of the server; nil: none runs.
    let server: String?

    private let transport = Client.Configuration().transport

    @discardableResult
    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask {
        guard let server else {
            completion(.failure(TransportError(.cannotConnect, "No server runs.")))
            return EndedTask()
        }
        var request = request
        request.head.authority = server
        return transport.send(request, completion: completion)
    }
}

/// The handle on an exchange that has ended.
private struct EndedTask: TransportTask {
    func cancel() {}
}
