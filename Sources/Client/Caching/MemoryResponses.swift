import Foundation
import LarderPromises

/// Responses that are kept in memory, those that were used last.
final class MemoryResponses: ImportNoting {
    private struct Place: Hashable {
        let key: ResponseCacheKey
        let id: Int64
    }

    private struct State {
        var responses: [ResponseCacheKey: [CachedResponse]] = [:]
        /// The turn in which each was used last.
        var uses: [Place: Int] = [:]
        var turn = 0
        var lastID: Int64 = 0
        var size = 0

        mutating func use(_ place: Place) {
            turn += 1
            uses[place] = turn
        }

        /// Removes of a key what was not used for longest, where there are too many variants.
        mutating func makePlace(of key: ResponseCacheKey) {
            let all = responses[key] ?? []
            guard all.count >= ResponseCache.mostVariants else { return }
            let turns = all.map { (uses[Place(key: key, id: $0.id)] ?? 0, $0.id) }
                .sorted { $0.0 > $1.0 }
            let old = Set(turns.dropFirst(ResponseCache.mostVariants - 1).map(\.1))
            remove(key) { old.contains($0.id) }
        }

        mutating func remove(_ key: ResponseCacheKey, where isGone: (CachedResponse) -> Bool) {
            guard let all = responses[key] else { return }
            for response in all where isGone(response) {
                uses[Place(key: key, id: response.id)] = nil
                size -= response.size
            }
            let rest = all.filter { !isGone($0) }
            responses[key] = rest.isEmpty ? nil : rest
        }
    }

    private let state = Guarded(State())
    private let limit: Int
    private let responseLimit: Int

    /// - Parameters:
    ///   - limit: The number of bytes that all may take.
    ///   - responseLimit: The number of bytes that one may take.
    init(limit: Int, responseLimit: Int) {
        (self.limit, self.responseLimit) = (limit, min(responseLimit, limit))
    }

    /// The number of bytes that all take.
    var size: Int { state.withLock(\.size) }

    func responses(for key: ResponseCacheKey) -> [CachedResponse] {
        state.withLock { state in
            let found = state.responses[key] ?? []
            for response in found { state.use(Place(key: key, id: response.id)) }
            return found
        }
    }

    func keep(
        _ response: CachedResponse, for key: ResponseCacheKey, replacing ids: [CachedResponse.ID]
    ) {
        state.withLock { state in
            state.remove(key) { ids.contains($0.id) || $0.variant == response.variant }
            guard response.size <= responseLimit else { return }
            state.makePlace(of: key)
            state.lastID += 1
            var response = response
            response.id = state.lastID
            state.responses[key, default: []].append(response)
            state.size += response.size
            state.use(Place(key: key, id: response.id))
            guard state.size > limit else { return }
            // Somewhat more than needed, so that the next ones find room.
            for (place, _) in state.uses.sorted(by: { $0.value < $1.value })
            where state.size > limit / 8 * 7 {
                state.remove(place.key) { $0.id == place.id }
            }
        }
    }

    func note(
        _ import: Int64, of version: CachedResponse.Version, for key: ResponseCacheKey
    ) {
        state.withLock { state in
            if let index = state.responses[key]?.firstIndex(where: version.isSame) {
                state.responses[key]?[index].imports.insert(`import`)
            }
        }
    }

    func remove(_ ids: [CachedResponse.ID], of key: ResponseCacheKey) {
        state.withLock { $0.remove(key) { ids.contains($0.id) } }
    }

    func removeAll(of resource: [UInt8]) {
        remove { key, _ in key.resource == resource }
    }

    func removeAll(from origin: String?) {
        remove { key, _ in origin == nil || key.origin == origin }
    }

    func removeExpired(at now: Date) {
        remove { $1.isUseless(at: now) }
    }

    private func remove(where isGone: (ResponseCacheKey, CachedResponse) -> Bool) {
        state.withLock { state in
            for key in Array(state.responses.keys) { state.remove(key) { isGone(key, $0) } }
        }
    }
}
