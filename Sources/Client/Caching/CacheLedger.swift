import Dispatch
import LarderObjectStore
import LarderPromises

/// What is known of what is kept in a file, whichever cache of this process has learned it: what is being changed
/// there, and what is neither to be used nor to be kept.
///
/// A cache in memory, and one of somebody else's provider, has one of its own.
final class CacheLedger: Sendable {
    struct State {
        /// The number of changes under way, by resource; those of everything under an empty one.
        var changes: [[UInt8]: Int] = [:]
        var changeCount = 0
        /// Those who are about to remove all that is kept.
        var clearings = KeptClearings()
        /// The resources of which something is left that could not be removed, nor replaced.
        var leftovers: Set<[UInt8]> = []
        /// The number of times that something was made invalid.
        var turn = 0
        /// The turn in which a resource was made invalid last, and that in which all were.
        private var invalidated: [[UInt8]: Int] = [:]
        private var allInvalidated = 0

        /// Notes that what is asked for before now is not to be kept, of one resource or of all.
        mutating func invalidate(_ resource: [UInt8]?) {
            turn += 1
            if let resource, invalidated.count < CacheLedger.mostInvalidated {
                invalidated[resource] = turn
            } else {
                (invalidated, allInvalidated) = ([:], turn)
            }
        }

        /// Notes that something is left of a resource.
        mutating func leave(_ resource: [UInt8]) {
            guard leftovers.count < CacheLedger.mostInvalidated else {
                return clearings.end(clearings.begin(), isDone: false)
            }
            leftovers.insert(resource)
        }

        func isInvalid(_ resource: [UInt8], since turn: Int) -> Bool {
            turn < max(allInvalidated, invalidated[resource] ?? 0)
        }
    }

    /// The most resources of which it is known when they were made invalid.
    private static let mostInvalidated = 1_000

    let state = Guarded(State())
    /// The queue on which what is kept is changed, in the order of the changes.
    let writer = DispatchQueue(label: "larder.cache.write", qos: .utility)

    private static let known = FileNotes<CacheLedger>()

    /// That of a store's file.
    static func of(_ store: Store) -> CacheLedger { known.note(of: store) }
}

extension CacheLedger: FileNote {
    var isNeeded: Bool {
        state.withLock { !$0.leftovers.isEmpty || $0.clearings.isGoingOn }
    }
}
