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
    /// An interceptor's `onChange`, by which an app gives up the credential that it keeps, is told behind all that, the
    /// cache's content and the file of cookies included where these take no longer than 10 seconds, or behind its failure: a
    /// process that ends before then starts as who was logged in, with what is theirs.
    ///
    /// Those made by ``configured(_:)`` end with it; other clients of the store don't. What the app has in memory is its
    /// own matter. What an earlier run of the app has begun over a ``BackgroundTransport`` goes on to its end, and is handed
    /// to nobody with another credential.
    ///
    /// - Parameter entities: The entities whose objects stay, with those of their families.
    /// - Returns: A promise that is fulfilled once all of it has gone, from the file of a ``CookieJar`` too, behind what
    ///   had come before. By then `onChange` has been told, unless another change of its interceptor's is still going on,
    ///   as with two log-outs at once: then it is told behind that one. It is rejected with a `WritingError` where
    ///   what stays can't be without what goes, and the objects are as they were then, while what the store can
    ///   answer by has gone, or with a ``CookieJar/FileError`` where that file can't be written. Where the store
    ///   can't, or the cache, it is a `StoreError`, and what they can answer by is tried again to remove, as
    ///   <doc:Authorization> says.
    @discardableResult
    public func logOut(keeping entities: [any Entity.Type] = []) -> Promise<Void> {
        let clearing = kept.beginClearing()
        // Another client of the store, which may be made meanwhile, is not asked by the next one before that either.
        let ending = kept.beginEndingSession()
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
        let besides = Promise.allSettled(flushed, flushedAgain, saved)
        // Not what is asked for by who is told.
        let ended = requestsInFlight
        let (cleared, resolver) = Promise<Void>.pending()
        let (tellings, notes) = (changes.map { $0.tell }, changes.map { $0.noteCleared })
        // Only now, as a process that ends before starts as the one whose objects are there; and not in the line, as who
        // is told may wait for what is stored behind that.
        let end: @Sendable (Result<Void, any Error>, Bool) -> Void = {
            [kept, configuration] result, isDone in
            if isDone { for noteCleared in notes { noteCleared(kept) } }
            kept.noteSessionEnded(ending, isDone: isDone)
            configuration.tell(behind: besides) {
                for tell in tellings { tell() }
                resolver.resolve(with: result)
            }
        }
        store.afterTransaction { [kept] error in
            if let error { resolver.reject(error) }
            place.run {
                let (result, isDone) = kept.endClearing(clearing) { context in
                    if let error { throw error }
                    try context.deleteAll(except: entities)
                }
                end(result, isDone)
            }
        }
        // Who hears of it may wait for what is stored behind that.
        for change in changes { change.release() }
        RequestInFlight.cancel(ended)
        return cleared.then(on: .immediate) { flushed }.then(on: .immediate) { flushedAgain }
            .then(on: .immediate) { saved }
    }
}
