import Testing

@testable import LarderPromises

@Suite struct ClockRestTests {
    private let clock = ManualClock()

    /// So that little is left of a long wait that is cancelled.
    @Test func `a long wait is made of short ones`() async throws {
        let resting = Task { [clock] in
            try await clock.rest(for: .seconds(25), inPiecesOf: .seconds(10))
        }
        for seconds in [10, 10, 5] {
            await clock.sleepers(atLeast: 1)
            #expect(clock.advance(by: .seconds(seconds) - .milliseconds(1)) == 0)
            #expect(clock.advance(by: .milliseconds(1)) == 1)
        }
        try await resting.value
        #expect(clock.now.offset == .seconds(25))
    }

    @Test func `what passes while nobody sleeps counts, too`() async throws {
        let resting = Task { [clock] in
            try await clock.rest(for: .seconds(25), inPiecesOf: .seconds(10))
        }
        await clock.sleepers(atLeast: 1)
        #expect(clock.advance(by: .seconds(60)) == 1)
        try await resting.value
    }

    @Test func `it is cancelled in any of them`() async throws {
        let resting = Task { [clock] in
            try await clock.rest(for: .seconds(25), inPiecesOf: .seconds(10))
        }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(10))
        await clock.sleepers(atLeast: 1)
        resting.cancel()
        await #expect(throws: CancellationError.self) { try await resting.value }
        #expect(clock.sleeperCount == 0)
    }

    /// A test's clock is moved by the whole of it.
    @Test func `another clock than the system's sleeps once`() async throws {
        let resting = Task { [clock] in try await clock.rest(for: .seconds(86_400)) }
        await clock.sleepers(atLeast: 1)
        #expect(clock.advance(by: .seconds(86_400)) == 1)
        try await resting.value
    }

    @Test(arguments: [Duration.zero, .seconds(-1), .milliseconds(1)])
    func `the system's clocks sleep`(_ duration: Duration) async throws {
        let start = ContinuousClock.now
        try await ContinuousClock().rest(for: duration)
        try await SuspendingClock().rest(for: duration)
        #expect(ContinuousClock.now - start >= duration + duration)
    }
}
