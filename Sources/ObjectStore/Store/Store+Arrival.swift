package import Foundation

/// Keeps beside the objects of what has arrived what that consists of, in the same transaction, once all of it is
/// written.
package typealias SkeletonKeeping = (_ skeleton: ImportSkeleton, _ context: Context) throws -> Void

extension Context {
    /// Writes the objects of JSON that has arrived, and keeps what that consists of.
    func receive<Value: Importable>(
        _ type: Value.Type, from json: JSONValue, as list: ListArrival?,
        keeping keep: SkeletonKeeping?, isKnown: Bool = false, fetchedAt: Date? = nil
    ) throws -> Value {
        imports.fetchTime = fetchedAt
        defer { imports.fetchTime = nil }
        guard let keep else { return try receive(type, from: json, as: list, isKnown: isKnown) }
        let (value, recorded) = try imports.recording(of: json.storage.document) {
            let value = try receive(type, from: json, as: list, isKnown: isKnown)
            imports.readings?.noteReading(of: json, as: type)
            return value
        }
        var skeleton = recorded
        skeleton.isRestored = isKnown
        try keep(skeleton, self)
        return value
    }
}

extension Context {
    /// Notes that all objects which a document has brought are at a later moment as they were, too.
    ///
    /// - Returns: Whether it is known which these are: it is not where the model has come to ask for more since.
    package func noteFetched(_ skeleton: ImportSkeleton, at date: Date) throws -> Bool {
        let entities = store.plan.entities.filter(\.keepsFetchTimes)
        guard entities.allSatisfy({ skeleton.fetched[$0.name] != nil }) else { return false }
        for entity in entities {
            let times = statements.fetchTimes(of: entity)
            for row in skeleton.fetched[entity.name] ?? [] {
                try times.confirm(row, at: date.timeIntervalSinceReferenceDate)
            }
        }
        return true
    }
}

extension Store {
    /// Whether it is kept of any entity when its objects were fetched.
    package var keepsFetchTimes: Bool { plan.keepsFetchTimes }

    /// The open transaction on this store that the calling code belongs to.
    package var openTransaction: OpenTransaction? { writer.openTransaction }

    /// Calls a closure once a transaction on this store has ended, or with an error if that goes on for
    /// longer than `busyTimeout`, as it does where it waits for what the closure does.
    ///
    /// Which thread that is on is not said: the closure must not block it.
    package func whenEnded(
        _ transaction: OpenTransaction, _ proceed: @escaping @Sendable (StoreError?) -> Void
    ) {
        writer.whenEnded(transaction, proceed)
    }

    /// The same for the transaction that the calling code belongs to; calls at once where that is none.
    package func afterTransaction(_ proceed: @escaping @Sendable (StoreError?) -> Void) {
        guard let transaction = openTransaction else { return proceed(nil) }
        whenEnded(transaction, proceed)
    }

    /// Writes the objects of JSON that has arrived in one transaction, and returns what they make
    /// and what was done.
    ///
    /// It runs on the calling thread, on which nobody waits, and so waits for its turn for as long as
    /// others take.
    ///
    /// - Parameters:
    ///   - list: What the JSON may be the whole of.
    ///   - keep: Keeps what it consists of.
    ///   - isKnown: Whether it has been stored before, and only brings back what is missing.
    ///   - fetchedAt: The moment at which it was fetched, nil for now.
    ///   - willWait: Gets what gives up, where it has to wait for its turn.
    ///   - options: How the parts of wrappers are read that are not stored.
    ///   - isCancelled: Whether to give up; asked again and again while a long array is written.
    ///   - willCommit: Asked once, when all but the commit is done; nothing is stored where it throws.
    /// - Throws: `CancellationError` where it was given up, else `MappingError`, `DecodingError` or
    ///   `StoreError`; nothing is stored then.
    package func `import`<Value: Importable>(
        _ type: Value.Type = Value.self, from json: JSONValue, as list: ListArrival? = nil,
        keeping keep: SkeletonKeeping? = nil, isKnown: Bool = false, fetchedAt: Date? = nil,
        willWait: (_ giveUp: @escaping @Sendable () -> Void) -> Void, options: DecodingOptions,
        isCancelled: @escaping () -> Bool, willCommit: @escaping () throws -> Void
    ) throws -> (value: Value, report: ImportReport) {
        try inTurn(
            willWait: willWait, options: options, isCancelled: isCancelled, willCommit: willCommit
        ) { context in
            let value = try context.receive(
                type, from: json, as: list, keeping: keep, isKnown: isKnown, fetchedAt: fetchedAt)
            return (value, context.report)
        }
    }

    /// Reads on a queue of the store's own, and returns what gives that up.
    package func read<Value: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> Value,
        finish: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) -> @Sendable () -> Void {
        let job = startReading(body, finish: finish)
        return { job.cancel() }
    }

    /// Runs a body as the transaction of what has arrived, whose imports may be given up.
    func inTurn<Result>(
        willWait: (_ giveUp: @escaping @Sendable () -> Void) -> Void, options: DecodingOptions,
        isCancelled: @escaping () -> Bool, willCommit: @escaping () throws -> Void,
        _ body: (Context) throws -> Result
    ) throws -> Result {
        try inTurn(willWait: willWait) { context in
            context.decodingOptions = options
            context.imports.checkCancellation = { if isCancelled() { throw CancellationError() } }
            context.willCommit = willCommit
            return try body(context)
        }
    }

    /// Runs a body as a transaction on the calling thread, on which nobody waits, however long others take.
    ///
    /// - Parameter willWait: Gets what gives up, where it has to wait for its turn.
    package func inTurn<Result>(
        willWait: (_ giveUp: @escaping @Sendable () -> Void) -> Void = { _ in },
        _ body: (Context) throws -> Result
    ) throws -> Result {
        try writer.run(willWait: willWait) { connection, statements in
            try transaction(on: connection, statements, body)
        }
    }
}
