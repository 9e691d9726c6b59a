/// A clock's time since a moment.
struct Stopwatch: Sendable {
    private let time: @Sendable () -> Duration

    /// Starts with the time at which it is created.
    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        time = { start.duration(to: clock.now) }
    }

    /// The time since then.
    var elapsed: Duration { time() }
}
