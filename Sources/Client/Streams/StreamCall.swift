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
    ///
    /// - Parameter lastEventID: The id of the event that is to be followed, if there is any.
    func open(after lastEventID: String = "") -> Promise<StreamedResponse> {
        let client =
            lastEventID.isEmpty
            ? client
            : client.configured { configuration in
                configuration.interceptors.insert(LastEventInterceptor(id: lastEventID), at: 0)
            }
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
private struct LastEventInterceptor: Interceptor {
    let id: String

    func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        var request = request
        if let name = HTTPField.Name.lastEventID { request.head.headerFields[name] = id }
        return next(request)
    }
}

extension HTTPField.Name {
    /// That of WHATWG HTML, section 9.2.
    static let lastEventID = HTTPField.Name("Last-Event-ID")
}
