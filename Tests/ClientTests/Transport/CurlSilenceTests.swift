#if !canImport(Darwin)
import LarderPromises
import Testing

@testable import LarderClient

/// The time for which nothing moves, by a clock that stands still.
@Suite struct CurlSilenceTests {
    private final class Time: Sendable {
        private let state = Guarded(SuspendingClock.now)

        var now: SuspendingClock.Instant { state.withLock(\.self) }

        func pass(_ time: Duration) {
            state.withLock { $0 = $0.advanced(by: time) }
        }
    }

    @Test func `it is reached where nothing moves, and not before`() {
        let time = Time()
        var silence = CurlSilence(within: .milliseconds(1500)) { time.now }
        #expect(silence.isBounded)
        time.pass(.milliseconds(1999))
        #expect(silence.reached(moved: 0) == nil)
        time.pass(.milliseconds(1))
        #expect(silence.reached(moved: 0) == .seconds(2))
    }

    @Test func `a byte ends it, and so does what is heard otherwise`() {
        let time = Time()
        var silence = CurlSilence(within: .seconds(2)) { time.now }
        for count in 1...5 {
            time.pass(.milliseconds(1999))
            #expect(silence.reached(moved: Int64(count)) == nil)
        }
        time.pass(.milliseconds(1999))
        silence.end()
        time.pass(.milliseconds(1999))
        #expect(silence.reached(moved: 5) == nil)
        time.pass(.milliseconds(1))
        #expect(silence.reached(moved: 5) == .seconds(2))
    }

    @Test func `a pause does not count`() {
        let time = Time()
        var silence = CurlSilence(within: .seconds(2)) { time.now }
        silence.pause()
        time.pass(.seconds(100))
        #expect(silence.reached(moved: 0) == nil)
        silence.resume()
        #expect(silence.reached(moved: 0) == nil)
        time.pass(.seconds(2))
        #expect(silence.reached(moved: 0) == .seconds(2))
    }

    @Test func `without a bound it lasts`() {
        let time = Time()
        var silence = CurlSilence { time.now }
        time.pass(.seconds(1_000_000))
        #expect(silence.reached(moved: 0) == nil && !silence.isBounded)
    }
}
#endif
