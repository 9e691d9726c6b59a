package import Foundation

/// A transaction that several imports share, each of which is in the store whole or not at all, whatever
/// becomes of the others.
///
/// Each has a savepoint of its own (sqlite.org/lang_savepoint.html); what is shared is the price of
/// beginning and of committing. Belongs to the thread that runs it.
package final class SharedTransaction {
    private let context: Context
    private var onCommit: [() -> Void] = []

    fileprivate init(_ context: Context) { self.context = context }

    /// Writes the objects of JSON, and returns what they make and what was done for them.
    ///
    /// Nothing of it is left where it throws. Where it does not, it is not stored before the transaction
    /// is committed.
    ///
    /// - Parameters:
    ///   - keep: Keeps what it consists of.
    ///   - isKnown: Whether it has been stored before, and only brings back what is missing.
    ///   - fetchedAt: The moment at which it was fetched, nil for now.
    ///   - options: How the parts of wrappers are read that are not stored.
    ///   - isCancelled: Whether to give up; asked again and again while a long array is written.
    ///   - willCommit: Asked once, when all but the commit is done; nothing is stored where it throws.
    /// - Throws: `CancellationError` where it was given up, else `MappingError`, `DecodingError` or
    ///   `StoreError`.
    package func `import`<Value: Importable>(
        _ type: Value.Type = Value.self, from json: JSONValue, as list: ListArrival? = nil,
        keeping keep: SkeletonKeeping? = nil, isKnown: Bool = false, fetchedAt: Date? = nil,
        options: DecodingOptions,
        isCancelled: @escaping () -> Bool, willCommit: () throws -> Void
    ) throws -> (value: Value, report: ImportReport) {
        context.decodingOptions = options
        context.imports.checkCancellation = { if isCancelled() { throw CancellationError() } }
        defer { context.imports.checkCancellation = {} }
        return try context.reporting {
            try context.whole {
                let value = try context.receive(
                    type, from: json, as: list, keeping: keep, isKnown: isKnown,
                    fetchedAt: fetchedAt)
                try willCommit()
                return value
            }
        }
    }

    /// Takes what is to be done once the transaction is committed.
    package func whenCommitted(_ body: @escaping () -> Void) { onCommit.append(body) }

    fileprivate func tell() { for body in onCommit { body() } }
}

extension Store {
    /// Runs a body whose imports share a transaction.
    ///
    /// It runs on the calling thread, on which nobody waits, and so waits for its turn for as long as
    /// others take.
    ///
    /// - Parameter willWait: Gets what gives up, where it has to wait for its turn.
    /// - Throws: What the body throws, `StoreError`, or `CancellationError` where it was given up;
    ///   nothing of any import is stored then.
    package func sharingTransaction(
        willWait: (_ giveUp: @escaping @Sendable () -> Void) -> Void,
        _ body: (SharedTransaction) throws -> Void
    ) throws {
        try inTurn(willWait: willWait) { context in
            let shared = SharedTransaction(context)
            try body(shared)
            return shared
        }.tell()
    }
}
