public import LarderObjectStore

extension ResponseSerializer {
    /// The same value, and what a body writes of it in the transaction of its response.
    ///
    /// ```swift
    /// .stored().storing { context, page in try context.save(SyncToken(page.token)) }
    /// ```
    ///
    /// The body runs once, after the response has been stored and before that is committed: both are in the
    /// store, or neither. What it throws rejects the promise with a ``ClientError`` of the reason
    /// ``ClientError/Reason/notStored``, `CancellationError` as it is; so does a cancellation before the commit.
    /// Of a value that is not stored, the transaction is that of the body alone. Those of several run in their
    /// order, in one transaction. Behind ``withResponse()`` a body gets the status and the header fields, too.
    ///
    /// The value is the one that the body is given: it stays as it was before that ran, whatever that writes.
    ///
    /// It does not run for what is no new response: where the store answers by its ``FetchPolicy``.
    ///
    /// - Parameter body: Runs on a thread of the client's, which nobody may wait for in it.
    public func storing(
        _ body: @escaping @Sendable (_ context: Context, _ value: Value) throws -> Void
    ) -> ResponseSerializer<Value> {
        guard isStoring else { return made.storing(body) }
        return ResponseSerializer(
            isStoring: true, writesMore: true, way: way, prepare: preparing { $0.storing(body) },
            replay: replay
        ) { arrival in
            try arrival.inTransaction { arrival, context in
                let (value, report) = try serialize(arrival)
                do {
                    try body(context, value)
                } catch let error as CancellationError {
                    throw error
                } catch {
                    throw ClientError(.notStored, underlying: error)
                }
                return (value, report)
            }
        }
    }

    /// The serializer that makes a value which is not stored before its turn, in which more is written.
    private var made: ResponseSerializer<Value> {
        let make: @Sendable (Arrival) throws -> ResponseSerializer<Value> = { arrival in
            let (value, report) = try serialize(arrival)
            return ResponseSerializer(isStoring: true) { _ in (value, report) }
        }
        return ResponseSerializer(isStoring: true, prepare: make) { arrival in
            try make(arrival).serialize(arrival)
        }
    }
}

extension Arrival {
    /// Runs a body in the transaction of the response, which it opens unless it is open.
    ///
    /// - Throws: What the body throws, and as ``ClientError/Reason/notStored`` what befalls the transaction.
    func inTransaction<Result>(
        _ body: (Arrival, Context) throws -> Result
    ) throws -> Result {
        if let own { return try body(self, own.context) }
        var arrival = self
        return try ClientError.wrapping(.notStored) {
            // What is written more must not be done a second time; what is asked for next has the room.
            try client.kept.makingRoom(repeating: false) {
                try client.store.receive(
                    willWait: onCancel, options: decodingOptions, isCancelled: isCancelled,
                    willCommit: commit
                ) { transaction in
                    arrival.own = transaction
                    return try body(arrival, transaction.context)
                }
            }
        }
    }
}
