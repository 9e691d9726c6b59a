import LarderPromises

extension AuthorizationInterceptor {
    /// A request on its way, without the credential.
    struct Attempt: Sendable {
        let request: TransportRequest
        let stopwatch: Stopwatch
        let next: Next
        /// The time that it waited for the transport to begin, which does not count.
        var wait = Duration.zero

        /// What is left of the request's time.
        var timeLeft: Duration {
            let elapsed = stopwatch.elapsed - wait
            return max((request.timeout ?? .seconds(60)) - elapsed, .milliseconds(1))
        }

        /// The time that it waits for a credential at most: where something is to move from time to time, nothing does.
        var patience: Duration {
            let timeLeft = timeLeft
            return max(min(timeLeft, request.idleTimeout ?? timeLeft), .milliseconds(1))
        }

        /// The same, once an exchange has ended that was begun after a time.
        func after(_ outcome: ExchangeOutcome, begun start: Duration) -> Attempt {
            guard case .response(let response) = outcome, let time = response.totalTime else {
                return self
            }
            var attempt = self
            attempt.wait += max(stopwatch.elapsed - start - time, .zero)
            return attempt
        }

        func authorized(by credential: Credential?) throws(TransportError) -> TransportRequest {
            var authorized = request
            try credential?.authorize(&authorized)
            return authorized
        }
    }

    /// The error of a refresh, of which those who wait for it are to know that it is not their own.
    static func ofRefresh(_ error: any Error) -> any Error {
        switch error {
        // Nobody has cancelled those that wait for it.
        case is CancellationError:
            return TransportError(.other, "The refresh of the credential was cancelled.")
        case var error as ClientError:
            error.isOfRefresh = true
            return error
        case var error as TransportError:
            // Of the request that waits nothing was sent, or nothing that a server has acted on.
            error.isUnsent = true
            return error
        default: return error
        }
    }
}
