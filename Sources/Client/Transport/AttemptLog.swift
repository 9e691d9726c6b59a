import HTTPTypes
import LarderPromises

/// What exchanges of one attempt at a request may have done, as far as they tell.
final class AttemptLog: Sendable {
    typealias Outcome = Result<TransportResponse, any Error>

    private struct State {
        /// The number of exchanges by which a server may have acted on the request.
        var openCount = 0
        var unknown: Outcome?
    }

    private let state = Guarded(State())
    /// That of the attempt which this one is a part of.
    private let outer: AttemptLog?

    init(within outer: AttemptLog?) { self.outer = outer }

    /// Whether a server may have acted on the request.
    var mayBeDone: Bool { state.withLock { $0.openCount > 0 } }

    /// The outcome of a part of it that may have been acted on, where it has another one.
    var unknown: Outcome? { state.withLock(\.unknown) }

    /// Keeps the outcome of a part of it that may have been acted on, as it has another one; nil once it is done.
    func keep(_ unknown: Outcome?) {
        state.withLock { $0.unknown = unknown }
        outer?.keep(unknown)
    }

    /// Notes that the request is handed to an exchange.
    func begin() {
        state.withLock { $0.openCount += 1 }
        outer?.begin()
    }

    /// Notes how an exchange has ended.
    ///
    /// - Parameter method: That of the request which it was to send.
    func end(_ result: Outcome, of method: HTTPRequest.Method) {
        if Self.didNothing(result, of: method) { withdraw() }
    }

    /// Notes that the request was not sent, or was refused.
    func withdraw() {
        state.withLock { $0.openCount -= 1 }
        outer?.withdraw()
    }

    /// Whether the server has refused the request, or never had it.
    private static func didNothing(_ result: Outcome, of method: HTTPRequest.Method) -> Bool {
        switch result {
        case .success(let response):
            // Behind some redirects, it is the answer to another request.
            let isOwn =
                response.redirects.isEmpty || response.sent?.request.head.method == method
            let code = response.head.status.code
            return isOwn && (400..<500 ~= code || code == 503)
        // In another error, it is of one behind a redirect.
        case .failure(let error as TransportError):
            let unsent: Set<TransportError.Reason> = [
                .cannotFindHost, .cannotConnect, .invalidRequest, .offline, .proxyFailed,
                .secureConnectionFailed, .clientCertificateRefused,
            ]
            return error.isUnsent || unsent.contains(error.reason)
        case .failure: return false
        }
    }
}
