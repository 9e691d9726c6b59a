import Dispatch
import HTTPTypes
import LarderObjectStore
import LarderPromises
import Logging

extension KeptResponses {
    private static let queues = JobQueues(
        label: "larder.client.sessions", qos: .userInitiated, width: Client.maximumDeliveries)

    /// Those on which others are told of the end of a session, who may wait for the end of another one.
    static let tellingQueues = JobQueues(
        label: "larder.client.sessions.telling", qos: .userInitiated,
        width: Client.maximumDeliveries)

    /// Has what is kept by credentials that interceptors give, and the places of pulls, be nobody's where no account
    /// has them, until ``endSession(_:cleared:finally:)`` has ended; its number.
    func beginEndingSession() -> Int { sessions.clearings.withLock { $0.begin() } }

    /// Takes that what ``beginEndingSession()`` has begun has ended.
    func noteSessionEnded(_ number: Int, isDone: Bool) {
        sessions.clearings.withLock { $0.end(number, isDone: isDone) }
    }

    /// Removes all that.
    ///
    /// - Parameters:
    ///   - cleared: Called once all of it has gone, before anybody is answered.
    ///   - finally: Called once that has ended, however it has.
    func endSession(
        _ number: Int, cleared: @escaping @Sendable () -> Void,
        finally: @escaping @Sendable () -> Void = {}
    ) {
        // Off the caller's thread, whose transaction it may wait for.
        Self.queues.run {
            let result = Result {
                // Behind a transaction that is open, which may be the first that keeps anything.
                try self.store.writeBeside { try PullRecords(tables: $0).removeAll(of: nil) }
                try self.remove(.tag(KeptResponseKey.sessionTag))
            }
            let isDone = (try? result.get()) != nil
            if isDone { cleared() }
            self.noteSessionEnded(number, isDone: isDone)
            Self.tellingQueues.run(finally)
        }
    }

    /// Warns once where a jar's cookies are all that may say whose a request's response is.
    func warnOfCookies(of request: TransportRequest, by configuration: Client.Configuration) {
        guard configuration.account == nil, let cookies = configuration.cookies,
            !hasWarned.withLock(\.self), !request.head.headerFields.contains(.cookie),
            // A field of that kind says it, as it is part of what is asked for.
            !hasSecret(request, by: configuration.redaction),
            cookies.adding(to: request).head.headerFields.contains(.cookie)
        else { return }
        let isFirst = hasWarned.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        guard isFirst else { return }
        (configuration.logger ?? Logger(label: "larder.client")).warning(
            """
            Requests have cookies of a jar, by which the store does not tell people apart where it \
            answers: where they say who is logged in, whoever is next may be told what was this \
            one's. Configuration.account names them.
            """)
    }

    private func hasSecret(_ request: TransportRequest, by redaction: Redaction) -> Bool {
        let secrets = secrets(by: redaction)
        return request.head.headerFields.contains { secrets.contain($0.name) }
    }
}
