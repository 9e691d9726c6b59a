extension Clock<Duration> {
    /// Sleeps for a time, by a clock of the system in pieces of ten seconds.
    ///
    /// Who is cancelled wakes at once, but the runtime keeps the wake-up of that piece, some 800 bytes, until it is due:
    /// of a wait of days, which most requests never need, that would be as good as a leak.
    package func rest(for duration: Duration) async throws {
        guard self is ContinuousClock || self is SuspendingClock else {
            return try await sleep(for: duration.sleepable)
        }
        try await rest(for: duration, inPiecesOf: .seconds(10))
    }

    /// Sleeps for a time, in pieces of one that are one behind the other.
    func rest(for duration: Duration, inPiecesOf piece: Duration) async throws {
        var now = now
        let deadline = now.advanced(by: duration.sleepable)
        while now.duration(to: deadline) > piece {
            try await sleep(until: now.advanced(by: piece), tolerance: nil)
            now = self.now
        }
        try await sleep(until: deadline, tolerance: nil)
    }
}
