import HTTPTypes
import LarderObjectStore
import LarderPromises

/// The end of a walk, and what no page of it has named.
extension PageWalk {
    /// Whether a walk has ended with the page before, as a server that counts says that there is none behind it.
    ///
    /// Not one that goes on where another was left: nobody knows what the list was like then.
    func ends(by error: any Error) async throws -> Bool {
        guard paging.count != nil, index > 0, !isResumed, let error = error as? ClientError,
            error.reason == .unacceptableStatus, error.status == .notFound,
            // Another one that the server itself has not said just now may be anybody's.
            error.isOfAbsence || !error.source.isOfNow,
            record.since == nil || checkpoint?.token?.isExpired(error) != true
        else { return false }
        // There may be one by now, or it was nobody's word who knows the list.
        if !error.isOfAbsence || !error.isInJSON { pages?.noteGap() }
        place = nil
        var next = record
        next.place = nil
        try await keep(pages == nil ? next.finished : next)
        return true
    }

    /// Has go what no page has named.
    ///
    /// Where the server counts, only what a second walk does not find either.
    func complete() async throws {
        guard let pages else { return }
        // The transaction may be over before it hears of it.
        try Task.checkCancellation()
        guard var objects = pages.objects else { return vanished = .notFound(.incomplete) }
        var missing = try pages.candidates.without(
            objects, of: pages.completeness, in: client.store)
        if !paging.isStable, !missing.isEmpty {
            // What the first walk has left in a cache knows no more than that.
            if checkpoint?.token == nil { asking = client.caching(.reload) }
            // What nothing identifies comes as another row each time.
            if try missing.mayBeNamed(by: pages.completeness, in: client.store) {
                guard let others = try await walkAgain(besides: missing) else {
                    return vanished = .notFound(.incomplete)
                }
                objects.formUnion(laterWalk: others, since: missing)
                missing = try missing.without(others, of: pages.completeness, in: client.store)
            } else if try await isMore(besides: missing) {
                return vanished = .notFound(.incomplete)
            }
        }
        let (completeness, named, candidates) = (pages.completeness, objects, missing)
        var finished = record
        finished.lacksVanished = false
        let (done, name) = (finished.finished, checkpoint?.name)
        let account = client.configuration.account
        let (session, client, stored, list) = (session, client, stored, record.list)
        let isFound: Bool
        (report, isFound) = try await client.store.write { context in
            try client.session.check(session)
            let (report, isFound) = try context.complete(
                completeness, by: named, besides: candidates)
            if let name {
                // Who asked for changes alone now would never hear of the others.
                var record = isFound ? done : PullRecord(list: list)
                record.isForgotten = done.isForgotten
                try PullRecords(tables: context.sideTables)
                    .replace(stored, by: &record, of: name, account)
            }
            return (report, isFound)
        }
        vanished = isFound ? .found : .notFound(.incomplete)
    }

    private func walkAgain(besides missing: VanishingCandidates) async throws -> ListedObjects? {
        guard let completeness = pages?.completeness else { return nil }
        let again = ListedPages(completeness, besides: missing)
        pages = again
        (place, index, visited) = (paging.first, 0, [])
        while try await read() != nil {}
        guard let objects = again.objects else { return nil }
        return try await isMore(besides: missing) ? nil : objects
    }

    /// Whether the server may have more than a walk has told, which has ended with its first page as that has fewer
    /// elements than it could have: it may give no more at a time.
    private func isMore(besides missing: VanishingCandidates) async throws -> Bool {
        guard let further, let completeness = pages?.completeness else { return false }
        let (beyond, step) = (ListedPages(completeness, besides: missing), PullStep())
        pages = beyond
        let page: Response<Value>
        do {
            page = try await promise(at: further, step, isKept: false).value
        } catch let error as ClientError where error.isAnswer {
            if error.status == .notFound, !error.isInJSON { return true }
            // Of anything else nobody knows what it says.
            return ![400, 404, 410, 416, 422].contains(error.status?.code)
        }
        // What was not sent, or is none of now, says nothing.
        guard beyond.objects != nil else { return beyond.named != nil }
        return try paging.count?(page, step.position(at: 1)) != 0
    }
}

extension ClientError {
    /// Whether an API has said so: a server that is just being replaced answers anything by 404, in plain text or none.
    fileprivate var isInJSON: Bool {
        headerFields?[.contentType]?.lowercased().contains("json") == true
    }
}
