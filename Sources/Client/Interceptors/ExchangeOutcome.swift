import HTTPTypes
import LarderPromises

/// What has come of a request that an interceptor has sent on its way: a response, or why there is none.
enum ExchangeOutcome: Sendable {
    case response(TransportResponse)
    case failure(any Error)

    /// The promise that has this outcome.
    var promise: Promise<TransportResponse> {
        switch self {
        case .response(let response): .fulfilled(response)
        case .failure(let error): .rejected(error)
        }
    }

    /// Whether a condition was not met.
    var isOfCondition: Bool {
        switch self {
        case .response(let response): response.head.status.code == 412
        case .failure(let error): (error as? ClientError)?.status?.code == 412
        }
    }

    /// The promise of the outcome of another one, whichever it is; a cancellation stays one.
    static func of(_ promise: Promise<TransportResponse>) -> Promise<ExchangeOutcome> {
        promise.then(on: .immediate) { ExchangeOutcome.response($0) }
            .recover(on: .immediate) { ExchangeOutcome.failure($0) }
    }
}
