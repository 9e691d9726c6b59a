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
    /// ``requestsInFlight`` are cancelled, in this order. Meanwhile the store's objects go, all together, with what the store can answer by, and
    /// what the ``Configuration/cache`` has. What was asked for before stores nothing any more and sets no cookie, whichever
    /// way it was on, also where its promise had been fulfilled: it is rejected with ``ClientError/Reason/loggedOut``. What
    /// is asked for from here on is answered by nothing of before, and stored once that is gone.
    ///
    /// Those made by ``configured(_:)`` end with it; other clients of the store don't. What the app has in memory is its
    /// own matter. What an earlier run of the app has begun over a ``BackgroundTransport`` goes on to its end, and is handed
    /// to nobody with another credential.
    ///
    /// - Parameter entities: The entities whose objects stay, with those of their families.
    /// - Returns: A promise that is fulfilled once all of it has gone, from the file of a ``CookieJar`` too, behind what
    ///   had come before. It is rejected with a `WritingError` where what stays can't be without what goes, and the
    ///   objects are as they were then, or with a ``CookieJar/FileError`` where that file can't be written.
    @discardableResult
    public func logOut(keeping entities: [any Entity.Type] = []) -> Promise<Void> {
        let clearing = kept.beginClearing()
        // Before anybody asks in the next session, whose responses come behind it.
        let place = importLine.reservePlace()
        // First whatever says who somebody is; cookies after credentials, as none is taken that comes by one of those.
        let changes = configuration.interceptors
            .compactMap {
                ($0 as? AuthorizationInterceptor)?.beginChange(to: nil, besides: kept)
            }
        configuration.cookies?.removeAll()
        let flushed = configuration.cache?.flush() ?? .fulfilled(())
        session.end()
        // None that was taken meanwhile, by what could not know.
        configuration.cookies?.removeAll()
        let flushedAgain = configuration.cache?.flush() ?? .fulfilled(())
        let saved = configuration.cookies?.saved() ?? .fulfilled(())
        // Not what is asked for by who is told.
        let ended = requestsInFlight
        let (cleared, resolver) = Promise<Void>.pending()
        // Nobody else's, whatever becomes of the objects.
        let clearRest: @Sendable () -> Void = { [kept] in
            try? kept.removeAll(clearing) { try PullRecords(tables: $0.sideTables).removeAll() }
        }
        store.afterTransaction { [kept] error in
            if let error { resolver.reject(error) }
            place.run {
                guard error == nil else { return clearRest() }
                let result = Result {
                    try kept.removeAll(clearing) { try $0.deleteAll(except: entities) }
                }
                if case .failure = result { clearRest() }
                resolver.resolve(with: result)
            }
        }
        // Who is told may wait for what is stored behind that.
        for tell in changes { tell() }
        RequestInFlight.cancel(ended)
        return cleared.then(on: .immediate) { flushed }.then(on: .immediate) { flushedAgain }
            .then(on: .immediate) { saved }
    }
}
