// Responses that are kept, for as long as the server or the app says.

import Foundation
import Larder

@Entity struct Country {
    @Identity var code: String
    var name: String
}

// snippet.configure
let store = try Store.temporary(entities: Country.self)
var configuration = Client.Configuration()
configuration.cache = ResponseCache(in: store)
let client = Client(
    baseURL: "https://api.example.com/", store: store, configuration: configuration)
// snippet.end

// snippet.declaration
struct Countries: Endpoint {
    let path = "countries"
    var cachePolicy: CachePolicy { .disk(for: .seconds(86_400)) }
}

struct Prices: Endpoint {
    let path = "prices"
    var cachePolicy: CachePolicy { .http.servingStale(for: .seconds(3600)) }
}
// snippet.end

// snippet.call
func pullToRefresh() -> Promise<Many<Country>> {
    client.caching(.reload).enqueue(Countries(), as: Many<Country>.self)
}

func withoutNetwork() -> Promise<Many<Country>> {
    client.caching(.cachedOnly).enqueue(Countries(), as: Many<Country>.self)
}
// snippet.end

// snippet.source
func show(_ countries: Response<[Country]>) {
    let age = countries.age.map { "\($0.components.seconds) s old" } ?? "new"
    print(countries.value.count, "countries, \(age), from", countries.source)
}
// snippet.end

// snippet.both
func showBoth() async throws {
    let both = client.cacheThenNetwork { $0.enqueue(Countries(), as: [Country].self) }
    for try await (countries, source) in both {
        print(countries.count, "countries from", source)
    }
}
// snippet.end

// snippet.flush
func forget() async throws {
    try await client.flushCache(of: Prices()).value
    try await client.configuration.cache?.flush(origin: client.baseURL).value
}
// snippet.end

// snippet.provider
/// Keeps whole responses wherever the app likes.
struct Shelf: ResponseCacheProvider {
    let memory = Memory()

    func responses(for key: ResponseCacheKey) throws -> [CachedResponse] {
        memory.read { $0[key] ?? [] }
    }

    func keep(
        _ response: CachedResponse, for key: ResponseCacheKey, replacing ids: [CachedResponse.ID]
    ) throws {
        var response = response
        response.id = .random(in: 1 ... .max)
        let kept = response
        memory.change { all in
            let others = (all[key] ?? []).filter {
                !ids.contains($0.id) && $0.variant != kept.variant
            }
            all[key] = others + [kept]
        }
    }

    func remove(_ ids: [CachedResponse.ID], of key: ResponseCacheKey) throws {
        memory.change { $0[key]?.removeAll { ids.contains($0.id) } }
    }

    func removeAll(of resource: [UInt8]) throws {
        memory.change { all in all = all.filter { $0.key.resource != resource } }
    }

    func removeAll(from origin: String?) throws {
        memory.change { all in all = all.filter { origin != nil && $0.key.origin != origin } }
    }

    func removeExpired(at now: Date) throws {
        memory.change { all in
            all = all.mapValues { $0.filter { $0.uselessAfter.map { $0 >= now } ?? true } }
        }
    }
}
// snippet.end

/// A dictionary behind a lock.
final class Memory: @unchecked Sendable {
    typealias Content = [ResponseCacheKey: [CachedResponse]]

    private let lock = NSLock()
    private var content: Content = [:]

    func read<Result>(_ body: (Content) -> Result) -> Result { lock.withLock { body(content) } }
    func change(_ body: (inout Content) -> Void) { lock.withLock { body(&content) } }
}
