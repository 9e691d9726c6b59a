public import LarderPromises

/// An interceptor that knows what to do without a network: fail, or wait for one.
///
/// ```swift
/// configuration.interceptors.append(OfflineInterceptor(PathMonitor(), waiting: .seconds(30)))
/// ```
///
/// A request is tried whatever the monitor says. Where it fails on its way and the monitor says that there is no
/// network, it waits for one and is sent again, as often as it takes; so are requests that do the same twice as
/// once (RFC 9110, section 9.2.2), and others where no connection could be made, be it for a credential. Where there is still none
/// after the time to wait, the error is that of the exchange. Where a write is refused with 412 after an attempt whose
/// outcome nobody knows, that outcome is handed over, as a ``RetryInterceptor`` does.
///
/// Inside a ``RetryInterceptor``, which is before it in the list, an attempt has waited already, each as long as is said
/// here, and all together no longer than ``RetryInterceptor/deadline`` allows.
public struct OfflineInterceptor: Interceptor {
    private let monitor: any NetworkMonitor
    private let time: Duration
    private let failsAtOnce: Bool
    private let stopwatch: @Sendable () -> Stopwatch
    private let wait: @Sendable (Promise<Void>, Duration) -> Promise<Void>

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - monitor: What knows whether there is a network.
    ///   - time: The time that a request waits for one in all, and each attempt of a ``RetryInterceptor`` around it; none
    ///     unless given.
    ///   - failsAtOnce: Whether nothing is tried while there is none, nor waited for; the error is
    ///     ``TransportError/Reason/offline``.
    ///   - clock: The clock that is waited by.
    public init(
        _ monitor: any NetworkMonitor, waiting time: Duration = .zero, failsAtOnce: Bool = false,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.monitor = monitor
        self.time = time
        self.failsAtOnce = failsAtOnce
        stopwatch = { Stopwatch(clock) }
        wait = { $0.timeout(after: $1, clock: clock) }
    }

    /// Sends the request, again once there is a network.
    public func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        if failsAtOnce, !monitor.isOnline {
            return .rejected(TransportError(.offline, "There is no network."))
        }
        return attempt(request, waited: .zero, after: .unknown(of: request), next)
    }

    /// - Parameter unknown: The outcome of an attempt before that may have been acted on.
    private func attempt(
        _ request: TransportRequest, waited: Duration, after unknown: ExchangeOutcome?,
        _ next: @escaping Next
    ) -> Promise<TransportResponse> {
        let log = AttemptLog(within: request.attempt)
        var sent = request
        sent.attempt = log
        return ExchangeOutcome.of(next(sent)).then(on: .immediate) { outcome in
            let left = time - waited
            let patience = request.retryTime.map { min(left, $0.left) } ?? left
            // Whoever is to try again knows better what to do with such an answer, and has to know of the other.
            let isPassedOn = request.isRetried && outcome.isOfItselfOnly
            outcome.pass(unknown, to: request.attempt)
            let final = isPassedOn ? outcome : outcome.final(after: unknown, log)
            guard case .failure(let error) = outcome, let failure = PassingFailure(error, of: log),
                failure.isUnsent || request.mayBeSentAgain, !monitor.isOnline, patience > .zero
            else { return final.promise }
            let last = log.mayBeDone ? outcome : unknown
            let stopwatch = stopwatch()
            return wait(monitor.online(), patience)
                .then(on: .immediate) { true }
                .recover(on: .immediate) { _ in false }
                .then(on: .immediate) { isOnline -> Promise<TransportResponse> in
                    let elapsed = stopwatch.elapsed
                    request.retryTime?.add(elapsed)
                    guard isOnline else { return final.promise }
                    var request = request
                    request.retryTime?.bound(&request)
                    return attempt(request, waited: waited + elapsed, after: last, next)
                }
        }
    }
}
