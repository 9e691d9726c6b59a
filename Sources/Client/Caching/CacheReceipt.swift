import Foundation
import LarderObjectStore
import LarderPromises

/// The receipt for a response that a cache keeps.
///
/// A class, so that a response stays small.
final class CacheReceipt: ResponseReceipt {
    private let cache: ResponseCache
    private let policy: CachePolicy
    private let key: ResponseCacheKey
    private let version: CachedResponse.Version

    init(
        _ version: CachedResponse.Version, for key: ResponseCacheKey, in cache: ResponseCache,
        by policy: CachePolicy
    ) {
        (self.cache, self.policy, self.key, self.version) = (cache, policy, key, version)
    }

    func isStored(by way: Int64) -> Bool { version.imports.contains(way) }

    func noteStored(by way: Int64) {
        if !isStored(by: way) { cache.note(way, of: version, key, by: policy) }
    }

    func discard() { cache.discard(version, key, by: policy) }
}

/// A way of storing content: as which type, from which place in it, and in which store, by which model.
struct StoredImport {
    /// A digest of these.
    let digest: Int64

    /// Stands for stores in memory, which are gone with the process.
    private static let process = UUID().uuidString

    init(_ type: Any.Type, at path: String, in store: Store, by model: [UInt8]) {
        let place = store.path ?? "\(Self.process) \(ObjectIdentifier(store))"
        let bytes = Array("\(TypeName.lasting(of: type))\n\(path)\n\(place)\n".utf8) + model
        digest = SHA256Digest.digest(of: bytes).prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    }
}

extension CachedResponse {
    /// What tells a response from others that were kept in its place.
    struct Version: Sendable {
        let received: Date
        let variant: [String: [UInt8]?]
        /// The ways in which it has been stored.
        let imports: Set<Int64>

        /// Whether that is it.
        func isSame(_ other: CachedResponse) -> Bool {
            other.received == received && other.variant == variant
        }
    }

    var version: Version { Version(received: received, variant: variant, imports: imports) }
}

extension ResponseCache {
    /// Notes a way in which a response has been stored, behind whatever keeps it.
    fileprivate func note(
        _ import: Int64, of version: CachedResponse.Version, _ key: ResponseCacheKey,
        by policy: CachePolicy
    ) {
        guard let storage = storage(of: policy) else { return }
        change(key.resource) {
            if let storage = storage as? any ImportNoting {
                return try storage.note(`import`, of: version, for: key)
            }
            for var response in try storage.responses(for: key) where version.isSame(response) {
                response.imports.insert(`import`)
                try storage.keep(response, for: key, replacing: [response.id])
            }
        }
    }

    /// Removes a response, unless another has taken its place.
    fileprivate func discard(
        _ version: CachedResponse.Version, _ key: ResponseCacheKey, by policy: CachePolicy
    ) {
        guard let storage = storage(of: policy) else { return }
        change(key.resource) {
            let ids = try storage.responses(for: key).filter(version.isSame).map(\.id)
            if !ids.isEmpty { try storage.remove(ids, of: key) }
        }
    }
}

/// A provider that notes in which ways a response has been stored without keeping all of it anew.
protocol ImportNoting: ResponseCacheProvider {
    func note(_ import: Int64, of version: CachedResponse.Version, for key: ResponseCacheKey) throws
}
