#if !canImport(Darwin)
internal import CLarderCurl
import Foundation
import Synchronization

/// Keeps transports' threads out of libcurl once the process exits.
///
/// `exit` lets the TLS library tear itself down on the thread that calls it, while other threads go on;
/// one that is inside that library then reads what has been freed.
enum CurlStandstill {
    private static let isComing = Atomic(false)

    /// Made once and never freed; what is done with it is safe from any thread.
    nonisolated(unsafe) private static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        pthread_rwlock_init(lock, nil)
        return lock
    }()

    /// Asks for the standstill at the end of the process.
    ///
    /// The TLS library has to have been set up before, as what is asked for last is done first.
    static func prepare() {
        _ = lock
        atexit { CurlStandstill.begin() }
    }

    /// Does work with libcurl; never returns where the process is about to end.
    static func working(_ work: () -> Void) {
        enter()
        work()
        pthread_rwlock_unlock(lock)
    }

    /// Runs a caller's code amid such work, which may take its time, or end the process.
    static func interrupting(_ work: () -> Void) {
        pthread_rwlock_unlock(lock)
        work()
        enter()
    }

    private static func enter() {
        // Who is about to end the process has to find the lock free soon, however many threads there are.
        while isComing.load(ordering: .acquiring) { pause() }
        pthread_rwlock_rdlock(lock)
    }

    /// Waits for the work that is under way, which takes milliseconds on a machine that is not overloaded,
    /// though not for ever: it must not keep the process.
    private static func begin() {
        isComing.store(true, ordering: .releasing)
        var limit = timespec()
        clock_gettime(CLOCK_REALTIME, &limit)
        limit.tv_sec += 30
        pthread_rwlock_timedwrlock(lock, &limit)
    }
}
#endif
