import LarderObjectStore

/// An answer of the store's that is being made, to a request that a response is kept for.
struct Replay {
    let kept: KeptResponse
    let request: TransportRequest
    let snapshot: Snapshot
    let options: DecodingOptions
    let source: ResponseSource
    let age: Duration?
}

/// A value that was made again, and the number of objects that are left out of it.
struct Replayed<Value: Sendable>: Sendable {
    let value: Value
    let missingCount: Int
    /// Whether objects have gone and come again since, in other rows than those that are kept.
    var hasReplaced = false
}

extension ResponseSerializer {
    /// Makes the value of a response that is kept.
    func replayed(_ replay: Replay) throws -> Replayed<Value> {
        guard let make = self.replay else { throw ReplayError.notStored }
        return try make(replay)
    }
}
