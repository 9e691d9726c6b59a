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

    func isStored(exactlyBy way: Int64) -> Bool { version.imports.contains(way) }

    func noteStored(by way: Int64) {
        if !version.imports.contains(way) { cache.note(way, of: version, key, by: policy) }
    }

    func discard() { cache.discard(version, key, by: policy) }
}

/// A way of storing content: as which type, from which place in it, and in which store, by which model and options.
struct StoredImport {
    /// A digest of these: what ``origin(of:by:)`` is, and 32 bits of the rest, whatever the model is.
    let digest: Int64

    /// Stands for stores in memory, which are gone with the process.
    private static let process = UUID().uuidString

    /// What of a way a serializer knows.
    struct Way: Sendable {
        /// Makes the digest in a store, of an origin, by options.
        let digest: @Sendable (Store, UInt32, DecodingOptions) -> Int64
        /// Tells how content is read by options.
        let reading: @Sendable (DecodingOptions) -> String
    }

    /// - Parameters:
    ///   - keyPath: The place in the content, nil for the whole.
    ///   - origin: That of the store, by its model.
    ///   - options: Those of who stores it.
    init(
        _ type: Any.Type, at keyPath: String?, in store: Store, of origin: UInt32,
        by options: DecodingOptions
    ) {
        let path = keyPath.map { "$." + $0 } ?? "$"
        // Whatever holds objects, they are the same.
        let own = ElementTypes.innermost(of: type)
        let name = (own as? any Entity.Type)?.entityName ?? TypeName.lasting(of: own)
        var text = "\(name)\n\(path)\n\(Self.place(of: store))"
        let signature = ElementTypes.signature(of: own, by: options)
        if !signature.isEmpty { text += "\n" + signature }
        let rest = Self.digest(of: Array(text.utf8))
        digest = Int64(bitPattern: UInt64(origin) << 32 | UInt64(rest))
    }

    /// The way in which content is stored as a type.
    static func way<Value: Importable>(_ type: Value.Type, at keyPath: String?) -> Way {
        Way { store, origin, options in
            StoredImport(Value.self, at: keyPath, in: store, of: origin, by: options).digest
        } reading: {
            reading(of: Value.self, by: $0)
        }
    }

    /// Tells how a type is read of content, by options; empty where by none that say anything, as of objects.
    static func reading(of type: Any.Type, by options: DecodingOptions) -> String {
        let signature = ElementTypes.signature(of: type, by: options)
        if signature.isEmpty { return "" }
        if let reading = readings.withLock({ $0[signature] }) { return reading }
        let digest = SHA256Digest.digest(of: Array(signature.utf8)).prefix(16)
        let reading = ResponseRow.hexadecimal(Array(digest))
        readings.withLock { readings in
            if readings.count >= 64 { readings = [:] }
            readings[signature] = reading
        }
        return reading
    }

    /// What ``reading(of:by:)`` has told, by signatures, of which an app has few.
    private static let readings = Guarded<[String: String]>([:])

    /// A digest of a store, 12 bits, and of its model, 20 bits.
    static func origin(of store: Store, by model: [UInt8]) -> UInt32 {
        let place = Array(place(of: store).utf8)
        return digest(of: place) & 0xFFF0_0000 | digest(of: place + model) >> 12
    }

    /// Whether content has been stored in a way, by whichever model.
    static func isDone(_ way: Int64, among imports: Set<Int64>) -> Bool {
        imports.contains { UInt32(truncatingIfNeeded: $0 ^ way) == 0 }
    }

    /// Whether a store has content by another model than its own, too.
    static func isOfOtherModel(_ imports: Set<Int64>, than origin: UInt32) -> Bool {
        imports.contains { way in
            let own = UInt32(truncatingIfNeeded: way >> 32)
            return own >> 20 == origin >> 20 && own != origin
        }
    }

    private static func place(of store: Store) -> String {
        store.path.map { lastingPlace($0, home: NSHomeDirectory()) }
            ?? "\(process) \(ObjectIdentifier(store))"
    }

    /// A path without what is another one after an update of the app, or on another device: the names of the folders
    /// that the system gives it, for itself and for its group.
    static func lastingPlace(_ path: String, home: String) -> String {
        var (path, home) = (publicPath(path), publicPath(home))
        if home.hasSuffix("/") { home.removeLast() }
        if !home.isEmpty, path.hasPrefix(home + "/") { return "~" + path.dropFirst(home.count) }
        if let group = path.range(of: "/AppGroup/"),
            let end = path[group.upperBound...].firstIndex(of: "/"),
            UUID(uuidString: String(path[group.upperBound..<end])) != nil
        {
            path.removeSubrange(..<end)
            return "~AppGroup" + path
        }
        return path
    }

    /// A path as it is with the link by which the system leads to some folders.
    private static func publicPath(_ path: String) -> String {
        path.hasPrefix("/private/var/") ? String(path.dropFirst("/private".count)) : path
    }

    private static func digest(of bytes: [UInt8]) -> UInt32 {
        SHA256Digest.digest(of: bytes).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
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
        changeOrLeave(key.resource) {
            let ids = try storage.responses(for: key).filter(version.isSame).map(\.id)
            if !ids.isEmpty { try storage.remove(ids, of: key) }
        }
    }
}

/// A provider that notes in which ways a response has been stored without keeping all of it anew.
protocol ImportNoting: ResponseCacheProvider {
    func note(_ import: Int64, of version: CachedResponse.Version, for key: ResponseCacheKey) throws
}
