import LarderObjectStore
import LarderPromises

/// The sessions that have ended, and of which a file may have something, and what else it has that is good no more,
/// whichever client of its stores has been told.
final class EndingSessions: FileNote {
    private static let known = FileNotes<EndingSessions>()

    let invalidations = Guarded(KeptInvalidations())
    let clearings = Guarded(KeptClearings())
    /// Of clients that have logged out, with which all goes that is kept.
    let clearingsOfAll = Guarded(KeptClearings())

    /// Those of a store's file.
    static func of(_ store: Store) -> EndingSessions { known.note(of: store) }

    var isNeeded: Bool {
        invalidations.withLock(\.isPending) || clearings.withLock(\.isGoingOn)
            || clearingsOfAll.withLock(\.isGoingOn)
    }
}

extension KeptResponses {
    /// Whether something is left that could not be removed, of sessions or at all.
    var hasLeftovers: Bool {
        sessions.clearings.withLock(\.hasFailed) || sessions.clearingsOfAll.withLock(\.hasFailed)
            || cache?.hasLeftovers == true
    }

    /// Whether what is kept, of sessions or at all, is about to be removed, and is nobody's any more; where it could
    /// not be, that is tried again.
    func isClearing(ofSession: Bool) -> Bool {
        let isGoingOn = sessions.clearingsOfAll.withLock(\.isGoingOn)
        if isGoingOn { clearAgain() }
        let isEnding = ofSession && isEndingSession()
        return isEnding || isGoingOn
    }

    /// Has what is kept, and what is on its way, be nobody's until ``endClearing(_:alongWith:)`` has ended; its number.
    func beginClearing() -> Int {
        defer { sessions.invalidations.withLock { _ = $0.note(.all) } }
        return sessions.clearingsOfAll.withLock { $0.begin() }
    }

    /// Ends what ``beginClearing()`` has begun: removes all that is kept, and the places of pulls, in one transaction
    /// with what a body writes, or by itself where that fails; on the calling thread, on which nobody waits, however
    /// long others take before it.
    ///
    /// - Returns: What has become of the transaction, and whether nothing is left of what is kept.
    func endClearing(
        _ number: Int, alongWith body: (Context) throws -> Void
    ) -> (result: Result<Void, any Error>, isDone: Bool) {
        func remove(alongWith body: (Context) throws -> Void) throws {
            try store.inTurn { context in
                try body(context)
                try removeAll(in: context.sideTables)
            }
        }
        let result = Result { try remove(alongWith: body) }
        var failure: (any Error)?
        if case .failure = result {
            // Nobody else's, whatever becomes of the objects.
            do { try remove { _ in } } catch { failure = error }
        }
        let isNews = sessions.clearingsOfAll.withLock {
            $0.endIsNews(number, isDone: failure == nil)
        }
        if isNews, let failure { warn(of: failure) }
        // Nothing of it is anybody's, removed or not.
        observers.tell()
        return (result, failure == nil)
    }

    /// Tries again what has failed, where nobody is at it.
    ///
    /// It goes with what has come since, before what is stored from here on; what is on its way is good, as who may
    /// have asked for it by now is the next one.
    func clearAgain() {
        cache?.flushAgain()
        guard let number = sessions.clearingsOfAll.withLock({ $0.beginAgain() }) else { return }
        // Which is of all, too.
        let ofSessions = sessions.clearings.withLock { $0.beginAgain() }
        let end: @Sendable (Bool) -> Void = { [sessions] isDone in
            sessions.clearingsOfAll.withLock { $0.end(number, isDone: isDone) }
            if let ofSessions { sessions.clearings.withLock { $0.end(ofSessions, isDone: isDone) } }
        }
        store.startWritingBeside { tables in
            try self.removeAll(in: tables)
        } committed: {
            end(true)
        } finish: { result in
            switch result {
            case .success: self.observers.tell()
            case .failure: end(false)
            }
        }
    }

    private func removeAll(in tables: SideTables) throws {
        try tables.removePullRecords()
        if try tables.has(Self.table) { try tables.run("DELETE FROM \"\(Self.table)\"") }
        tables.removeLog()
    }
}
