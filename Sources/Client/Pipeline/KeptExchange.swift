import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

/// An exchange whose response is kept, so that the store can answer the next one.
final class KeptExchange: Sendable {
    let key: KeptResponseKey
    /// The number of times that something had been made invalid when it was begun.
    let turn: Int
    /// Whether something was kept then that was good.
    let wasGood: Bool
    /// What is kept so far, where the server has been asked whether that is still good.
    let kept: KeptResponse?
    /// Whether the session is going on that it was begun in: in no other one anything of it is kept.
    let isCurrent: @Sendable () -> Bool
    /// Takes the point of no return of who waits; false where the response must not be stored.
    let commit: @Sendable () -> Bool
    /// Takes how it ends, which who began it tells.
    let end: @Sendable (RequestEvent.Kind) -> Void
    /// Whether the response has been kept, or nothing in place of it.
    let isNoted = Guarded(false)
    /// Where it was sent last, and the number of writes that had been sent there, or had ended.
    private let sent = Guarded<(origin: String, writeCount: Int)?>(nil)

    init(
        key: KeptResponseKey, turn: Int, wasGood: Bool, kept: KeptResponse?,
        isCurrent: @escaping @Sendable () -> Bool,
        commit: @escaping @Sendable () -> Bool,
        end: @escaping @Sendable (RequestEvent.Kind) -> Void
    ) {
        (self.key, self.turn, self.wasGood, self.kept) = (key, turn, wasGood, kept)
        (self.isCurrent, self.commit, self.end) = (isCurrent, commit, end)
    }

    /// Takes that a request is being sent.
    func noteSending(_ request: TransportRequest, by client: Client) {
        let origin = request.origin
        let count = client.configuration.writes[origin]
        sent.withLock { $0 = (origin, count) }
    }

    /// Whether something may have changed since it was sent, of which the response may know nothing: the next one is
    /// to ask again.
    fileprivate func isOvertaken(for client: Client) -> Bool {
        guard let sent = sent.withLock(\.self) else { return false }
        return client.configuration.writes[sent.origin] != sent.writeCount
    }

    /// What keeps a response, or that there is none to be kept.
    func keeping<Value: Importable>(
        _ type: Value.Type, of json: JSONValue, at keyPath: String?, _ arrival: Arrival
    ) -> SkeletonKeeping {
        let (request, response, client) = (arrival.request, arrival.response, arrival.client)
        return { [self] skeleton, context in
            isNoted.withLock { $0 = true }
            guard isCurrent() else { return }
            let tables = try context.sideTables
            let secrets = client.kept.secrets(by: client.configuration.redaction)
            var kept = KeptResponse(
                response, skeleton, of: json, as: type, at: keyPath,
                // What a cache had is older than now.
                now: client.configuration.now() - (response.age?.seconds ?? 0),
                removing: AddedItems(of: request), secrets: secrets.contain,
                reading: StoredImport.reading(of: type, by: arrival.decodingOptions))
            if let head = kept?.head { kept?.variant = variant(of: head, arrival) }
            let conditions = kept?.conditions ?? [:]
            let known =
                response.isOfNow
                ? nil
                : try client.kept.find(key, in: tables) {
                    StoredImport.reading(of: type, by: arrival.decodingOptions)
                }
            if let known, let kept, known.isLater(than: kept) { return }
            if skeleton.isRestored {
                // By a cache it has come once more, which tells nothing of what is known of it.
                if !conditions.isEmpty, let known, known.conditions == conditions,
                    known.keyPath == keyPath
                {
                    kept?.skeleton.complete(by: known.skeleton)
                }
            } else if !conditions.isEmpty {
                // By these a confirmation is told from one of what others have written over since.
                kept?.skeleton.digest = try context.digest(of: skeleton)
                kept?.skeleton.gone = try context.gone(by: skeleton)
            }
            if response.isOfNow {
                kept?.isInvalid = isOvertaken(for: client)
            } else {
                // Nor is it good again by that, or whole where another model alone has stored it, or nobody.
                let way = StoredImport(
                    type, at: keyPath, in: client.store, of: client.kept.origin,
                    by: arrival.decodingOptions)
                let isUnknown =
                    skeleton.isRestored
                    && response.sent?.receipt?.isStored(exactlyBy: way.digest) == false
                kept?.isInvalid = isUnknown || known?.isInvalid == true
            }
            try client.kept.keep(kept, for: key, since: turn, wasGood: wasGood, in: tables)
        }
    }

    /// What has chosen a response with a head, besides whose it is, which ``key`` knows.
    fileprivate func variant(of head: HTTPResponse, _ arrival: Arrival) -> KeptVariant {
        let configuration = arrival.client.configuration
        let isKnown = configuration.account != nil || key.isOfSession
        let secrets = arrival.client.kept.secrets(by: configuration.redaction)
        let keys = KeyMaker(salt: []) { secrets.contain($0) }.keys(for: arrival.request)
        return KeptVariant(of: head, to: arrival.request) { isKnown && keys.isSecret($0) }
    }

    /// What notes that what has been kept is committed, and keeps nobody who has asked for it; nil where nothing was.
    func committed(in kept: KeptResponses) -> (() -> Void)? {
        guard isNoted.withLock(\.self) else { return nil }
        return { [key, turn] in kept.noteKept(key, since: turn) }
    }
}

/// What the server says of a response that is kept.
extension Delivery {
    /// Whether a response says that the one that is kept is still good, whose value is made again then.
    func isConfirmed(
        by response: TransportResponse, to request: TransportRequest, at place: ImportLine.Place?
    ) -> Bool {
        // An interceptor may have asked for something else.
        guard let keeping, let kept = keeping.kept, response.head.status == .notModified,
            request.bears(kept.conditions)
        else { return false }
        // Of another resource, variant or version, it is no confirmation of this one.
        guard response.redirects.isEmpty, kept.variant.isMatch(request),
            !ResourceVersion.isOther(response.head.headerFields, than: kept.head.headerFields)
        else {
            place?.leave()
            let error = ClientError(.notStored, underlying: ReplayError.incomplete)
            fail(error, request, response)
            return true
        }
        var job = Import(
            delivery: self, request: request, response: response, processed: response,
            document: nil)
        job.rest = serializer.confirming(kept, keeping)
        store(job, at: place)
        return true
    }
}

extension ResponseSerializer {
    /// Makes the value again of a response that is kept, and notes that it is still good.
    fileprivate func confirming(
        _ kept: KeptResponse, _ keeping: KeptExchange
    ) -> ResponseSerializer {
        ResponseSerializer(isStoring: true, writesMore: true) { arrival in
            let client = arrival.client
            let now = client.configuration.now()
            let secrets = client.kept.secrets(by: client.configuration.redaction)
            var confirmed = kept.confirmed(
                by: StoredFields.kept(
                    of: arrival.response.head.headerFields,
                    removing: AddedItems(of: arrival.request),
                    without: secrets.contain),
                at: now)
            // What it names by now, and what an older version has not noted.
            confirmed.variant = keeping.variant(of: confirmed.head, arrival)
            return try arrival.inTransaction { [confirmed] arrival, context in
                // What has come meanwhile is newer.
                guard try client.kept.has(kept, for: keeping.key, in: context.sideTables) else {
                    throw ReplayError.incomplete
                }
                let replayed: Replayed<Value>
                do {
                    replayed = try self.replayed(
                        Replay(
                            kept: confirmed, request: arrival.request, snapshot: context,
                            options: arrival.decodingOptions, source: .revalidated, age: .zero))
                } catch  where !(error is CancellationError) {
                    throw ReplayError.incomplete
                }
                // The server has what is missing here, and not what may have vanished, and is asked for all of it.
                if let list = arrival.list,
                    try context.isOvertaken(
                        confirmed.skeleton, among: list.candidates, of: list.completeness,
                        isCurrent: arrival.isCurrent)
                {
                    throw ReplayError.incomplete
                }
                // Of what has come again in another row, its fetching can't be noted.
                let isFetchKnown = !replayed.hasReplaced || !client.store.keepsFetchTimes
                guard replayed.missingCount == 0, isFetchKnown,
                    try client.kept.whole.isWhole(confirmed, in: context),
                    try context.noteFetched(confirmed.skeleton, at: now)
                else { throw ReplayError.incomplete }
                if keeping.isCurrent() {
                    var confirmed = confirmed
                    confirmed.isInvalid = keeping.isOvertaken(for: client)
                    try client.kept.confirm(
                        confirmed, for: keeping.key, since: keeping.turn, wasGood: keeping.wasGood,
                        in: context.sideTables)
                }
                keeping.isNoted.withLock { $0 = true }
                if let noted = keeping.committed(in: client.kept) {
                    arrival.own?.whenCommitted(noted)
                }
                return (replayed.value, ImportReport())
            }
        }
    }
}
