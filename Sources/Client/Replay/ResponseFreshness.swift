public import Foundation
import HTTPTypes
import LarderObjectStore
public import LarderPromises

/// What is known of the last success of an endpoint, where its ``FetchPolicy`` keeps that.
public struct ResponseFreshness: Sendable, Hashable {
    /// When the server sent the response.
    public let fetched: Date

    /// When the server sent it, or last said that it is still good.
    public let confirmed: Date

    /// Whether it is not good any more, by ``Client/invalidate(_:)-(Endpoint)`` or its like.
    public let isInvalid: Bool

    /// The entity tag that it came with.
    public let entityTag: String?

    /// The number of objects that it has brought, those counted twice that stand in it twice.
    public let objectCount: Int

    /// The time since it was confirmed; none where that is yet to come, by a clock that has been set back.
    public func age(at now: Date = Date()) -> Duration? {
        KeptResponse.age(of: confirmed, at: now)
    }
}

extension ResponseFreshness {
    init(_ kept: KeptResponse) {
        (fetched, confirmed, isInvalid) = (kept.fetched, kept.confirmed, kept.isInvalid)
        entityTag = kept.head.headerFields[.eTag]
        objectCount = kept.skeleton.objectCount
    }
}

/// What is known of the last success of an endpoint, again and again; for one reader.
public struct FreshnessUpdates: AsyncSequence, Sendable {
    fileprivate let changes: AsyncStream<Void>
    fileprivate let look: @Sendable () async throws -> ResponseFreshness?

    fileprivate init(
        changes: AsyncStream<Void>, look: @escaping @Sendable () async throws -> ResponseFreshness?
    ) {
        (self.changes, self.look) = (changes, look)
    }

    /// Reads one after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var changes: AsyncStream<Void>.Iterator
        fileprivate let look: @Sendable () async throws -> ResponseFreshness?
        private var last: ResponseFreshness??

        fileprivate init(_ updates: FreshnessUpdates) {
            (changes, look) = (updates.changes.makeAsyncIterator(), updates.look)
        }

        /// The next that differs from the last; nil where there is none.
        public mutating func next() async throws -> ResponseFreshness?? {
            while await changes.next() != nil {
                let now = try await look()
                if last == .some(now) { continue }
                last = .some(now)
                return .some(now)
            }
            return nil
        }
    }

    /// Begins with what is known now.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension Client {
    /// Looks up what is known of the last success of an endpoint; nil where nothing is kept of it.
    ///
    /// It asks for the request as the endpoint builds it; what interceptors add is not looked at.
    public func freshness(of endpoint: some Endpoint) -> Promise<ResponseFreshness?> {
        do {
            guard let key = try keptKey(of: endpoint) else { return .fulfilled(nil) }
            if key.isOfSession {
                configuration.endSessions(with: kept, besides: endpoint.interceptors)
            }
            guard !kept.isClearing(ofSession: key.isOfSession) else { return .fulfilled(nil) }
            let (promise, resolver) = Promise<ResponseFreshness?>.pending()
            let giveUp = store.read { [kept] snapshot in
                try kept.find(key, in: snapshot.sideTables).map(ResponseFreshness.init)
            } finish: {
                resolver.resolve(with: $0)
            }
            resolver.onCancel(giveUp)
            return promise
        } catch {
            return .rejected(error)
        }
    }

    /// Gives what is known of the last success of an endpoint, now and whenever this client, or one made of it, has
    /// changed it; of those not yet read, the last.
    public func freshnessUpdates(of endpoint: some Endpoint) -> FreshnessUpdates {
        let (changes, change) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        change.yield()
        let number = kept.observers.add { change.yield() }
        change.onTermination = { [weak kept] _ in kept?.observers.remove(number) }
        return FreshnessUpdates(changes: changes) { try await self.freshness(of: endpoint).value }
    }

    /// Has what is kept of an endpoint's last success be good no more: who asks next asks the server.
    ///
    /// What is on its way when this is called, by whichever client of the store, is not good either. The store still
    /// answers where the server can't be reached. A ``ResponseCache`` that is beside it has rules of its own, and may
    /// answer in the server's place, which makes nothing good again; ``loadIfNeeded(_:freshFor:_:)`` asks past it.
    @discardableResult
    public func invalidate(_ endpoint: some Endpoint) -> Promise<Void> {
        do {
            guard let key = try keptKey(of: endpoint) else { return .fulfilled(()) }
            return invalidating(.request(key))
        } catch {
            return .rejected(error)
        }
    }

    /// Has what is kept of all endpoints of a type be good no more.
    @discardableResult
    public func invalidate<Target: Endpoint>(_ type: Target.Type) -> Promise<Void> {
        invalidating(.endpoint(KeptResponseKey.name(of: type)))
    }

    /// Has what is kept of all endpoints with a tag be good no more.
    @discardableResult
    public func invalidate(tag: String) -> Promise<Void> {
        invalidating(.tag(tag))
    }

    private func invalidating(_ scope: KeptResponses.Scope) -> Promise<Void> {
        let turn = kept.note(scope)
        let (promise, resolver) = Promise<Void>.pending()
        store.afterTransaction { [kept, deliveryQueues] error in
            if let error { return resolver.reject(error) }
            deliveryQueues.run {
                resolver.resolve(with: Result { try kept.invalidate(scope, noted: turn) })
            }
        }
        return promise
    }

    /// Enqueues an endpoint where its last success is older than a time, or not good any more.
    ///
    /// Unlike ``FetchPolicy/fresh(for:)`` it reads no objects where there is nothing to be done, and where there is, it
    /// asks past a ``ResponseCache``, as by ``CachePolicy/reload``: what that has is no newer success. Where a policy has
    /// nobody be asked, it is the cache's to answer, or by ``FetchPolicy/storeOnly`` the store's.
    ///
    /// - Parameters:
    ///   - time: The time for which a success is good enough.
    ///   - enqueue: Enqueues the endpoint; its policy has to be one by which something is kept.
    /// - Returns: Whether the server was asked.
    @discardableResult
    public func loadIfNeeded<Target: Endpoint, Value: Sendable>(
        _ endpoint: Target, freshFor time: Duration,
        _ enqueue: @escaping @Sendable (Client, Target) -> Promise<Value>
    ) -> Promise<Bool> {
        // By a policy that asks nobody it is the store's to answer, or the cache's.
        let isOfStore = configuration.fetchPolicy(of: endpoint).asking == .storeOnly
        let asksNobody = asksNobody(for: endpoint)
        let client = (asksNobody ? self : caching(.reload))
            .fetching(isOfStore ? .storeOnly : .networkOnly).inSession(for: endpoint)
        let now = configuration.now
        return freshness(of: endpoint).then(on: .immediate) { freshness -> Promise<Bool> in
            if let freshness, !freshness.isInvalid, let age = freshness.age(at: now()), age < time {
                return .fulfilled(false)
            }
            return enqueue(client, endpoint).then(on: .immediate) { _ in !asksNobody }
        }
    }

    /// The key by which a response to an endpoint is kept; nil where none is.
    private func keptKey(of endpoint: some Endpoint) throws -> KeptResponseKey? {
        KeptResponseKey(
            of: try request(for: endpoint), for: endpoint, account: configuration.account,
            isOfSession: configuration.givesCredential(to: endpoint),
            isSecret: kept.secrets(by: configuration.redaction).contain)
    }
}
