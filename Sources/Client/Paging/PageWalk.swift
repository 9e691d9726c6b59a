import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises

/// A walk through the pages of a list, one after the other.
///
/// Belongs to the task that walks.
final class PageWalk<Value: Sendable> {
    let client: Client
    /// The same as it asks for pages: past its cache where that may have them of before the walk.
    var asking: Client
    private let endpoint: any Endpoint
    private let keyPath: String?
    let paging: Paging<Value>
    private let serializer: Serializer
    let checkpoint: PullCheckpoint<Value>?
    /// What is known of the pull, as of the page that was stored last.
    var record = PullRecord()
    /// The same as the store had it when this was last looked at or written.
    var stored = PullRecord()
    /// The session that it is of.
    let session: Int
    /// Whether it went on where another one was left, and has read nothing since.
    private(set) var isResumed = false
    private let site: (fileID: StaticString, line: UInt)

    /// Makes the serializer of pages that may be a whole, which counts the elements of each.
    typealias Serializer =
        @Sendable (
            _ pages: ListedPages?, _ count: @escaping @Sendable (Int?) -> Void
        ) -> ResponseSerializer<Response<Value>>

    /// The place of the page to read next, nil behind the last.
    var place: NextPage?
    var index = 0
    var visited: Set<String> = []
    /// The number of the last page, where pages are read at the same time.
    private var lastIndex: Int?
    private var ahead: [Promise<Response<Value>>] = []
    private var aheadIndex = 1
    /// What the pages are the whole of, nil where they say nothing of others.
    var pages: ListedPages?
    /// The same for pages that say nothing of others, and have what they name be there, as any list does.
    private let parts: ListedPages?
    /// Where there is more, if the first page has less than the server was asked for as that gives no more at a time;
    /// nil behind others.
    var further: NextPage?
    private var hasBegun = false
    private var hasEnded = false
    /// What has become of objects that no page has.
    var vanished = PullReport.Vanished.notAsked
    /// What was done to them.
    var report = ImportReport()

    init(
        _ endpoint: any Endpoint, of client: Client, at keyPath: String? = nil,
        by paging: Paging<Value>,
        from checkpoint: PullCheckpoint<Value>? = nil, _ serializer: @escaping Serializer,
        fileID: StaticString, line: UInt
    ) {
        (self.endpoint, self.keyPath) = (endpoint, keyPath)
        // Whatever answers in place of the server knows nothing of the walk.
        let isOfStore = client.configuration.fetchPolicy(of: endpoint).asking == .storeOnly
        self.client = client.inSession(for: endpoint).fetching(isOfStore ? .storeOnly : .none)
        let hasToken = checkpoint?.token != nil
        let asksNobody = client.asksNobody(for: endpoint)
        // What had changed between a page of before and the token of one of now, nobody would hear of.
        // Nor of what has gone since, by who reads a page again.
        asking = hasToken && !asksNobody ? self.client.caching(.none) : self.client
        session = self.client.currentSession
        if checkpoint != nil {
            client.configuration.endSessions(with: client.kept, besides: endpoint.interceptors)
        }
        parts = isOfStore ? nil : ListedPages(ofParts: endpoint.completeness)
        // Who asks nobody gets no token, and leaves what is known of the pull as it is.
        (self.paging, self.checkpoint) = (paging, hasToken && asksNobody ? nil : checkpoint)
        self.serializer = serializer
        site = (fileID, line)
        place = paging.first
    }

    /// The number of all pages, where it is known.
    var totalPageCount: Int? { lastIndex.map { $0 == .max ? $0 : $0 + 1 } }

    deinit { for promise in ahead { promise.cancel() } }

    /// The next page, nil behind the last, once what has vanished is gone.
    func next() async throws -> Response<Value>? {
        if hasEnded { return nil }
        do {
            if !hasBegun { try await begin() }
            if let page = try await read() { return page }
            hasEnded = true
            try await complete()
            return nil
        } catch {
            hasEnded = true
            throw explained(error)
        }
    }

    /// The error, which says why the store could not answer where nobody else was to.
    private func explained(_ error: any Error) -> any Error {
        guard var explained = error as? ClientError, explained.reason == .notCached,
            explained.underlying == nil,
            client.configuration.fetchPolicy(of: endpoint).asking == .storeOnly
        else { return error }
        explained.underlying = PagingError.nothingKept
        return explained
    }

    private func begin() async throws {
        hasBegun = true
        try await resume()
        // Of changes alone nothing is missing, and of what is left of a walk too much.
        if record.since != nil { return }
        if record.place != nil {
            if !endpoint.completeness.isPartial { vanished = .notFound(.resumed) }
            return
        }
        let completeness = endpoint.completeness
        if completeness.isPartial { return }
        guard paging.parallel == nil else {
            vanished = .notFound(.readAtOnce)
            return
        }
        // What a cache has of these would come in addition to what it has brought before.
        if checkpoint?.token == nil, !client.asksNobody(for: endpoint),
            try completeness.mayLackIdentity(in: client.store)
        {
            asking = client.caching(.reload)
        }
        let watch = client.store.watchRows()
        let candidates = try await client.store.read {
            try completeness.candidates(in: $0, since: watch)
        }
        pages = ListedPages(completeness, besides: candidates)
    }

    func read() async throws -> Response<Value>? {
        if !ahead.isEmpty {
            let page = try await ahead.removeFirst().value
            readAhead()
            return page
        }
        guard let place else { return nil }
        guard visited.insert(place.key).inserted else {
            // The next one had better not go round and round from there.
            try await forgetPlace()
            throw PagingError.repeatedPage(index: index - 1)
        }
        try client.session.check(session)
        try Task.checkCancellation()
        let count = pages?.noteCount
        let step = PullStep()
        let page: Response<Value>
        do {
            page = try await promise(at: place, step).value
        } catch {
            if try await ends(by: error) { return nil }
            guard try await beginsAnew(after: error) else { throw error }
            return try await read()
        }
        // What has no content names nothing, which is not to say that nothing is there.
        if let count, pages?.noteCount == count || !page.report.skipped.isEmpty {
            pages?.noteGap()
        }
        if let failure = step.failure.withLock(\.self) {
            // The next one would come to the same.
            if isResumed { try await forgetPlace() }
            throw failure
        }
        isResumed = false
        further = index == 0 ? try paging.further?(page, step.position(at: index)) : nil
        if let next = step.next.withLock(\.self) {
            (self.place, record) = (next.place, next.record)
            stored = next.record
        } else {
            self.place = try paging.next(page, step.position(at: index))
        }
        index += 1
        if let parallel = paging.parallel {
            lastIndex = try parallel.lastPage(page)
            readAhead()
        }
        return page
    }

    private func readAhead() {
        guard let parallel = paging.parallel, let lastIndex else { return }
        while ahead.count < parallel.limit, aheadIndex <= lastIndex {
            ahead.append(promise(at: parallel.place(aheadIndex)))
            aheadIndex += 1
        }
    }

    /// Asks for a page.
    ///
    /// - Parameter isKept: Whether the next walk goes on behind it.
    func promise(
        at place: NextPage, _ step: PullStep = PullStep(), isKept: Bool = true
    ) -> Promise<Response<Value>> {
        let listed = pages ?? parts
        var serializer = serializer(listed) { count in step.elementCount.withLock { $0 = count } }
        var actual = place
        if let checkpoint {
            if let since = record.since, let item = checkpoint.token?.item {
                actual = actual.adding(since, at: item)
            }
            if isKept, ahead.isEmpty, paging.parallel == nil {
                serializer = serializer.storing(keeping(checkpoint, in: step))
            }
        }
        let page = PageEndpoint(
            base: endpoint, place: actual,
            // What a server says of a token is about that, and not about the list.
            isFirst: place.key == paging.first.key && record.since == nil,
            mayBeWhole: pages != nil)
        return asking.perform(page, serializer, fileID: site.fileID, line: site.line)
    }

    // MARK: What is kept of the walk

    /// The digest of what is asked for, which may hold secrets, and of what is read of it: where either is another,
    /// everything is.
    private func list(_ checkpoint: PullCheckpoint<Value>) throws -> [UInt8] {
        let request = try client.request(for: endpoint)
        let redaction = client.configuration.redaction
        // Credentials change, and say nothing of the list.
        let parts = KeptResponseKey.parts(of: request, account: nil) { redaction.isSecret($0) }
        let others = [
            request.head.method.rawValue, paging.first.key, checkpoint.token?.item ?? "",
            TypeName.lasting(of: Value.self), keyPath ?? "",
        ]
        let reading = StoredImport.reading(
            of: Value.self, by: client.configuration.decodingOptions)
        return KeyMaker(salt: []) { _ in false }.digest(
            [client.kept.model, request.canonicalContent] + others.map { Array($0.utf8) }
                + parts + (reading.isEmpty ? [] : [Array(reading.utf8)]))
    }

    /// Takes up what was left.
    private func resume() async throws {
        guard let checkpoint else { return }
        let account = client.configuration.account
        // It is that of whoever has just logged out, and goes with all that it has brought.
        let isClearing = client.kept.isClearing(ofSession: account == nil)
        let found = try await client.store.read {
            try PullRecords(tables: $0.sideTables).record(checkpoint.name, of: account)
        }
        stored = isClearing ? PullRecord() : found
        record = stored
        let list = try list(checkpoint)
        // Of another list nothing is known.
        if record.list != list { record = PullRecord(list: list) }
        // A walk whose pages are read at the same time has no place.
        if paging.parallel != nil { record.place = nil }
        if let place = record.place {
            (self.place, index, isResumed) = (place, record.pageCount, true)
        } else {
            record = PullRecord(
                list: list, token: record.token,
                since: checkpoint.token == nil ? nil : record.token)
        }
    }

    /// Writes where the walk goes on, in the transaction of a page.
    private func keeping(
        _ checkpoint: PullCheckpoint<Value>, in step: PullStep
    ) -> @Sendable (Context, Response<Value>) throws -> Void {
        let (before, stored, index) = (record, stored, index)
        let account = client.configuration.account
        let (paging, mayVanish) = (paging, !endpoint.completeness.isPartial)
        let (isWhole, client, session, endpoint) = (pages != nil, client, session, endpoint)
        return { context, page in
            try client.session.check(session)
            var record = before
            // Of who has logged out by an interceptor since, nothing is known any more.
            let configuration = client.configuration
            if !configuration.isOfSession(configuration.admissions, for: endpoint) {
                record.isForgotten = true
            }
            let place: NextPage?
            do {
                place = try paging.next(page, step.position(at: index))
                let token = try checkpoint.token?.read(page).flatMap { $0.isEmpty ? nil : $0 }
                // Between two pages by number an object may have slipped through, which would never come.
                if paging.isStable || index == 0 && place == nil {
                    record.nextToken = token ?? record.nextToken
                }
            } catch {
                // The page is there all the same.
                return step.failure.withLock { $0 = error }
            }
            (record.place, record.pageCount) = (place, index + 1)
            record.lacksVanished = mayVanish && record.since == nil
            // What has vanished is found behind the last page, with which the pull is done.
            if place == nil, !isWhole { record = record.finished }
            try PullRecords(tables: context.sideTables)
                .replace(stored, by: &record, of: checkpoint.name, account)
            step.next.withLock { [record] in $0 = (place, record) }
        }
    }

    /// Whether the walk begins anew, as the server does not know its token any more, or the place where another
    /// walk was left.
    private func beginsAnew(after error: any Error) async throws -> Bool {
        guard let error = error as? ClientError, let checkpoint else { return false }
        let hasExpired = record.since != nil && checkpoint.token?.isExpired(error) == true
        let isLost =
            isResumed
            && (error.reason == .invalidRequest
                || [400, 404, 410, 416, 422].contains(error.status?.code))
        guard hasExpired || isLost else {
            // It may be about the place alone, at which no other pull is to fail.
            if isResumed, error.isAnswer { try await forgetPlace() }
            return false
        }
        isResumed = false
        (place, index, visited) = (paging.first, 0, [])
        if hasExpired { record.token = nil }
        try await forgetPlace()
        vanished = .notAsked
        try await begin()
        return true
    }

    /// Has the next walk begin with the first page.
    private func forgetPlace() async throws {
        var next = PullRecord(list: record.list, token: record.token)
        next.isForgotten = record.isForgotten
        try await keep(next)
    }

    /// Writes what is known of the pull, between two pages.
    func keep(_ next: PullRecord) async throws {
        guard let checkpoint else { return }
        let (client, session, account) = (client, session, client.configuration.account)
        let stored = stored
        record = try await client.store.write { context in
            try client.session.check(session)
            var record = next
            try PullRecords(tables: context.sideTables)
                .replace(stored, by: &record, of: checkpoint.name, account)
            return record
        }
        self.stored = record
    }
}
