import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting

@testable import LarderClient

/// A client with a cache and a time of its own.
struct CacheSetting {
    let clock = WallClock()
    let cache: ResponseCache
    let client: Client
    let transport: StubTransport

    init(
        in store: Store? = nil, policy: CachePolicy = .http,
        limits: ResponseCache.Limits = .init(),
        validators: [Validator] = [.status(200..<300)], coalescing: Coalescing = .separate,
        queue: RequestQueue? = nil,
        _ answer: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) throws {
        cache = ResponseCache(in: store, limits: limits) { [clock] in clock.now }
        transport = StubTransport(answer)
        var configuration = Client.Configuration(transport: transport, timeout: .seconds(600))
        (configuration.cache, configuration.cachePolicy) = (cache, policy)
        (configuration.validators, configuration.coalescing) = (validators, coalescing)
        configuration.queue = queue
        client = Client(
            baseURL: "http://test.invalid/", store: try store ?? TestClient.store(),
            configuration: configuration)
    }

    /// The paths that were asked for.
    var asked: [String] { transport.requests.compactMap(\.head.path) }

    func get(_ path: String = "x", by policy: CachePolicy = .clientDefault) async throws
        -> Response<String>
    {
        let response: Response<String> = try await client.caching(policy)
            .enqueue(Resource(path)).value
        _ = try await cache.settled().value
        return response
    }
}

extension CacheSetting {
    /// Whose content is the number of the answer.
    static func counting(
        _ fields: HTTPFields = [.cacheControl: "max-age=60"], status: HTTPResponse.Status = .ok
    ) -> @Sendable (TransportRequest) async throws -> TransportResponse {
        let count = Guarded(0)
        return { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return .json("\(number)", status: status, headerFields: fields)
        }
    }
}
