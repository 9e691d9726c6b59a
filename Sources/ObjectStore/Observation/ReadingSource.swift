/// A value that a closure reads, whatever that is.
struct ReadingSource<Value: Sendable>: LiveSource {
    private(set) var dependencies: Dependencies
    private let names: TableNames
    private let read: @Sendable (Snapshot) throws -> Value
    private let areSame: @Sendable (Value, Value) -> Bool
    private var last: Value?

    /// - Parameter areSame: Whether a value need not be handed on after another.
    init(
        names: TableNames, _ read: @escaping @Sendable (Snapshot) throws -> Value,
        areSame: @escaping @Sendable (Value, Value) -> Bool
    ) {
        self.names = names
        self.read = read
        self.areSame = areSame
        dependencies = Dependencies(names: names)
    }

    mutating func evaluate(in snapshot: Snapshot, after changes: Changes) throws -> Value? {
        // What it reads may depend on what it has read.
        let (value, dependencies) = try snapshot.connection.recordingReads(names) {
            try read(snapshot)
        }
        self.dependencies = dependencies
        if let last, areSame(last, value) { return nil }
        last = value
        return value
    }
}
