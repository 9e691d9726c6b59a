/// A request that has been enqueued; what it is and a way to give it up.
///
/// It keeps neither the client nor what waits for the response.
public struct RequestInFlight: Sendable, Identifiable {
    /// The number of the request in the order in which its client's were enqueued.
    public let id: Int

    /// The endpoint that was enqueued.
    public let endpoint: any Endpoint

    private let promise: any UntypedPromise
    /// The queue that it waits in, if it does.
    fileprivate let queue: RequestQueue?
    /// Whether the refresh of a credential has made it, which outlives those who wait for that.
    fileprivate let isOfRefresh: Bool

    init(
        id: Int, endpoint: any Endpoint, promise: any UntypedPromise, in queue: RequestQueue? = nil
    ) {
        self.id = id
        self.endpoint = endpoint
        self.promise = promise
        self.queue = queue
        isOfRefresh = !TransportRequest.Provenance.refreshes.isEmpty
    }

    /// Whether it has its value or its error, or has been cancelled.
    public var isFinished: Bool { !promise.isPending }

    /// Rejects its promise with `CancellationError` and stops the work behind it, whoever waits for it.
    ///
    /// Without effect once it has finished, or its response is about to be committed.
    public func cancel() {
        promise.cancel()
    }
}

extension RequestInFlight: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The number and the type of the endpoint, whose values may be secrets.
    public var description: String {
        "request \(id) of \(type(of: endpoint))\(isFinished ? ", finished" : "")"
    }

    /// The description.
    public var debugDescription: String { description }

    /// No more than the description tells, for `dump`.
    public var customMirror: Mirror {
        Mirror(self, children: ["id": id, "endpoint": "\(type(of: endpoint))"])
    }
}

extension Client {
    /// The requests that have been enqueued and have not finished, in the order in which they were.
    ///
    /// Those of all clients made by ``configured(_:)`` are among them, but for those made by one whose
    /// ``Configuration/tracksRequests`` is false.
    public var requestsInFlight: [RequestInFlight] { registry.requests }

    /// The number of requests in flight, now and whenever it changes, such as for an activity indicator.
    ///
    /// A request counts until all that has been begun for it has ended, be it cancelled. Of numbers that
    /// nobody has read yet only the last is kept. The sequence ends with its clients.
    public func requestCounts() -> AsyncStream<Int> { registry.counts() }

    /// Cancels all ``requestsInFlight``, as when somebody logs out.
    ///
    /// What is enqueued afterwards, or by a handler that hears of it, is not concerned. Nor is what an
    /// ``AuthorizationInterceptor``'s refresh has enqueued, in its closure or in a task that it begins: what a server has
    /// put in a token's place is not to be lost. A log-out by the interceptor, or by ``logOut(keeping:)``, ends that, too.
    public func cancelAll() {
        cancelAll { _ in true }
    }

    /// Cancels those of ``requestsInFlight`` whose endpoint has a tag.
    ///
    /// ```swift
    /// client.cancel(tag: "feed")
    /// ```
    public func cancel(tag: String) {
        cancelAll { $0.tags.contains(tag) }
    }

    /// Cancels those of ``requestsInFlight`` whose endpoint is of a type, or of a subclass of it.
    ///
    /// ```swift
    /// client.cancel(Search.self)
    /// client.enqueue(Search(text: text)).then { (results: [Note]) in show(results) }
    /// ```
    public func cancel<Target: Endpoint>(_ type: Target.Type) {
        cancelAll { $0 is Target }
    }

    /// Cancels those of ``requestsInFlight`` whose endpoint is as described.
    ///
    /// As by ``cancelAll()``, and by tag or type, what a refresh has enqueued goes on.
    public func cancelAll(where isConcerned: (any Endpoint) throws -> Bool) rethrows {
        RequestInFlight.cancel(
            try requestsInFlight.filter { try !$0.isOfRefresh && isConcerned($0.endpoint) })
    }
}

extension RequestInFlight {
    /// Cancels all of them together.
    static func cancel(_ requests: [RequestInFlight]) {
        var queues: [ObjectIdentifier: RequestQueue] = [:]
        for case let queue? in requests.map(\.queue) { queues[ObjectIdentifier(queue)] = queue }
        // What is cancelled makes no room for what is next.
        for queue in queues.values { queue.pause() }
        for request in requests { request.cancel() }
        for queue in queues.values { queue.resume() }
    }
}
