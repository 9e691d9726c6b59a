#if !canImport(Darwin)
import Foundation

/// The signal of a write that nobody reads, which is blocked on a transport's threads.
///
/// OpenSSL writes to closed sockets without asking for no signal, so that a server that hangs up would end the
/// process. Blocked for those threads alone, the signal stays pending and the write fails with an error, which is
/// all that is needed.
struct BrokenPipeSignal {
    /// Whether it was blocked already, by the app.
    private let wasBlocked: Bool

    /// Blocks the signal on the calling thread.
    init() {
        var (signals, before) = (Self.signals, sigset_t())
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        wasBlocked = sigismember(&before, SIGPIPE) == 1
    }

    /// Blocks the signal on the calling thread, too.
    func block() {
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Runs the app's code as it would run on other threads: it, and programs that it starts, may rely on the signal.
    func allowing(_ body: () -> Void) {
        guard !wasBlocked else { return body() }
        var signals = Self.signals
        var time = timespec(tv_sec: 0, tv_nsec: 0)
        // One of OpenSSL's that is pending would be delivered now.
        while sigtimedwait(&signals, nil, &time) == SIGPIPE || errno == EINTR {}
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        body()
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        return signals
    }
}
#endif
