import Dispatch
import Testing

@testable import LarderPromises

struct GuardedTests {
    @Test func `many threads count without losing one`() {
        let box = Box()
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1_000 { box.count.withLock { $0 += 1 } }
        }
        #expect(box.count.withLock { $0 } == 8_000)
    }

    @Test func `an error leaves it unlocked`() {
        let box = Box()
        #expect(throws: Sample.first) { try box.count.withLock { _ in throw Sample.first } }
        #expect(box.count.withLock { $0 } == 0)
    }

    private final class Box: Sendable {
        let count = Guarded(0)
    }
}

@Suite struct DurationTests {
    @Test(arguments: [
        (Duration.zero, 0), (.seconds(-1), 0), (.nanoseconds(1), 1), (.milliseconds(1), 1),
        (.milliseconds(1001), 1001), (.microseconds(1001), 2), (.seconds(60), 60_000),
        (.seconds(1_999_999), 1_999_999_000), (.seconds(2_000_000), 2_000_000_000),
        (.seconds(Int64.max / 4), 2_000_000_000),
    ])
    func `milliseconds are rounded up and bounded`(_ duration: Duration, _ milliseconds: Int) {
        #expect(duration.wholeMilliseconds == milliseconds)
    }

    @Test func `clocks sleep a hundred years at most, and nothing at least`() {
        #expect(Duration.seconds(3).sleepable == .seconds(3))
        #expect(Duration.seconds(-1).sleepable == .zero)
        #expect(Duration.seconds(Int64.min).sleepable == .zero)
        #expect(Duration.seconds(Int64.max).sleepable == .seconds(3_155_760_000))
    }
}
