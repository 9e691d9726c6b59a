#if canImport(Darwin)
public import Foundation
import HTTPTypes
import LarderPromises

/// The transport over URLSession, for Apple's systems.
///
/// The session is ephemeral: it keeps no cookies, credentials or cache, and every redirect comes back
/// as the response that it is. Contents in the codings that the system knows are decoded by it, so
/// that ``TransportLimits/maximumCompressionRatio`` is not enforced; ``TransportLimits/maximumBodySize`` is. Fields of
/// one name arrive as one, joined by commas, except for `Set-Cookie`. A GET with content is refused,
/// as the system sends none.
public final class URLSessionTransport: Transport {
    private let session: URLSession
    private let exchanges = URLSessionExchanges()

    /// Creates a transport, which opens nothing before its first exchange.
    ///
    /// Of `configuration` the proxy, TLS and network settings count; storage of any kind is
    /// switched off.
    public init(configuration: URLSessionConfiguration = .ephemeral) {
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit {
        // Exchanges under way still end as they would; the session then lets its delegate go.
        session.finishTasksAndInvalidate()
    }

    /// Starts an exchange; `completion` runs on the session's queue.
    @discardableResult
    public func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) -> any TransportTask {
        let exchange = URLSessionExchange(request, completion: completion)
        do throws(TransportError) {
            let task = session.dataTask(with: try Self.urlRequest(for: request))
            exchanges.add(exchange, for: task)
            exchange.start(task)
        } catch {
            exchange.end(.failure(error))
        }
        return exchange
    }

    private static func urlRequest(
        for request: TransportRequest
    ) throws(TransportError) -> URLRequest {
        try request.validate()
        guard let url = URL(string: request.urlText) else {
            throw .invalidRequest("The URL cannot be read.")
        }
        guard request.head.method != .get || request.body == nil else {
            throw .invalidRequest("URLSession sends no content with GET.")
        }
        var result = URLRequest(url: url)
        // The system's own bound is on silence; it must not come before the exchange's.
        let timeout = request.timeout ?? .seconds(60)
        let silence = request.idleTimeout ?? timeout + .seconds(1)
        result.timeoutInterval = Double(max(silence.wholeMilliseconds, 1)) / 1000
        result.httpMethod = request.head.method.rawValue
        result.httpBody = request.body
        result.httpShouldHandleCookies = false
        for field in request.head.headerFields
        where field.name != .contentLength && field.name != .transferEncoding
            && field.name != .expect
        {
            result.addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        return result
    }
}

/// The transport that clients use unless they are given another.
typealias PlatformTransport = URLSessionTransport
#endif
