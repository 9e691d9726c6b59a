public import LarderObjectStore
public import LarderPromises

/// The pages of a list, each of which is stored before it is handed over.
///
/// Pages are asked for as they are awaited. What ends the walk before its end, such as leaving the loop, a failure
/// or a cancellation, leaves the pages stored that have come, and deletes nothing.
public struct Pages<Value: Sendable>: AsyncSequence, Sendable {
    /// A walk from the first page.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let walk: PageWalk<Value>

        /// The next page, nil behind the last.
        ///
        /// - Throws: What asking for the page throws, ``PagingError``, and behind the last page `CompletenessError`,
        ///   `WritingError` or `StoreError` where what has vanished can't go.
        public mutating func next() async throws -> Response<Value>? { try await walk.next() }
    }

    let makeWalk: @Sendable () -> PageWalk<Value>

    /// Begins a walk.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(walk: makeWalk()) }
}

/// The outcome of a whole list that was pulled.
public struct PullReport: Sendable {
    /// What has become of objects that the list is to be the whole of, and that no page has.
    public enum Vanished: Hashable, Sendable {
        /// The endpoint's ``Endpoint/completeness`` says nothing of them.
        case notAsked
        /// They are deleted or marked, as ``PullReport/report`` counts.
        case found
        /// Nobody can tell which they are.
        case notFound(Reason)
    }

    /// A reason why it is not known what has vanished.
    public enum Reason: Hashable, Sendable {
        /// A page was no whole page: it had another status than 200, lacked elements, had no content, or came out
        /// of a cache, so that it may be older than what the store has; or the last page says that there are more; or
        /// no page had a list of what they are to be the whole of.
        case incomplete
        /// Pages were read at the same time.
        case readAtOnce
        /// The pull went on where another one was left, which had seen what came before.
        case resumed
    }

    /// The number of pages.
    public var pageCount = 0

    /// The counts of what storing all pages did, and of what has vanished.
    public var report = ImportReport()

    /// What has become of objects that no page has.
    public var vanished = Vanished.notAsked
}

/// The progress of a pull.
public struct PullProgress: Sendable {
    /// The number of pages that are stored.
    public let pageCount: Int

    /// The number of all pages, where it is known.
    public let totalPageCount: Int?

    /// The counts of what storing them did so far.
    public let report: ImportReport
}

extension Client {
    /// The pages of an endpoint's list, one after the other, each stored before it is handed over.
    ///
    /// ```swift
    /// for try await page in client.pages(Notes(), as: Many<Note>.self) {
    ///     print(try page.value.count, "notes,", page.report["Note"].inserted, "of them new")
    /// }
    /// ```
    ///
    /// What the endpoint's ``Endpoint/completeness`` is about, the pages are the whole of together: behind the last
    /// one, before the loop ends, what none of them has named is deleted or marked in a transaction of its own. What
    /// the store has got since the walk began is left alone. Where ``Paging`` is not stable, a second walk has to miss
    /// it too, which is made only where something is missing, and whose pages are stored and not handed over.
    ///
    /// - Parameters:
    ///   - keyPath: The dotted path of what is stored of each page; the whole unless given.
    ///   - paging: The way from one page to the next; by `Link` unless given.
    public func pages<Value: Importable>(
        _ endpoint: some Endpoint, as type: Value.Type = Value.self, at keyPath: String? = nil,
        by paging: Paging<Value> = .link(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Pages<Value> {
        Pages {
            self.walk(endpoint, at: keyPath, by: paging, fileID: fileID, line: line)
        }
    }

    /// Pulls all pages of an endpoint's list, and tells what was done.
    ///
    /// ```swift
    /// client.pull(Notes(), as: Many<Note>.self).then { print($0.report["Note"].deleted, "have vanished") }
    /// ```
    ///
    /// It is a walk by ``pages(_:as:at:by:fileID:line:)``; cancelling the promise ends it.
    ///
    /// - Parameters:
    ///   - checkpoint: What goes into the store with each page, so that a pull that is cut off goes on there; nothing
    ///     unless given, so that each begins with the first page.
    ///   - progress: Called after each page, on no thread in particular.
    public func pull<Value: Importable>(
        _ endpoint: some Endpoint, as type: Value.Type, at keyPath: String? = nil,
        by paging: Paging<Value> = .link(), from checkpoint: PullCheckpoint<Value>? = nil,
        fileID: StaticString = #fileID, line: UInt = #line,
        progress: (@Sendable (PullProgress) -> Void)? = nil
    ) -> Promise<PullReport> {
        // Somebody may log out, or in, before the task begins, whose walk is that of nobody.
        let client = inSession(for: endpoint)
        return Promise {
            let walk = client.walk(
                endpoint, at: keyPath, by: paging, from: checkpoint, fileID: fileID, line: line)
            try client.session.check(client.currentSession)
            var pull = PullReport()
            while let page = try await walk.next() {
                pull.pageCount += 1
                pull.report = pull.report.adding(page.report)
                progress?(
                    PullProgress(
                        pageCount: pull.pageCount, totalPageCount: walk.totalPageCount,
                        report: pull.report))
            }
            pull.report = pull.report.adding(walk.report)
            pull.vanished = walk.vanished
            return pull
        }
    }

    /// The pages of the list of an endpoint that fixes what its response becomes.
    public func pages<Target: RespondingEndpoint>(
        _ endpoint: Target, by paging: Paging<Target.Response> = .link(),
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Pages<Target.Response> where Target.Response: Importable {
        Pages {
            self.walk(endpoint, at: nil, by: paging, fileID: fileID, line: line)
        }
    }

    private func walk<Value: Importable>(
        _ endpoint: any Endpoint, at keyPath: String?, by paging: Paging<Value>,
        from checkpoint: PullCheckpoint<Value>? = nil, fileID: StaticString, line: UInt
    ) -> PageWalk<Value> {
        PageWalk(
            endpoint, of: self, at: keyPath, by: paging, from: checkpoint,
            { pages, count in
                ResponseSerializer<Value>.stored(at: keyPath, as: pages, counting: count)
                    .withResponse()
            },
            fileID: fileID, line: line)
    }
}
