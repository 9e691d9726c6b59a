import LarderObjectStore
import LarderPromises

extension AuthorizationInterceptor {
    /// Has what is kept of a client's responses go with the session that it is of, unless an account has it.
    func end(with kept: KeptResponses) {
        // Before anybody asks it, who may be another one than what is there is of.
        let (number, count) = keepers.withLock { keepers -> (Int?, Int) in
            (keepers.add(kept) ? kept.beginEndingSession() : nil, keepers.endCount)
        }
        guard let number else { return }
        kept.endSession(number) { self.noteCleared(kept, of: count) }
    }

    /// Takes that nothing is left in a store of the first sessions.
    func noteCleared(_ kept: KeptResponses, of count: Int) {
        keepers.withLock { $0.noteCleared(kept, of: count) }
    }

    /// The stores that may have something of a session, and the clients that know of it.
    struct Keepers: Sendable {
        private struct Keeper: Sendable {
            weak var kept: KeptResponses?
        }

        private struct Place: Sendable {
            weak var store: Store?
            /// What its clients keep.
            var keepers: [ObjectIdentifier: Keeper]

            /// All of that, and something of the store's own where those clients have gone.
            var kept: [KeptResponses] {
                let kept = keepers.values.compactMap(\.kept)
                guard kept.isEmpty, let store else { return kept }
                return [KeptResponses(in: store)]
            }
        }

        private var places: [ObjectIdentifier: Place] = [:]
        /// The number of sessions that have ended.
        private(set) var endCount = 0
        /// The number of them of which nothing is left in files that stores have had open.
        private var cleared: [String: Int] = [:]

        /// Takes what a client keeps.
        ///
        /// - Returns: Whether its store is one that was not known, and may have something of a session that has ended.
        mutating func add(_ kept: KeptResponses) -> Bool {
            let (store, id) = (ObjectIdentifier(kept.store), ObjectIdentifier(kept))
            if let place = places[store], place.store === kept.store {
                if place.keepers[id]?.kept == nil {
                    var keepers = place.keepers.filter { $0.value.kept != nil }
                    keepers[id] = Keeper(kept: kept)
                    places[store]?.keepers = keepers
                }
                return false
            }
            places = places.filter { $0.value.store != nil }
            places[store] = Place(store: kept.store, keepers: [id: Keeper(kept: kept)])
            guard endCount > 0, let path = kept.store.path else { return endCount > 0 }
            return cleared[path] != endCount
        }

        /// Takes that nothing is left in a store of the first sessions.
        mutating func noteCleared(_ kept: KeptResponses, of count: Int) {
            guard let path = kept.store.path else { return }
            cleared[path] = max(count, cleared[path] ?? 0)
        }

        /// Takes that a session has ended.
        ///
        /// - Returns: Those who keep something of it, by stores.
        mutating func endSession() -> [[KeptResponses]] {
            endCount += 1
            return places.values.map(\.kept)
        }

        /// Those in whose stores something is left of a session that could not go with it, by stores.
        var unfinished: [[KeptResponses]] {
            places.values.map(\.kept).filter { $0.contains(where: \.hasLeftovers) }
        }
    }
}
