/// Rewrites a response before it is read: unwraps an envelope, repairs a content type.
///
/// Those of up to 64 responses of a client are at work at once; a slow one holds up its own response alone,
/// which no timeout ends any more. Where 64 are slow, the responses behind them wait for their turn, for
/// ever if it is them that those 64 wait for.
public struct ResponseProcessor: Sendable {
    private let rewrite: @Sendable (TransportResponse, TransportRequest) throws -> TransportResponse

    /// Creates a processor; what `rewrite` throws becomes part of a ``ClientError`` with status and
    /// content, of the reason ``ClientError/Reason/unprocessed``.
    ///
    /// The request is the one that was sent, as interceptors have left it.
    public init(
        _ rewrite:
            @escaping @Sendable (TransportResponse, TransportRequest) throws ->
            TransportResponse
    ) {
        self.rewrite = rewrite
    }

    func process(
        _ response: TransportResponse, to request: TransportRequest
    ) throws -> TransportResponse {
        try rewrite(response, request)
    }
}
