import LarderObjectStore
import LarderPromises

/// A walk through the pages of a list, one after the other.
///
/// Belongs to the task that walks.
final class PageWalk<Value: Sendable> {
    private let client: Client
    private let endpoint: any Endpoint
    private let paging: Paging<Value>
    private let serializer: Serializer
    private let site: (fileID: StaticString, line: UInt)

    /// Makes the serializer of pages that may be a whole, which counts the elements of each.
    typealias Serializer =
        @Sendable (
            _ pages: ListedPages?, _ count: @escaping @Sendable (Int?) -> Void
        ) -> ResponseSerializer<Response<Value>>

    /// The place of the page to read next, nil behind the last.
    private var place: NextPage?
    private var index = 0
    private var visited: Set<String> = []
    /// The number of the last page, where pages are read at the same time.
    private var lastIndex: Int?
    private var ahead: [Promise<Response<Value>>] = []
    private var aheadIndex = 1
    /// What the pages are the whole of, nil where they say nothing of others.
    private var pages: ListedPages?
    private var hasBegun = false
    private var hasEnded = false
    /// What has become of objects that no page has.
    private(set) var vanished = PullReport.Vanished.notAsked
    /// What was done to them.
    private(set) var report = ImportReport()

    init(
        _ endpoint: any Endpoint, of client: Client, by paging: Paging<Value>,
        _ serializer: @escaping Serializer,
        fileID: StaticString, line: UInt
    ) {
        self.endpoint = endpoint
        self.client = client
        self.paging = paging
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
            throw error
        }
    }

    private func begin() async throws {
        hasBegun = true
        let completeness = endpoint.completeness
        if completeness.isPartial { return }
        guard paging.parallel == nil else {
            vanished = .notFound(.readAtOnce)
            return
        }
        let candidates = try await client.store.read { try completeness.candidates(in: $0) }
        pages = ListedPages(completeness, besides: candidates)
    }

    private func read() async throws -> Response<Value>? {
        if !ahead.isEmpty {
            let page = try await ahead.removeFirst().value
            readAhead()
            return page
        }
        guard let place else { return nil }
        guard visited.insert(place.key).inserted else {
            throw PagingError.repeatedPage(index: index - 1)
        }
        let count = pages?.noteCount
        let elementCount = Guarded<Int?>(nil)
        let page = try await promise(at: place) { count in
            elementCount.withLock { $0 = count }
        }.value
        // What has no content names nothing, which is not to say that nothing is there.
        if let count, pages?.noteCount == count || !page.report.skipped.isEmpty {
            pages?.noteGap()
        }
        self.place = try paging.next(
            page, PagePosition(index: index, elementCount: elementCount.withLock(\.self)))
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

    private func promise(
        at place: NextPage, counting count: @escaping @Sendable (Int?) -> Void = { _ in }
    ) -> Promise<Response<Value>> {
        let page = PageEndpoint(
            base: endpoint, place: place, isFirst: place.key == paging.first.key,
            mayBeWhole: pages != nil)
        return client.perform(
            page, serializer(pages, count), fileID: site.fileID, line: site.line)
    }

    // MARK: What has vanished

    /// Has go what no page has named.
    ///
    /// Where the server counts, only what a second walk does not find either.
    private func complete() async throws {
        guard let pages else { return }
        // The transaction may be over before it hears of it.
        try Task.checkCancellation()
        guard var objects = pages.objects else { return vanished = .notFound(.incomplete) }
        var missing = try pages.candidates.without(
            objects, of: pages.completeness, in: client.store)
        if !paging.isStable, !missing.isEmpty {
            guard let others = try await walkAgain(besides: missing) else {
                return vanished = .notFound(.incomplete)
            }
            objects.formUnion(others)
            missing = try missing.without(others, of: pages.completeness, in: client.store)
        }
        let (completeness, named, candidates) = (pages.completeness, objects, missing)
        report = try await client.store.write { context in
            try context.complete(completeness, by: named, besides: candidates)
        }
        vanished = .found
    }

    private func walkAgain(
        besides missing: VanishingCandidates
    ) async throws -> ListedObjects? {
        guard let completeness = pages?.completeness else { return nil }
        let again = ListedPages(completeness, besides: missing)
        pages = again
        (place, index, visited) = (paging.first, 0, [])
        while try await read() != nil {}
        return again.objects
    }
}
