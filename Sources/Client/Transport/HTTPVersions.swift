#if !canImport(Darwin)
/// The versions of HTTP that are spoken with a host.
public enum HTTPVersions: Sendable, Hashable {
    /// HTTP/1.1 alone.
    case upTo1

    /// HTTP/2 where the host offers it over https, for requests without content; HTTP/1.1 otherwise.
    case upTo2

    /// HTTP/2 from the first byte on over http, for all requests, which the host has to speak; over https, and
    /// through a proxy that makes no tunnel, as ``upTo2``.
    ///
    /// Such a host has to read the content of requests to its end, or to reset the stream: libcurl waits until the
    /// timeout for one that has answered and does neither, and may fail with one that resets the stream.
    /// Below 8.14 it also goes on receiving a stream that nobody reads, up to 32 MB, as others of the connection need it.
    case priorKnowledge
}
#endif
