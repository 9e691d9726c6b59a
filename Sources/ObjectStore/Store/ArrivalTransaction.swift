package import Foundation

/// A transaction of what has arrived, in which more is written.
///
/// Belongs to the thread that runs it.
package final class ArrivalTransaction {
    /// What is written along with what has arrived.
    package let context: Context
    private var onCommit: [() -> Void] = []
    /// What keeps what has arrived, once all is written.
    private var keepings: [() throws -> Void] = []

    fileprivate init(_ context: Context) { self.context = context }

    /// Writes the objects of JSON, and returns what they make and what was done for them alone.
    ///
    /// - Parameters:
    ///   - isKnown: Whether it has been stored before, and only brings back what is missing.
    ///   - fetchedAt: The moment at which it was fetched, nil for now.
    package func `import`<Value: Importable>(
        _ type: Value.Type = Value.self, from json: JSONValue, as list: ListArrival? = nil,
        keeping keep: SkeletonKeeping? = nil, isKnown: Bool = false, fetchedAt: Date? = nil
    ) throws -> (value: Value, report: ImportReport) {
        // What is written along with it is part of how it stands then.
        let later = keep.map { keep -> SkeletonKeeping in
            { skeleton, context in self.keepings.append { try keep(skeleton, context) } }
        }
        return try context.reporting {
            try context.receive(
                type, from: json, as: list, keeping: later, isKnown: isKnown, fetchedAt: fetchedAt)
        }
    }

    /// Takes what is to be done once the transaction is committed.
    package func whenCommitted(_ body: @escaping () -> Void) { onCommit.append(body) }

    fileprivate func keepAll() throws { for keep in keepings { try keep() } }

    fileprivate func tell() { for body in onCommit { body() } }
}

extension Store {
    /// Runs a body as the one transaction of what has arrived, and of what is written along with it.
    ///
    /// It runs on the calling thread, on which nobody waits, and so waits for its turn for as long as
    /// others take. What the body imports is given up, and what it writes is committed, as by
    /// ``import(_:from:willWait:options:isCancelled:willCommit:)``.
    ///
    /// - Throws: What the body throws, `CancellationError` where it was given up, or `StoreError`; nothing
    ///   is stored then.
    package func receive<Result>(
        willWait: (_ giveUp: @escaping @Sendable () -> Void) -> Void, options: DecodingOptions,
        isCancelled: @escaping () -> Bool, willCommit: @escaping () throws -> Void,
        _ body: (ArrivalTransaction) throws -> Result
    ) throws -> Result {
        let (result, transaction) = try inTurn(
            willWait: willWait, options: options, isCancelled: isCancelled, willCommit: willCommit
        ) { context in
            let transaction = ArrivalTransaction(context)
            let result = try body(transaction)
            try transaction.keepAll()
            return (result, transaction)
        }
        transaction.tell()
        return result
    }
}
