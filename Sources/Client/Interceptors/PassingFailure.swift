/// The failure of an exchange on its way, for a reason that may pass.
struct PassingFailure: Sendable {
    /// Whether nothing can have reached a server that has acted on it.
    let isUnsent: Bool

    /// Nil where the failure is another one.
    init?(_ failure: any Error) {
        let outer = failure as? ClientError
        guard outer?.status == nil,
            let error = outer?.underlying as? TransportError ?? failure as? TransportError
        else { return nil }
        // In another error, it is of another request, or of one behind a redirect.
        let isOwn = failure is TransportError
        switch error.reason {
        case .cannotFindHost, .cannotConnect: isUnsent = isOwn
        case .timedOut, .connectionLost: isUnsent = isOwn && error.isUnsent
        case .truncatedBody: isUnsent = false
        default: return nil
        }
    }
}
