import LarderPromises
import Testing

struct BackoffTests {
    private func waits(_ backoff: Backoff) -> [Duration] {
        (1...5).map(backoff.duration(after:))
    }

    @Test func `none and constant`() {
        #expect(waits(.none) == Array(repeating: .zero, count: 5))
        #expect(waits(.constant(.seconds(2))) == Array(repeating: .seconds(2), count: 5))
    }

    @Test func `exponential grows up to its limit`() {
        let backoff = Backoff.exponential(from: .seconds(1), upTo: .seconds(5), jitter: 0)
        #expect(
            waits(backoff) == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)])
        #expect(backoff.duration(after: .max) == .seconds(5))
    }

    @Test func `jitter takes off its share`() {
        let least = Backoff.exponential(from: .seconds(4), jitter: 0.5, chance: { 1 })
        let most = Backoff.exponential(from: .seconds(4), jitter: 0.5, chance: { 0 })
        #expect(least.duration(after: 1) == .seconds(2))
        #expect(most.duration(after: 1) == .seconds(4))
        let random = Backoff.exponential(from: .seconds(4)).duration(after: 1)
        #expect(random > .seconds(2) - .nanoseconds(1) && random <= .seconds(4))
    }

    @Test(arguments: [(-1.0, 4), (.nan, 4), (1.5, 0), (.infinity, 0)])
    func `a share that is none is the nearest one`(jitter: Double, seconds: Int) {
        let backoff = Backoff.exponential(from: .seconds(4), jitter: jitter, chance: { 1 })
        #expect(backoff.duration(after: 1) == .seconds(seconds))
    }

    @Test func `any function of the failures`() {
        #expect(Backoff { .seconds($0) }.duration(after: 3) == .seconds(3))
    }

    @Test(arguments: [1e300, .infinity, .nan])
    func `a factor that leads beyond all durations leads to the limit`(factor: Double) {
        let backoff = Backoff.exponential(
            from: .seconds(1), factor: factor, upTo: .seconds(1 << 62), jitter: 0)
        #expect(backoff.duration(after: 1) == .seconds(1))
        #expect(backoff.duration(after: 2) == .seconds(1 << 62))
    }

    @Test(arguments: [Int64.min, -1])
    func `a limit or a first wait below zero is none`(seconds: Int64) {
        let below = Duration.seconds(seconds)
        #expect(waits(.exponential(from: .seconds(1), upTo: below)).allSatisfy { $0 == .zero })
        #expect(waits(.exponential(from: below, jitter: 0)).allSatisfy { $0 == .zero })
    }
}
