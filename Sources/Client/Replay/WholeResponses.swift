import LarderObjectStore
import LarderPromises

/// The kept responses whose objects the store had just as they had brought them, and the version of the store's
/// objects then: as long as it is the same, nothing of that has been written since.
final class WholeResponses: Sendable {
    private struct State {
        /// Their skeletons, as these lie in rows.
        var skeletons: Set<[UInt8]> = []
        var version: ObjectsVersion?
    }

    private let state = Guarded(State())

    /// The most that are remembered.
    private static let maximumCount = 64

    /// Whether the store has what a response has brought: nothing has gone that stood within its objects, and nobody
    /// has written over what it says; that is looked up where objects have been written since.
    func isWhole(_ kept: KeptResponse, in context: Context) throws -> Bool {
        guard let bytes = kept.skeletonBytes else { return try context.holds(kept.skeleton) }
        let version = try context.objectsVersion
        let isKnown = state.withLock { $0.version == version && $0.skeletons.contains(bytes) }
        if isKnown { return true }
        guard try context.holds(kept.skeleton) else { return false }
        state.withLock { state in
            if state.version != version || state.skeletons.count >= Self.maximumCount {
                state.skeletons = []
            }
            state.version = version
            state.skeletons.insert(bytes)
        }
        return true
    }
}
