public import LarderObjectStore

/// Rewrites a response before it is read: unwraps an envelope, repairs a content type.
///
/// Those of up to 64 responses of a client are at work at once, and no timeout ends one any more. Responses are
/// stored in the order in which they came: those behind a slow one wait for it, for up to a second each. Where
/// 64 are slow, the responses behind them wait for their turn, for ever if it is them that those 64 wait for.
/// Streams pass them by, as their content is still to come.
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
    /// One without content is passed on as it is, and so are what is downloaded to a file and what neither is JSON
    /// nor claims to be, such as an image. Where something claims to be JSON and is not, the error's reason is
    /// ``ClientError/Reason/malformedJSON``. What follows gets the document's text, so that several of these read
    /// it several times.
    public static func json(
        _ rewrite:
            @escaping @Sendable (JSONDocument, TransportRequest) throws -> JSONDocument
    ) -> ResponseProcessor {
        ResponseProcessor { response, request in
            guard response.bodyCount > 0, response.content.unwritten != nil else { return response }
            guard let document = try document(of: response) else { return response }
            var response = response
            response.body = try rewrite(document, request).root.source
            return response
        }
    }

    /// Nil where there is none, and none is claimed to be there.
    private static func document(of response: TransportResponse) throws -> JSONDocument? {
        do {
            return try JSONReader().document(from: response)
        } catch let error as JSONError {
            guard response.claimsJSON == true else { return nil }
            throw ClientError(.malformedJSON, underlying: error)
        }
    }

    func process(
        _ response: TransportResponse, to request: TransportRequest
    ) throws -> TransportResponse {
        try rewrite(response, request)
    }
}
