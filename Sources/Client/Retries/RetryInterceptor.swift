public import Foundation
import HTTPTypes
public import LarderPromises

/// An interceptor that sends a request again where it has failed for a reason that may pass.
///
/// ```swift
/// configuration.interceptors = [RetryInterceptor(attempts: 4)]
/// ```
///
/// Sent again are requests that do the same twice as once (RFC 9110, section 9.2.2: GET, HEAD, PUT, DELETE,
/// OPTIONS, TRACE), those that bear an `Idempotency-Key`, and any that no connection could be made for, whose time
/// ran out before they were sent, or whose credential could not be refreshed, after a status of ``statuses`` or where the exchange failed on its way: timed
/// out, without connection, cut off. What the server asks for with `Retry-After` comes before ``backoff``. What a
/// ``ResponseCache`` says is final; behind the first attempt it answers by none of these statuses.
///
/// Where a write is refused with 412 after an attempt whose outcome nobody knows, that outcome is handed over: what
/// the condition has met may be the write itself.
///
/// All attempts and waits have one time, ``deadline``, or an endpoint's own timeout where that is longer. Where what is to be waited for is longer than what is
/// left, the response or the error is handed over at once, as it is after the last attempt. The waits of an
/// ``OfflineInterceptor`` inside of it are among them.
///
/// Of requests with an idle timeout, such as downloads, the waits alone have that time: an attempt may last as
/// long as something moves.
///
/// It sees statuses whatever the validators of the client accept; of a ``Validator`` behind it among the
/// interceptors it sees the error, with the same outcome. Where there are several, at the endpoint and at the
/// client, the outermost alone retries.
public struct RetryInterceptor: Interceptor {
    /// The most attempts, the first included.
    public var attempts: Int

    /// The statuses after which a request is sent again.
    public var statuses: StatusCodes

    /// The waits between the attempts.
    public var backoff: Backoff

    /// The time that all attempts and waits may take, unless an endpoint's timeout is longer.
    public var deadline: Duration

    /// Whether requests that do more twice than once are given an `Idempotency-Key`, a UUID that is the same
    /// for all attempts, where they bear none; for servers that know the field.
    public var addsIdempotencyKeys: Bool

    private let budget: RetryBudget
    private let date: @Sendable () -> Date
    /// Starts a stopwatch.
    private let stopwatch: @Sendable () -> Stopwatch
    private let delay: @Sendable (Duration) -> Promise<Void>

    /// The statuses of servers that can't answer now: 408, 425, 429, 502, 503 and 504.
    public static let passingStatuses: StatusCodes = [408, 425, 429, 502, 503, 504]

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - attempts: The most attempts, the first included.
    ///   - statuses: The statuses after which a request is sent again.
    ///   - backoff: The waits between the attempts; unless given half a second at most, then one, and so on
    ///     up to 20, all of it left to chance.
    ///   - deadline: The time that all attempts and waits may take, unless an endpoint's timeout is longer.
    ///   - addsIdempotencyKeys: Whether requests that do more twice than once are given a key.
    ///   - budget: The bound on retries for each origin, which several interceptors may share.
    ///   - clock: The clock that is waited by.
    ///   - date: The time of day, which a date in `Retry-After` is compared with.
    public init(
        attempts: Int = 3,
        statuses: StatusCodes = passingStatuses,
        backoff: Backoff = .exponential(
            from: .milliseconds(500), upTo: .seconds(20), jitter: 1),
        deadline: Duration = .seconds(60),
        addsIdempotencyKeys: Bool = false,
        budget: RetryBudget = RetryBudget(),
        clock: some Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.attempts = attempts
        self.statuses = statuses
        self.backoff = backoff
        self.deadline = deadline
        self.addsIdempotencyKeys = addsIdempotencyKeys
        self.budget = budget
        self.date = date
        stopwatch = { Stopwatch(clock) }
        delay = { .delay(for: $0, clock: clock) }
    }

    /// Sends the request until there is an answer.
    public func intercept(
        _ request: TransportRequest, for endpoint: any Endpoint, next: @escaping Next
    ) -> Promise<TransportResponse> {
        guard !request.isRetried else { return next(request) }
        var request = request
        let stopwatch = stopwatch()
        // Whoever gives an endpoint more means its first attempt, too.
        let deadline = max(deadline, endpoint.allowedTime ?? .zero)
        let time = RetryTime(deadline, of: request) { stopwatch.elapsed }
        (request.isRetried, request.retryTime) = (true, time)
        if addsIdempotencyKeys, !request.mayBeSentAgain, let name = HTTPField.Name.idempotencyKey {
            let key = HTTPField(name: name, value: UUID().uuidString)
            request.head.headerFields.append(key)
            request.addedKey = key
        }
        return Attempts(request: request, rules: self, time: time, next: next)
            .attempt(1, after: .unknown(of: request))
    }

    /// The attempts of one request.
    private struct Attempts: Sendable {
        let request: TransportRequest
        let rules: RetryInterceptor
        let time: RetryTime
        let next: Next

        /// - Parameter unknown: The outcome of an attempt before that may have been acted on.
        func attempt(
            _ number: Int, after unknown: ExchangeOutcome?
        ) -> Promise<TransportResponse> {
            let log = AttemptLog(within: request.attempt)
            var request = request
            time.bound(&request)
            request.attempt = log
            // A server may let its failures be kept, the one included after which it is sent again.
            if number > 1 { request.refusedStatuses = rules.statuses }
            return ExchangeOutcome.of(next(request))
                .then { outcome in after(outcome, of: number, log, unknown) }
        }

        private func after(
            _ outcome: ExchangeOutcome, of number: Int, _ log: AttemptLog,
            _ unknown: ExchangeOutcome?
        ) -> Promise<TransportResponse> {
            // Of those who have tried inside of it, too.
            let inner = log.unknown.map { ExchangeOutcome($0) }
            let unknown = inner ?? unknown
            outcome.pass(unknown, to: request.attempt)
            let final = outcome.final(after: unknown, log)
            guard let reason = RetryReason(outcome, of: log, rules: rules) else {
                // What a cache has says nothing of the server.
                if case .response(let response) = outcome, response.isOfNow {
                    rules.budget.refund(to: request.origin)
                }
                return final.promise
            }
            let wait = reason.wait ?? rules.backoff.duration(after: number)
            guard number < rules.attempts, request.mayBeSentAgain || reason.isUnsent,
                wait < time.left, rules.budget.take(from: request.origin)
            else { return final.promise }
            let last = log.mayBeDone && inner == nil ? outcome : unknown
            guard wait > .zero else { return attempt(number + 1, after: last) }
            return rules.delay(wait).then {
                time.add(wait)
                return attempt(number + 1, after: last)
            }
        }
    }

    /// The reason for another attempt.
    private struct RetryReason {
        /// Whether nothing can have reached the server.
        var isUnsent = false
        /// The time that the server asks for.
        var wait: Duration?

        /// Nil where there is none.
        init?(_ outcome: ExchangeOutcome, of log: AttemptLog, rules: RetryInterceptor) {
            switch outcome {
            case .response(let response):
                let head = response.head
                // What a cache says it would say again.
                guard rules.statuses.contains(head.status.code), response.isOfNow else {
                    return nil
                }
                wait = Self.wait(head.headerFields, rules)
            case .failure(let error as ClientError) where error.status != nil:
                let code = error.status?.code ?? 0
                guard rules.statuses.contains(code), error.source.isOfNow else { return nil }
                wait = Self.wait(error.headerFields ?? [:], rules)
            case .failure(let failure):
                guard let failure = PassingFailure(failure, of: log) else { return nil }
                isUnsent = failure.isUnsent
            }
        }

        private static func wait(_ fields: HTTPFields, _ rules: RetryInterceptor) -> Duration? {
            fields[.retryAfter].flatMap { RetryAfter.duration($0, at: rules.date()) }
        }
    }
}

extension TransportRequest {
    /// Whether it does the same twice as once, by its method or for a server that knows its key.
    var mayBeSentAgain: Bool {
        isIdempotent || HTTPField.Name.idempotencyKey.map(head.headerFields.contains) == true
    }
}

extension HTTPField.Name {
    /// That of draft-ietf-httpapi-idempotency-key-header.
    static let idempotencyKey = HTTPField.Name("Idempotency-Key")
}
