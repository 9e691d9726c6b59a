import Dispatch
import Foundation
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

    // MARK: Files

    private struct Entry: Sendable {
        weak var store: Store?
        let file: File?
        let ledger: CacheLedger
    }

    /// What tells files apart, by whichever path they are opened.
    private struct File: Equatable {
        let device: UInt64
        let number: UInt64

        init?(at path: String) {
            var information = stat()
            guard stat(path, &information) == 0 else { return nil }
            device = UInt64(truncatingIfNeeded: information.st_dev)
            number = UInt64(truncatingIfNeeded: information.st_ino)
        }
    }

    private static let known = Guarded<[Entry]>([])

    /// That of a store's file, for as long as a store has it.
    static func of(_ store: Store) -> CacheLedger {
        let file = store.path.flatMap(File.init)
        return known.withLock { known in
            known.removeAll { $0.store == nil }
            if let entry = known.first(where: { $0.store === store }) { return entry.ledger }
            let other = known.first { file != nil && $0.file == file }
            let entry = Entry(store: store, file: file, ledger: other?.ledger ?? CacheLedger())
            known.append(entry)
            return entry.ledger
        }
    }
}
