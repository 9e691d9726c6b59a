/// The failure of an exchange on its way, for a reason that may pass.
struct PassingFailure: Sendable {
    /// Whether nothing can have reached a server that has acted on it.
    let isUnsent: Bool

    /// Nil where the failure is another one.
    ///
    /// - Parameter log: What the attempt that it has ended may have done.
    init?(_ failure: any Error, of log: AttemptLog) {
        let outer = failure as? ClientError
        guard outer?.status == nil,
            let error = outer?.underlying as? TransportError ?? failure as? TransportError
        else { return nil }
        // In another error, it is of another request, or of one behind a redirect.
        let isOwn = failure is TransportError
        // What waited for a credential was not sent, or refused.
        let isOfRefresh = outer?.isOfRefresh == true
        // Of what was sent before, as by another interceptor, the error says nothing.
        let isDone = log.mayBeDone
        switch error.reason {
        case .cannotFindHost, .cannotConnect: isUnsent = !isDone && (isOwn || isOfRefresh)
        case .timedOut, .connectionLost, .truncatedBody:
            isUnsent = !isDone && (isOwn && error.isUnsent || isOfRefresh)
        default: return nil
        }
    }
}
