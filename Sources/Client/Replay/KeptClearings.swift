import LarderObjectStore
import LarderPromises

/// Those who are about to remove all that is kept, by their numbers: until they have, it is nobody's.
struct KeptClearings: Sendable {
    private var open: Set<Int> = []
    /// The last that has failed, 0 where nothing is left of what that was to remove.
    private var failed = 0
    /// The last that has removed all that was there before it.
    private var done = 0
    private var last = 0

    /// Whether something may be left that was to be removed.
    var isGoingOn: Bool { !open.isEmpty || hasFailed }

    /// Whether something is left that could not be removed.
    var hasFailed: Bool { failed > 0 }

    /// Begins one.
    mutating func begin() -> Int {
        last += 1
        open.insert(last)
        return last
    }

    /// Begins one where those before have failed, and nobody is at it; nil elsewhere.
    mutating func beginAgain() -> Int? { open.isEmpty && hasFailed ? begin() : nil }

    /// Ends one that has not ended.
    ///
    /// - Parameter isDone: Whether nothing is left, nor of what those before have failed to remove.
    mutating func end(_ number: Int, isDone: Bool) {
        guard open.remove(number) != nil else { return }
        if isDone {
            done = max(done, number)
            if failed <= number { failed = 0 }
        } else if number > done {
            failed = max(failed, number)
        }
    }

    /// Ends one that has not ended; whether something is left by now of which nothing was before.
    mutating func endIsNews(_ number: Int, isDone: Bool) -> Bool {
        let hadFailed = hasFailed
        end(number, isDone: isDone)
        return !hadFailed && hasFailed
    }
}

extension KeptResponses {
    /// Whether something is left that could not be removed, of sessions or at all.
    var hasLeftovers: Bool {
        sessions.clearings.withLock(\.hasFailed) || sessions.clearingsOfAll.withLock(\.hasFailed)
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
        defer { state.withLock { _ = $0.invalidations.note(.all) } }
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
