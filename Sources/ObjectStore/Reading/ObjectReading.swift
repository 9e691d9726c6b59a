/// A source of objects: a store, a snapshot or a transaction.
///
/// All of it throws `StoreError` where the store can't be read.
public protocol ObjectReading {
    /// Runs a body that reads the store as it is at one moment.
    func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result
}

extension Store: ObjectReading {}

extension Snapshot: ObjectReading {
    /// Runs a body that reads this snapshot.
    public final func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
        try body(self)
    }
}

extension ObjectReading {
    /// Reads with one statement, which is a snapshot by itself.
    func reader<Result>(_ body: (Reader) throws -> Result) throws -> Result {
        guard let store = self as? Store else { return try read { try body($0.reader) } }
        return try store.reading { try body($0.reader) }
    }
}
