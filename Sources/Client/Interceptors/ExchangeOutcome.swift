import HTTPTypes
import LarderPromises

/// What has come of a request that an interceptor has sent on its way: a response, or why there is none.
enum ExchangeOutcome: Sendable {
    case response(TransportResponse)
    case failure(any Error)

    init(_ result: Result<TransportResponse, any Error>) {
        switch result {
        case .success(let response): self = .response(response)
        case .failure(let error): self = .failure(error)
        }
    }

    var result: Result<TransportResponse, any Error> {
        switch self {
        case .response(let response): .success(response)
        case .failure(let error): .failure(error)
        }
    }

    /// The promise that has this outcome.
    var promise: Promise<TransportResponse> {
        switch self {
        case .response(let response): .fulfilled(response)
        case .failure(let error): .rejected(error)
        }
    }

    /// What is handed over of it behind an attempt of which nobody knows what it has done: that one's outcome, where
    /// this one's says no more than that its own did nothing.
    ///
    /// - Parameter attempt: What is known of this one.
    func final(after unknown: ExchangeOutcome?, _ attempt: AttemptLog) -> ExchangeOutcome {
        guard let unknown else { return self }
        if isOfItselfOnly { return unknown }
        // That it never left says nothing of the one before, nor does what was to come first.
        guard case .failure(let failure) = self, !attempt.mayBeDone else { return self }
        let outer = failure as? ClientError
        // Nor does it that one like it was on its way.
        if outer?.reason == .duplicate { return unknown }
        guard outer?.status == nil,
            let error = outer?.underlying as? TransportError ?? failure as? TransportError,
            error.reason != .cancelled
        else { return self }
        return unknown
    }

    /// Has whoever sends the request again know of an attempt of which nobody knows what it has done, unless this
    /// one did it.
    func pass(_ unknown: ExchangeOutcome?, to outer: AttemptLog?) {
        guard let unknown else { return }
        let isDone = code.map((200..<300).contains) ?? false
        outer?.keep(isDone ? nil : unknown.result)
    }

    /// What is known of an attempt at a write before, which interceptors that sent it have given up.
    static func unknown(of request: TransportRequest) -> ExchangeOutcome? {
        request.isWrite ? request.attempt?.unknown.map { ExchangeOutcome($0) } : nil
    }

    /// Whether the server says that a condition was not met, or that it can't now, whatever it has done before.
    var isOfItselfOnly: Bool { code.map([408, 412, 425, 429, 503].contains) ?? false }

    private var code: Int? {
        switch self {
        case .response(let response): response.head.status.code
        case .failure(let error): (error as? ClientError)?.status?.code
        }
    }

    /// The promise of the outcome of another one, whichever it is; a cancellation stays one.
    static func of(_ promise: Promise<TransportResponse>) -> Promise<ExchangeOutcome> {
        promise.then(on: .immediate) { ExchangeOutcome.response($0) }
            .recover(on: .immediate) { ExchangeOutcome.failure($0) }
    }
}
