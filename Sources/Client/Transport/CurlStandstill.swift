#if !canImport(Darwin)
import Foundation
import Synchronization

/// Keeps transports' threads out of libcurl once the process exits.
///
/// `exit` lets the TLS library tear itself down on the thread that calls it, while other threads go on;
/// one that is inside that library then reads what has been freed.
enum CurlStandstill {
    private static let isComing = Atomic(false)
    /// The number of threads at work with libcurl.
    private static let workers = Atomic(0)

    /// Asks for the standstill at the end of the process.
    ///
    /// The TLS library has to have been set up before, as what is asked for last is done first.
    static func prepare() {
        // A forked child has their number, and none of them.
        pthread_atfork(nil, nil) {
            CurlStandstill.workers.store(0, ordering: .sequentiallyConsistent)
        }
        atexit { CurlStandstill.begin() }
    }

    /// Does work with libcurl; never returns where the process is about to end.
    static func working(_ work: () -> Void) {
        enter()
        work()
        leave()
    }

    /// Runs a caller's code amid such work, which may take its time, or end the process.
    static func interrupting(_ work: () -> Void) {
        leave()
        work()
        enter()
    }

    /// Either this sees that the end is coming, or `begin` sees this at work: one order of all four.
    private static func enter() {
        workers.add(1, ordering: .sequentiallyConsistent)
        guard isComing.load(ordering: .sequentiallyConsistent) else { return }
        leave()
        while true { pause() }
    }

    private static func leave() {
        workers.subtract(1, ordering: .sequentiallyConsistent)
    }

    /// Waits for the work that is under way, which takes milliseconds on a machine that is not overloaded,
    /// though not for ever: it must not keep the process.
    private static func begin() {
        isComing.store(true, ordering: .sequentiallyConsistent)
        let clock = ContinuousClock()
        let limit = clock.now + .seconds(30)
        while workers.load(ordering: .sequentiallyConsistent) > 0, clock.now < limit {
            usleep(200)
        }
    }
}
#endif
