public import Foundation
public import LarderPromises

/// What is removed, and by whom.
extension ResponseCache {
    /// Removes all that is kept, or what is kept of the origin of a URL (scheme, host and port), such as when somebody
    /// logs out.
    ///
    /// What was asked for before is not kept any more. Where something can't be removed, as another process has the file
    /// for long, the promise is rejected, and nothing that is kept is used in this process before all of it has gone, which
    /// is tried again whenever somebody asks, and by the next flush.
    @discardableResult
    public func flush(origin url: URL? = nil) -> Promise<Void> {
        let origin = url.flatMap { try? URLReference($0.absoluteString).origin }
        guard url == nil || origin != nil else { return .fulfilled(()) }
        let number = ledger.state.withLock { state -> Int? in
            state.invalidate(nil)
            // That of an origin leaves what another one could not remove.
            return origin == nil ? state.clearings.begin() : nil
        }
        return changing { kept in
            try kept.removeAll(from: origin)
        } finish: { isDone in
            self.end(number, isDone: isDone)
        }
    }

    /// Tries again what a flush could not remove, where nobody is at it; what has come since goes along.
    func flushAgain() {
        guard let number = ledger.state.withLock({ $0.clearings.beginAgain() }) else { return }
        // Nobody waits for it, as nobody finds anything before it is done.
        change(Self.nobodys) {
            var isDone = false
            defer { self.end(number, isDone: isDone) }
            try self.provider?.removeAll(from: nil)
            isDone = true
        }
    }

    /// Tries again what could not be removed of a resource, where nobody changes that; what has come since goes along.
    func removeAgain(_ resource: [UInt8]) {
        let isLeft = ledger.state.withLock {
            $0.leftovers.contains(resource) && $0.changes[resource] == nil
        }
        if isLeft { change(resource) { self.removeAll(of: resource) } }
    }

    /// Removes whatever the provider keeps of a resource; where that fails, nothing of it answers before it is done.
    ///
    /// As a change of that resource, behind those before it.
    func removeAll(of resource: [UInt8]) {
        guard let provider else { return }
        end(resource, isDone: (try? provider.removeAll(of: resource)) != nil)
    }

    /// Changes what is kept of a resource by what takes the place of something; where that fails, nothing of it answers
    /// before it has gone.
    func changeOrLeave(_ resource: [UInt8], _ body: @escaping @Sendable () throws -> Void) {
        change(resource) {
            do { try body() } catch { self.end(resource, isDone: false) }
        }
    }

    /// Takes how the removal of what is kept of a resource has ended.
    private func end(_ resource: [UInt8], isDone: Bool) {
        ledger.state.withLock { state in
            guard isDone else { return state.leave(resource) }
            state.leftovers.remove(resource)
        }
    }

    /// Stands for a resource that nobody asks for.
    private static let nobodys: [UInt8] = [0]

    /// Takes how a flush has ended.
    ///
    /// - Parameter number: That of one of all that is kept.
    private func end(_ number: Int?, isDone: Bool) {
        ledger.state.withLock { state in
            if let number {
                state.clearings.end(number, isDone: isDone)
                if isDone { state.leftovers = [] }
            } else if !isDone {
                state.clearings.end(state.clearings.begin(), isDone: false)
            }
        }
    }

    /// Whether something is left that a flush could not remove.
    var hasLeftovers: Bool { ledger.state.withLock(\.clearings.hasFailed) }

    /// Whether something of a resource may be left that could not be removed.
    func hasLeftovers(of resource: [UInt8]) -> Bool {
        ledger.state.withLock { $0.clearings.hasFailed || $0.leftovers.contains(resource) }
    }

    /// Removes what is of no use any more; done once by itself when the cache is first used.
    @discardableResult
    public func removeExpired() -> Promise<Void> {
        let now = now()
        return changing { try $0.removeExpired(at: now) }
    }

    /// Removes whatever is kept of one resource; where that fails, nothing of it answers before it is done.
    func flush(_ resource: [UInt8]) -> Promise<Void> {
        ledger.state.withLock { $0.invalidate(resource) }
        return changing {
            try $0.removeAll(of: resource)
        } finish: { isDone in
            self.end(resource, isDone: isDone)
        }
    }

    /// - Parameter finish: Called with whether that is done, before anybody is answered.
    private func changing(
        _ body: @escaping @Sendable (any ResponseCacheProvider) throws -> Void,
        finish: @escaping @Sendable (_ isDone: Bool) -> Void = { _ in }
    ) -> Promise<Void> {
        let (promise, resolver) = Promise<Void>.pending()
        change([]) {
            let result = Result {
                try body(self.memory)
                if let provider = self.provider { try body(provider) }
            }
            finish((try? result.get()) != nil)
            resolver.resolve(with: result)
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
