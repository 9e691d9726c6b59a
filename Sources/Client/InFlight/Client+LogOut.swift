public import LarderObjectStore
public import LarderPromises

extension Client {
    /// Ends the session of whoever is logged in: of what was theirs nothing is left, and nothing of it comes later.
    ///
    /// ```swift
    /// client.logOut(keeping: [Setting.self])
    /// ```
    ///
    /// At once, ``AuthorizationInterceptor``s of the configuration log out, its ``Configuration/cookies`` go, and all
    /// ``requestsInFlight`` are cancelled, in this order. Then the store's objects do, all together, with what the store can answer by, and
    /// what the ``Configuration/cache`` has. What was asked for before stores nothing any more and sets no cookie, whichever
    /// way it was on, also where its promise had been fulfilled: it is rejected with ``ClientError/Reason/loggedOut``. What
    /// is asked for from here on is answered by nothing of before, and stored once that is gone.
    ///
    /// Those made by ``configured(_:)`` end with it; other clients of the store don't. What the app has in memory is its
    /// own matter.
    ///
    /// - Parameter entities: The entities whose objects stay, with those of their families.
    /// - Returns: A promise that is fulfilled once all of it has gone, behind what had come before, and rejected with a `WritingError` where what
    ///   stays can't be without what goes: the objects are as they were then.
    @discardableResult
    public func logOut(keeping entities: [any Entity.Type] = []) -> Promise<Void> {
        kept.beginClearing()
        // Before anybody asks in the next session, whose responses come behind it.
        let place = importLine.reservePlace()
        // First whatever says who somebody is; cookies after credentials, as none is taken that comes by one of those.
        let changes = configuration.interceptors
            .compactMap { ($0 as? AuthorizationInterceptor)?.beginChange(to: nil) }
        configuration.cookies?.removeAll()
        let flushed = configuration.cache?.flush() ?? .fulfilled(())
        session.end()
        // None that was taken meanwhile, by what could not know.
        configuration.cookies?.removeAll()
        // Not what is asked for by who is told.
        let ended = requestsInFlight
        for tell in changes { tell() }
        RequestInFlight.cancel(ended)
        let (cleared, resolver) = Promise<Void>.pending()
        // Nobody else's, whatever becomes of the objects.
        let clear: @Sendable (_ body: (Context) throws -> Void) throws -> Void = { [kept] body in
            try kept.removeAll(alongWith: body)
            kept.endClearing()
        }
        let clearRest: @Sendable () -> Void = {
            try? clear { try PullRecords(tables: $0.sideTables).removeAll() }
        }
        store.afterTransaction { error in
            if let error { resolver.reject(error) }
            place.run {
                guard error == nil else { return clearRest() }
                let result = Result { try clear { try $0.deleteAll(except: entities) } }
                if case .failure = result { clearRest() }
                resolver.resolve(with: result)
            }
        }
        return cleared.then(on: .immediate) { flushed }
    }
}
