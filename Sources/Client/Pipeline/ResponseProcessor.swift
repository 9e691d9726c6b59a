public import LarderObjectStore

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

    /// Creates a processor of the JSON that responses are, such as one that takes an envelope away.
    ///
    /// ```swift
    /// .json { document, _ in
    ///     guard let data = document.root.value(at: "data") else { return document }
    ///     return try JSONDocument(data.source)
    /// }
    /// ```
    ///
    /// One without content is passed on as it is, and so is what is downloaded to a file. What follows gets the
    /// document's text, so that several of these read it several times.
    public static func json(
        _ rewrite:
            @escaping @Sendable (JSONDocument, TransportRequest) throws -> JSONDocument
    ) -> ResponseProcessor {
        ResponseProcessor { response, request in
            guard response.bodyCount > 0, response.content.unwritten != nil else { return response }
            var response = response
            let document = try JSONReader().document(from: response)
            response.body = try rewrite(document, request).root.source
            return response
        }
    }

    func process(
        _ response: TransportResponse, to request: TransportRequest
    ) throws -> TransportResponse {
        try rewrite(response, request)
    }
}
