import Dispatch
import LarderPromises

/// A call into a store that waits for its turn without a thread, and can be given up.
final class BackgroundJob: Sendable {
    /// What is called where the job is given up before its turn.
    private struct Withdrawal {
        var finish: (@Sendable (any Error) -> Void)?
    }

    let interruption = Interruption()
    private let turnstile: Turnstile
    private let ticket = Guarded<Turnstile.Ticket?>(nil)
    private let withdrawal = Guarded(Withdrawal())

    init(in turnstile: Turnstile) {
        self.turnstile = turnstile
    }

    /// Runs a body when its turn has come.
    ///
    /// - Parameters:
    ///   - run: Runs what it gets on a queue.
    ///   - finish: Gets the outcome, once.
    func start<Value: Sendable>(
        by run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        _ body: @escaping @Sendable () throws -> Value,
        finish: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        guard !interruption.isRequested else { return finish(.failure(CancellationError())) }
        withdrawal.withLock { $0.finish = { finish(.failure($0)) } }
        let ticket = turnstile.enter { [turnstile] in
            // Nothing is to be kept of it for as long as somebody keeps the job.
            self.withdrawal.withLock { $0.finish = nil }
            run {
                let result = Result { try body() }
                turnstile.leave()
                finish(result)
            }
        }
        self.ticket.withLock { $0 = ticket }
        if interruption.isRequested { withdraw(CancellationError()) }
    }

    /// Gives the job up: one that waits ends now, one that runs as soon as it can.
    func cancel() {
        interruption.cancel()
        withdraw(CancellationError())
    }

    /// Ends a job that still waits.
    func withdraw(_ error: any Error) {
        guard let ticket = ticket.withLock(\.self), turnstile.withdraw(ticket) else { return }
        withdrawal.withLock { $0.finish.take() }?(error)
    }
}
