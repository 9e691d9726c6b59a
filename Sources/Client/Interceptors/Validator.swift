import HTTPTypes
public import LarderPromises

/// Accepts a response, or refuses it by throwing.
///
/// Those of a client's configuration come after all interceptors, which so see each response as the server
/// sent it. Among the interceptors, a validator has its say where it stands: those before it get what it
/// refuses as an error, those behind it as a response. A 304 (Not Modified) to the condition on which a client asks
/// by its ``FetchPolicy`` passes all of them, as what it confirms was accepted when it came.
///
/// ```swift
/// configuration.interceptors = [RetryInterceptor(), Validator.status(200..<300)]
/// ```
///
/// Those of up to 64 responses of a client are at work at once; a slow one holds up its own response,
/// which no timeout ends any more, and what is stored behind it for up to a second. Where 64 are slow, the
/// responses behind them wait for their turn, for ever if it is them that those 64 wait for. Decoding what is not
/// stored, and handlers that run `on: .immediate`, are part of the same turn.
public struct Validator: Sendable {
    private let check: @Sendable (TransportResponse, TransportRequest) throws -> Void

    /// Whether it gives way to an endpoint's own statuses.
    private(set) var isOfStatus = false

    /// Creates a validator; what `check` throws becomes part of a ``ClientError`` with status and
    /// content, of the reason ``ClientError/Reason/refused``.
    ///
    /// The request is the one that was sent, as interceptors have left it.
    public init(_ check: @escaping @Sendable (TransportResponse, TransportRequest) throws -> Void) {
        self.check = check
    }

    /// Refuses a status outside `codes` with ``ClientError/Reason/unacceptableStatus``, and 412 with
    /// ``ClientError/Reason/preconditionFailed``.
    ///
    /// In a client's configuration it gives way to an endpoint's ``Endpoint/acceptedStatuses``.
    public static func status(_ codes: Range<Int>) -> Validator {
        status(StatusCodes(codes))
    }

    /// Refuses a status outside `codes` with ``ClientError/Reason/unacceptableStatus``, and 412 with
    /// ``ClientError/Reason/preconditionFailed``.
    ///
    /// In a client's configuration it gives way to an endpoint's ``Endpoint/acceptedStatuses``.
    public static func status(_ codes: StatusCodes) -> Validator {
        var validator = Validator { response, _ in
            let code = response.head.status.code
            guard !codes.contains(code) else { return }
            throw ClientError(code == 412 ? .preconditionFailed : .unacceptableStatus)
        }
        validator.isOfStatus = true
        return validator
    }

    /// Refuses content of another media type than those, such as `application/json` or `image/*`, or of
    /// none, with ``ClientError/Reason/unacceptableContentType``.
    ///
    /// A response without content is accepted.
    public static func contentType(_ types: [String]) -> Validator {
        let ranges = types.map(MediaRange.init)
        return Validator { response, _ in
            guard response.bodyCount > 0 || response.content.stream != nil else { return }
            let type = MediaRange(response.head.headerFields[.contentType] ?? "")
            guard !ranges.contains(where: { $0.contains(type) }) else { return }
            throw ClientError(.unacceptableContentType)
        }
    }

    func validate(_ response: TransportResponse, to request: TransportRequest) throws {
        try check(response, request)
    }
}

extension Validator: Interceptor {
    /// Validates what comes back at this place in the chain, where promises call their handlers, so that a
    /// slow one holds up those.
    public func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        next(request).then { response in
            let request = response.sent?.request ?? request
            guard !response.isConfirmation(of: request) else { return response }
            do {
                try validate(response, to: request)
            } catch {
                throw ClientError.refusal(of: response, error)
            }
            return response
        }
    }
}

extension TransportResponse {
    /// Whether it says that what the client keeps is still good.
    fileprivate func isConfirmation(of request: TransportRequest) -> Bool {
        guard head.status == .notModified, let condition = request.provenance.condition else {
            return false
        }
        return request.bears(condition)
    }
}

extension ClientError {
    /// The error of a validator, with what came back; the client adds what was asked.
    fileprivate static func refusal(
        of response: TransportResponse, _ error: any Error
    ) -> any Error {
        let wrapped = wrapped(error, as: .refused)
        guard let error = wrapped as? ClientError, error.url == nil else { return wrapped }
        return error.completed(by: response)
    }
}
