import LarderPromises
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ManualClockTests {
    private let clock = ManualClock()

    @Test func `stands still until it is moved`() {
        #expect(clock.now == ManualClock.Instant())
        clock.advance(by: .seconds(3))
        #expect(clock.now.offset == .seconds(3))
        #expect(clock.now.duration(to: clock.now.advanced(by: .seconds(1))) == .seconds(1))
        #expect(clock.minimumResolution == .zero)
    }

    @Test func `wakes whoever has slept long enough`() async throws {
        let log = Log<Int>()
        let tasks = [2, 1, 3].map { seconds in
            Task { [clock] in
                try await clock.sleep(for: .seconds(seconds))
                log.add(seconds)
            }
        }
        await clock.sleepers(atLeast: 3)
        #expect(clock.advance(by: .seconds(1)) == 1)
        try await tasks[1].value
        #expect(log.entries == [1] && clock.sleeperCount == 2)
        #expect(clock.advance(by: .seconds(5)) == 2)
        for task in tasks { try await task.value }
        #expect(log.count == 3 && clock.sleeperCount == 0)
    }

    @Test func `does not sleep for what is past`() async throws {
        try await clock.sleep(for: .zero)
        clock.advance(by: .seconds(1))
        try await clock.sleep(until: .init(offset: .seconds(1)))
        #expect(clock.sleeperCount == 0)
    }

    @Test func `who is cancelled beforehand sleeps for no moment`() async {
        let sleeping = Promise { [clock] in await clock.sleepers(atLeast: 1) }
        for _ in 0..<1000 { await Task.yield() }
        let task = Task { [clock] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        for _ in 0..<1000 { await Task.yield() }
        #expect(sleeping.isPending && clock.sleeperCount == 0)
        sleeping.cancel()
    }

    @Test func `a cancelled sleeper throws`() async {
        let task = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
        await clock.sleepers(atLeast: 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }
}
