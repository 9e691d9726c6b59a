public import Foundation
public import LarderPromises

/// What is removed, and by whom.
extension ResponseCache {
    /// Removes all that is kept, or what is kept of the origin of a URL (scheme, host and port), such as when somebody
    /// logs out.
    ///
    /// What was asked for before is not kept any more.
    @discardableResult
    public func flush(origin url: URL? = nil) -> Promise<Void> {
        let origin = url.flatMap { try? URLReference($0.absoluteString).origin }
        guard url == nil || origin != nil else { return .fulfilled(()) }
        state.withLock { $0.invalidate(nil) }
        return changing { try $0.removeAll(from: origin) }
    }

    /// Removes what is of no use any more; done once by itself when the cache is first used.
    @discardableResult
    public func removeExpired() -> Promise<Void> {
        let now = now()
        return changing { try $0.removeExpired(at: now) }
    }

    /// Removes whatever is kept of one resource.
    func flush(_ resource: [UInt8]) -> Promise<Void> {
        state.withLock { $0.invalidate(resource) }
        return changing { try $0.removeAll(of: resource) }
    }

    private func changing(
        _ body: @escaping @Sendable (any ResponseCacheProvider) throws -> Void
    ) -> Promise<Void> {
        let (promise, resolver) = Promise<Void>.pending()
        change([]) {
            resolver.resolve(
                with: Result {
                    try body(self.memory)
                    if let provider = self.provider { try body(provider) }
                })
        }
        return promise
    }

    /// Fulfilled once what is asked for meanwhile has come, and changes that have begun are done; for tests.
    func settled() -> Promise<Void> {
        let (promise, resolver) = Promise<Void>.pending()
        let isIdle = state.withLock { state in
            if !state.refreshes.isEmpty { state.waiting.append(resolver) }
            return state.refreshes.isEmpty
        }
        if isIdle { resolver.fulfill() }
        return promise.then(on: .immediate) { () -> Promise<Void> in self.changing { _ in } }
    }

    /// Removes whatever is kept of the resource of a request.
    func flush(resourceOf request: TransportRequest, _ redaction: Redaction) -> Promise<Void> {
        Promise { resolver in
            self.look {
                guard let keys = self.keys(redaction, mayWait: true),
                    let key = keys.key(of: request)
                else {
                    return resolver.fulfill(())
                }
                resolver.resolve(with: self.flush(key.resource))
            }
        }
    }
}
