import HTTPTypes

/// Accepts a response, or refuses it by throwing.
///
/// Those of up to 64 responses of a client are at work at once; a slow one holds up its own response alone,
/// which no timeout ends any more. Where 64 are slow, the responses behind them wait for their turn, for
/// ever if it is them that those 64 wait for. Decoding what is not stored, and handlers that run
/// `on: .immediate`, are part of the same turn.
public struct Validator: Sendable {
    private let check: @Sendable (TransportResponse, TransportRequest) throws -> Void

    /// Creates a validator; what `check` throws becomes part of a ``ClientError`` with status and
    /// content, of the reason ``ClientError/Reason/refused``.
    ///
    /// The request is the one that was sent, as interceptors have left it.
    public init(_ check: @escaping @Sendable (TransportResponse, TransportRequest) throws -> Void) {
        self.check = check
    }

    /// Refuses a status outside `codes` with ``ClientError/Reason/unacceptableStatus``.
    public static func status(_ codes: Range<Int>) -> Validator {
        Validator { response, _ in
            guard !codes.contains(response.head.status.code) else { return }
            throw ClientError(.unacceptableStatus)
        }
    }

    func validate(_ response: TransportResponse, to request: TransportRequest) throws {
        try check(response, request)
    }
}
