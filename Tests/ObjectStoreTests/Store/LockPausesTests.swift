import Testing

@testable import LarderObjectStore

struct LockPausesTests {
    private static let millisecond: UInt64 = 1_000_000

    /// Makes transactions one after the other; returns when each had to wait for a pause, in
    /// milliseconds.
    private static func pauses(lasting: Int, apart: UInt64, until end: Int) -> [Int] {
        var pauses = LockPauses()
        // As the clock of a system that has run for a while.
        let start = 1_000_000 * millisecond
        var time = start
        var due: [Int] = []
        while time - start < UInt64(end) * millisecond {
            if pauses.isDue(at: time) { due.append(Int((time - start) / millisecond)) }
            time += UInt64(lasting) * millisecond
            pauses.noteEnd(at: time)
            time += apart
        }
        return due
    }

    @Test func `who makes one transaction after the other makes a pause now and then`() {
        #expect(Self.pauses(lasting: 1, apart: 0, until: 700) == [201, 402, 603])
        #expect(Self.pauses(lasting: 50, apart: 0, until: 700) == [250, 500])
        #expect(Self.pauses(lasting: 300, apart: 100_000, until: 1_000) == [300, 600, 900])
    }

    @Test func `who leaves time between transactions makes none`() {
        #expect(Self.pauses(lasting: 1, apart: 2 * Self.millisecond, until: 2_000) == [])
        #expect(Self.pauses(lasting: 300, apart: 2 * Self.millisecond, until: 2_000) == [])
    }

    @Test func `a pause is longer than the time between two looks for the lock`() {
        #expect(LockPauses.length > LockWait.interval)
    }
}
