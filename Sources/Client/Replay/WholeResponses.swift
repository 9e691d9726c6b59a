import LarderObjectStore
import LarderPromises

/// The kept responses of which nothing had gone that stood within their objects, and the version of the store's
/// objects then: as long as it is the same, nothing has gone since.
final class WholeResponses: Sendable {
    private struct State {
        /// Their skeletons, as these lie in rows.
        var skeletons: Set<[UInt8]> = []
        var version: ObjectsVersion?
    }

    private let state = Guarded(State())

    /// The most that are remembered.
    private static let maximumCount = 64

    /// Whether objects have gone that stood within those of a response, which is looked up where objects have been
    /// written since.
    func isLacking(_ kept: KeptResponse, in context: Context) throws -> Bool {
        guard let bytes = kept.skeletonBytes else {
            return try context.lacksNested(of: kept.skeleton)
        }
        let version = try context.objectsVersion
        let isKnown = state.withLock { $0.version == version && $0.skeletons.contains(bytes) }
        if isKnown { return false }
        if try context.lacksNested(of: kept.skeleton) { return true }
        state.withLock { state in
            if state.version != version || state.skeletons.count >= Self.maximumCount {
                state.skeletons = []
            }
            state.version = version
            state.skeletons.insert(bytes)
        }
        return false
    }
}
