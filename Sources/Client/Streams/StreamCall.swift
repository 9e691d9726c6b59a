import HTTPTypes
import LarderObjectStore
import LarderPromises

/// An endpoint whose response is read as it comes, and how it is asked.
struct StreamCall: Sendable {
    let endpoint: any Endpoint
    /// The client that was called, and the one that asks in its place.
    let caller: Client
    private(set) var client: Client
    let maximumSize: Int
    let fileID: StaticString
    let line: UInt

    /// Creates a call.
    ///
    /// - Parameter accepting: What is asked for by `Accept`, unless the endpoint says it.
    init(
        _ endpoint: some Endpoint, of caller: Client, accepting: String? = nil, maximumSize: Int,
        fileID: StaticString, line: UInt
    ) {
        self.endpoint = endpoint
        self.caller = caller
        client = caller.configured { configuration in
            if endpoint.allowedTime == nil {
                configuration.idleTimeout = configuration.idleTimeout ?? configuration.timeout
                configuration.timeout = .seconds(30 * 86_400)
            }
            if let accepting { configuration.headerFields[.accept] = accepting }
            configuration.interceptors.append(StreamInterceptor(maximumSize: maximumSize))
            // There is no promise for those, and the whole is one request in flight.
            configuration.promiseProcessors = []
            configuration.tracksRequests = false
        }
        (self.maximumSize, self.fileID, self.line) = (max(maximumSize, 0), fileID, line)
    }

    /// The same call for one who begins to read: whatever it asks for is of the session that is going on.
    func inSession() -> StreamCall {
        var call = self
        call.client = client.inSession(for: endpoint)
        return call
    }

    /// Asks, through all interceptors, and hands over the response once its head is there.
    func open() -> Promise<StreamedResponse> { open(with: client) }

    /// Asks for events.
    ///
    /// - Parameters:
    ///   - lastEventID: The id of the event that is to be followed, if there is any.
    ///   - change: Changes the request before any other of the client's interceptors.
    func open(
        after lastEventID: String,
        changing change: @escaping @Sendable (TransportRequest) -> TransportRequest
    ) -> Promise<StreamedResponse> {
        open(
            with: client.configured { configuration in
                configuration.interceptors.insert(
                    EventInterceptor(lastEventID: lastEventID, change: change), at: 0)
            })
    }

    private func open(with client: Client) -> Promise<StreamedResponse> {
        let serializer = ResponseSerializer<StreamedResponse>(isStoring: false) { arrival in
            (StreamedResponse(arrival), ImportReport())
        }
        return client.perform(endpoint, serializer, fileID: fileID, line: line)
    }
}

/// The innermost interceptor of a stream, which asks the transport to hand content over as it comes.
private struct StreamInterceptor: Interceptor {
    let maximumSize: Int

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        var request = request
        request.sink = .reader(maximumCount: maximumSize)
        return next(request)
    }
}

/// Says which event came last, so that the server goes on behind it.
private struct EventInterceptor: Interceptor {
    let lastEventID: String
    let change: @Sendable (TransportRequest) -> TransportRequest

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        var request = change(request)
        if !lastEventID.isEmpty, let name = HTTPField.Name.lastEventID {
            request.head.headerFields[name] = lastEventID
        }
        return next(request)
    }
}

extension HTTPField.Name {
    /// That of WHATWG HTML, section 9.2.
    static let lastEventID = HTTPField.Name("Last-Event-ID")
}
