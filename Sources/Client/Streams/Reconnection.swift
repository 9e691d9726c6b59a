public import Foundation
public import LarderPromises

/// The rules by which a stream of events is asked for again after its connection has ended.
///
/// Whoever gives rules means them, be the request a POST, which does again what it has done.
public struct Reconnection: Sendable {
    /// The time to wait until the server sets another; 3 seconds unless set.
    public var time: Duration

    /// The waits after attempts in a row that brought no event, where they are longer.
    public var backoff: Backoff

    /// The most attempts in a row that bring no event, behind which the stream ends as the last of them; any number
    /// unless set, and none where it is 0: the stream ends with its first connection.
    public var attempts: Int

    /// Whether they are of requests, too, that must not be sent twice.
    private(set) var isOfAnyRequest = true
    let date: @Sendable () -> Date
    let delay: @Sendable (Duration) -> Promise<Void>

    /// The shortest wait, whatever the server sets, so that one that hangs up is not asked on and on.
    static let shortestTime = Duration.milliseconds(100)

    /// Creates rules.
    ///
    /// - Parameters:
    ///   - time: The time to wait until the server sets another.
    ///   - backoff: The waits after attempts in a row that brought no event, where they are longer; unless given
    ///     between one and a half and 3 seconds, then twice that, and so on up to a minute.
    ///   - attempts: The most attempts in a row that bring no event.
    ///   - clock: The clock that is waited by.
    ///   - date: The time of day, which a date in `Retry-After` is compared with.
    public init(
        time: Duration = .seconds(3),
        backoff: Backoff = .exponential(from: .seconds(3), upTo: .seconds(60), jitter: 0.5),
        attempts: Int = .max,
        clock: some Clock<Duration> = ContinuousClock(),
        date: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.date = date
        (self.time, self.backoff, self.attempts) = (time, backoff, attempts)
        delay = { .delay(for: $0, clock: clock) }
    }

    /// The usual rules for requests that may be sent again; none for others, such as a POST, also where the
    /// numbers are changed.
    public static let automatic: Reconnection = {
        var reconnection = Reconnection()
        reconnection.isOfAnyRequest = false
        return reconnection
    }()

    /// None: the stream ends with its connection.
    public static let none = Reconnection(attempts: 0)
}
