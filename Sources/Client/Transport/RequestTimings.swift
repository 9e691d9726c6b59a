/// The times that a request's phases took, each by itself; nil where there was no such phase, or it is not known.
///
/// Those between ``queue`` and ``store`` are of its last exchange, behind redirects and retries, and are known once
/// that has a response, from the transports of systems; one that goes over a kept connection looks up, connects and secures
/// nothing. Identical requests that share an exchange have its times.
public struct RequestTimings: Sendable, Hashable {
    /// The time that it waited for its turns in the client's ``RequestQueue``, in its last attempt.
    public var queue: Duration?

    /// The time that it took to find the host's addresses.
    public var nameLookup: Duration?

    /// The time that it took to connect to the host.
    public var connect: Duration?

    /// The time that TLS took to agree on its keys.
    public var secureConnect: Duration?

    /// The time from then on to the first byte of the response: sending the request, and waiting.
    public var firstByte: Duration?

    /// The time of the whole exchange, the phases above included.
    public var transfer: Duration?

    /// The time from its turn among what is stored to the end of its transaction, which others may share.
    public var store: Duration?

    /// Whether the exchange went over a connection that was kept from another one.
    public var isConnectionReused: Bool?

    /// Creates timings of which nothing is known.
    public init() {}
}

extension RequestTimings {
    /// The same, with the times of an exchange in the place of those that there are.
    func ofExchange(_ exchange: RequestTimings) -> RequestTimings {
        var timings = exchange
        (timings.queue, timings.store) = (queue, store)
        return timings
    }
}
