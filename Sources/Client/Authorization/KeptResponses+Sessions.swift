import Dispatch
import HTTPTypes
import LarderObjectStore
import LarderPromises
import Logging

extension KeptResponses {
    /// Those on which others are told of the end of a session, who may wait for the end of another one.
    static let tellingQueues = JobQueues(
        label: "larder.client.sessions.telling", qos: .userInitiated,
        width: Client.maximumDeliveries)

    /// Has what is kept by credentials that interceptors give, and the places of pulls, be nobody's where no account
    /// has them, until ``endSession(_:of:cleared:finally:)`` has ended, and what is on its way not be good; its number.
    func beginEndingSession() -> Int {
        // Now, as what is asked for later is the next one's.
        sessions.invalidations.withLock { _ = $0.note(.tag(KeptResponseKey.sessionTag)) }
        return sessions.clearings.withLock { $0.begin() }
    }

    /// Whether something may be left of a session that has ended; where it could not go, that is tried again.
    func isEndingSession() -> Bool {
        let (isGoingOn, number) = sessions.clearings.withLock { ($0.isGoingOn, $0.beginAgain()) }
        if let number { endSession(number) }
        return isGoingOn
    }

    /// Takes that what ``beginEndingSession()`` has begun has ended.
    func noteSessionEnded(_ number: Int, isDone: Bool) {
        sessions.clearings.withLock { $0.end(number, isDone: isDone) }
    }

    /// Removes all that, with what a log-out of the clients could not, before what is stored from here on.
    ///
    /// - Parameters:
    ///   - others: What the store's other clients keep.
    ///   - cleared: Called once all of it has gone, before anybody is answered.
    ///   - finally: Called once that has ended, however it has.
    func endSession(
        _ number: Int, of others: [KeptResponses] = [],
        cleared: @escaping @Sendable () -> Void = {},
        finally: @escaping @Sendable () -> Void = {}
    ) {
        for kept in [self] + others { kept.clearAgain() }
        // Its turn is taken now, behind a transaction that is open, be it the caller's: in any later one, what is the
        // next one's would go along.
        store.startWritingBeside { tables in
            do {
                try PullRecords(tables: tables).removeAll(of: nil)
                let scope = Scope.tag(KeptResponseKey.sessionTag)
                guard let (condition, values) = try self.condition(scope, in: tables) else {
                    return
                }
                try tables.run("DELETE FROM \"\(Self.table)\" WHERE \(condition)", values)
            } catch {
                // Within the turn, as another one may end in the next.
                self.noteFailure(of: number, error)
                throw error
            }
        } committed: {
            cleared()
            self.noteSessionEnded(number, isDone: true)
        } finish: { result in
            switch result {
            case .success: for kept in [self] + others { kept.observers.tell() }
            case .failure(let error): self.noteFailure(of: number, error)
            }
            Self.tellingQueues.run(finally)
        }
    }

    /// Takes that what was to be removed is there, and warns once of it.
    private func noteFailure(of number: Int, _ error: any Error) {
        let isNews = sessions.clearings.withLock { $0.endIsNews(number, isDone: false) }
        if isNews { warn(of: error) }
    }

    /// Warns of what was to be removed and is there; another store has the file of one that is closed.
    func warn(of error: any Error) {
        guard (error as? StoreError)?.reason != .closed else { return }
        logger.warning(
            """
            What the store answers by of a session that has ended could not be removed: \(error). \
            Nobody is answered by it here, and it is tried again once somebody asks, or logs in or out; \
            where this process ends before, it is there for whoever is logged in as the next one starts.
            """)
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
