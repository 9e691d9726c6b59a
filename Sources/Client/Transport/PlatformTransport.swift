#if canImport(Darwin) || LARDER_URLSESSION
/// The transport that clients use unless they are given another.
typealias PlatformTransport = URLSessionTransport
#else
/// The transport that clients use unless they are given another.
typealias PlatformTransport = CurlTransport
#endif
