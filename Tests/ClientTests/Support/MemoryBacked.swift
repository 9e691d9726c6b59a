import Foundation

@testable import LarderClient

/// A provider that keeps responses in memory, but for what a test has it do otherwise.
protocol MemoryBacked: ResponseCacheProvider {
    var memory: MemoryResponses { get }
}

extension MemoryBacked {
    func responses(for key: ResponseCacheKey) throws -> [CachedResponse] {
        memory.responses(for: key)
    }

    func keep(
        _ response: CachedResponse, for key: ResponseCacheKey, replacing ids: [CachedResponse.ID]
    ) throws {
        memory.keep(response, for: key, replacing: ids)
    }

    func remove(_ ids: [CachedResponse.ID], of key: ResponseCacheKey) throws {
        memory.remove(ids, of: key)
    }

    func removeAll(of resource: [UInt8]) throws { memory.removeAll(of: resource) }
    func removeAll(from origin: String?) throws { memory.removeAll(from: origin) }
    func removeExpired(at now: Date) throws {}
}
