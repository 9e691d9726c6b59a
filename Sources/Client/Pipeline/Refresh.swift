import LarderObjectStore
import LarderPromises

/// A request that is sent once more for nobody who waits, so that what the server says of it by now is stored as it
/// comes.
struct Refresh<Value: Sendable>: Sendable {
    let endpoint: any Endpoint
    /// The request as it goes to the interceptors.
    let request: TransportRequest
    let serializer: ResponseSerializer<Value>
    let client: Client
    /// The session that it is of, in whose name nothing is sent behind it.
    let session: Int

    /// Begins it, on another thread and in no transaction.
    ///
    /// - Parameter completion: Called once it has ended, whatever has come of it.
    func start(_ completion: @escaping @Sendable () -> Void) {
        let (promise, resolver) = Promise<Value>.pending()
        _ = promise.handle { _ in completion() }
        client.deliveryQueues.run {
            do { try send(to: resolver) } catch { resolver.reject(error) }
        }
    }

    /// What is changed meanwhile, by whoever does not know that somebody asks, is newer than what the server may have
    /// said before it.
    private func send(to resolver: Resolver<Value>) throws {
        let (writes, origin) = (client.configuration.writes, request.origin)
        let count = writes[origin]
        let serializer = serializer.checking {
            if writes[origin] != count { throw CancellationError() }
        }
        let client = client.configured { configuration in
            configuration.overridingCachePolicy = .serverAlone
                .completed(by: configuration.overridingCachePolicy)
            // What the store has by then is no answer, but is to be kept like any other.
            if configuration.fetchPolicy(of: endpoint).isOn {
                configuration.overridingFetchPolicy = .networkFirst()
            }
            configuration.priority = .low
            configuration.progressReports = []
        }
        let fetch = try Fetch(
            endpoint, as: request, serializer, for: client, in: nil, at: nil, nil, of: session,
            to: resolver)
        if let fetch { return fetch.start() }
        Delivery(
            endpoint, as: request, serializer, for: client, in: nil, at: nil, nil, of: session,
            to: resolver
        )
        .start()
    }
}

extension Delivery {
    /// Has the server asked about what a cache has answered by, and its objects stored; nil where there are none, or
    /// more than these are written.
    var refresh: CachingStage.Refresh? {
        guard serializer.way != nil, !serializer.writesMore else { return nil }
        return Refresh(
            endpoint: endpoint, request: request, serializer: serializer, client: client,
            session: session
        ).start
    }
}

extension ResponseSerializer {
    /// The same value, where something does not throw once it is to be made, and nothing is stored otherwise.
    fileprivate func checking(_ check: @escaping @Sendable () throws -> Void) -> Self {
        ResponseSerializer(
            isStoring: isStoring, writesMore: writesMore, way: way,
            prepare: preparing { $0.checking(check) }, replay: replay
        ) { arrival in
            try check()
            return try serialize(arrival)
        }
    }
}
