import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// Lists that come in pages, and what has vanished from them.
@Suite struct PagesTests {
    private struct Users: Endpoint {
        var path = "users"
        var query: [URLQueryItem] = [URLQueryItem(name: "sort", value: "id")]
        var completeness = Completeness.whole(User.all)
    }

    /// A page with the cursor of the next.
    private struct Feed: Wrapper {
        var next: String?
        @Stored var users: Many<User>
    }

    /// A server's list, which may change between two requests.
    private final class List: Sendable {
        private let state: Guarded<(ids: [Int], requests: [[String: String]])>
        private let onRequest: @Sendable (List, Int) -> Void
        let size: Int

        init(
            _ ids: [Int], size: Int = 2,
            onRequest: @escaping @Sendable (List, Int) -> Void = { _, _ in }
        ) {
            state = Guarded((ids, []))
            self.size = size
            self.onRequest = onRequest
        }

        var ids: [Int] { state.withLock(\.ids) }

        /// The queries of the requests so far.
        var requests: [[String: String]] { state.withLock(\.requests) }

        func set(_ ids: [Int]) { state.withLock { $0.ids = ids } }

        /// The query of a request that has come, once what happens before it has.
        func take(_ request: TransportRequest) -> [String: String] {
            let items = URLComponents(string: request.head.path ?? "")?.queryItems ?? []
            let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
            let count = state.withLock { state in
                state.requests.append(query)
                return state.requests.count
            }
            onRequest(self, count)
            return query
        }

        static func json(_ ids: some Sequence<Int>) -> String {
            "[" + ids.map { #"{"id": \#($0), "login": "u\#($0)"}"# }.joined(separator: ",") + "]"
        }

        /// A page by number, with all that may say where the next is.
        func numbered(_ request: TransportRequest) -> TransportResponse {
            let query = take(request)
            let page = Int(query["page"] ?? "") ?? 1
            let ids = ids
            let count = (ids.count + size - 1) / size
            var fields = HTTPFields()
            if page < count {
                fields[PagesTests.link] = "</users?sort=id&page=\(page + 1)>; rel=\"next\""
                fields[PagesTests.nextPage] = String(page + 1)
            }
            fields[PagesTests.totalPages] = String(count)
            let shown = ids.dropFirst((page - 1) * size).prefix(size)
            return .json(Self.json(shown), headerFields: fields)
        }

        /// A page behind an identity.
        func behind(_ request: TransportRequest) -> TransportResponse {
            let after = Int(take(request)["after"] ?? "") ?? 0
            let ids = ids.filter { $0 > after }.prefix(size)
            let next = ids.count == size ? "\"\(ids.last ?? 0)\"" : "null"
            return .json(#"{"next": \#(next), "users": \#(Self.json(ids))}"#)
        }

        func offset(_ request: TransportRequest) -> TransportResponse {
            let start = Int(take(request)["offset"] ?? "") ?? 0
            return .json(Self.json(ids.dropFirst(start).prefix(size)))
        }
    }

    private static func client(
        _ ids: [Int] = [], _ answer: @escaping @Sendable (TransportRequest) -> TransportResponse
    ) throws -> Client {
        let client = try TestClient.client(over: StubTransport { request in answer(request) })
        try client.store.import([User].self, from: List.json(ids))
        return client
    }

    private static func ids(_ client: Client) throws -> [Int] {
        try client.store.select(User.all.sorted { $0.id.ascending }) { $0.id }
    }

    private static func byCursor() -> Paging<Feed> { .cursor(query: "after") { $0.next } }

    // MARK: Walking

    @Test func `goes by links over a socket, and keeps the rest of the request`() async throws {
        let list = List([1, 2, 3, 4, 5])
        let server = try await LoopbackServer()
        server.route(.get, "/users") { request in
            let answer = list.numbered(
                TransportRequest(
                    head: HTTPRequest(
                        method: .get, scheme: "http", authority: "h",
                        path: request.path + "?" + (request.query ?? ""))))
            return .json(
                String(decoding: answer.body, as: UTF8.self),
                headerFields: answer.head.headerFields)
        }
        let client = try TestClient.client(at: server.baseURL)
        var counts: [Int] = []
        for try await page in client.pages(Users(), as: Many<User>.self) {
            counts.append(try page.value.count)
            #expect(page.report["User"].inserted == counts.last)
        }
        #expect(counts == [2, 2, 1])
        #expect(try Self.ids(client) == [1, 2, 3, 4, 5])
        #expect(list.requests.map { $0["page"] } == [nil, "2", "3"])
        #expect(list.requests.allSatisfy { $0["sort"] == "id" })
        await server.stop()
    }

    @Test func `goes by a header field, a cursor, a number, an offset and a closure`() async throws
    {
        let list = List([1, 2, 3, 4, 5])
        let numbered = try Self.client { list.numbered($0) }
        let users = AdHocEndpoint.get("users", query: ["page": 1])
        #expect(
            try await numbered.pull(
                users, as: Many<User>.self, by: .header("X-Next-Page", query: "page")
            ).value.pageCount == 3)
        #expect(
            try await numbered.pull(users, as: Many<User>.self, by: .number(query: "page"))
                .value.pageCount == 4)
        #expect(
            try await numbered.pull(
                users, as: Many<User>.self, by: .number(query: "page", size: 2)
            ).value.pageCount == 3)
        #expect(
            try await numbered.pull(
                users, as: [User].self,
                by: .next { $0.value.last?.id == 5 ? nil : .query(["page": "3"]) }
            ).value.pageCount == 2)
        let cursors = try Self.client { list.behind($0) }
        #expect(
            try await cursors.pull(users, as: Feed.self, by: Self.byCursor()).value.pageCount == 3)
        let offsets = try Self.client { list.offset($0) }
        #expect(
            try await offsets.pull(
                users, as: Many<User>.self,
                by: .offset(query: "offset", size: 2, sizeQuery: "limit")
            ).value.pageCount == 3)
        #expect(list.requests.suffix(3).map { $0["offset"] } == ["0", "2", "4"])
        #expect(list.requests.last?["limit"] == "2")
    }

    @Test func `a page of which nothing fits does not end a walk`() async throws {
        let client = try Self.client { request in
            let page = request.head.path?.last.flatMap { Int(String($0)) } ?? 1
            return .json(page == 1 ? #"[{"id": "x"}]"# : page == 2 ? List.json([2]) : "[]")
        }
        let pull = try await client.pull(
            AdHocEndpoint.get("users"), as: LossyList<User>.self, by: .number(query: "page")
        ).value
        #expect(pull.pageCount == 3 && pull.report.skipped.count == 1)
        #expect(try Self.ids(client) == [2])
    }

    @Test func `pages are asked for as they are awaited`() async throws {
        let list = List([1, 2, 3, 4, 5])
        let client = try Self.client { list.numbered($0) }
        for try await _ in client.pages(Users(), as: Many<User>.self) { break }
        #expect(list.requests.count == 1)
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `numbered pages are read at the same time, and come in their order`() async throws {
        let list = List(Array(1...9))
        let client = try Self.client { list.numbered($0) }
        var seen: [[Int]] = []
        let paging = Paging<[User]>.number(query: "page", atOnce: 3) { page in
            page.headerFields[Self.totalPages].flatMap { Int($0) }
        }
        for try await page in client.pages(Users(), as: [User].self, by: paging) {
            seen.append(page.value.map(\.id))
        }
        #expect(seen == [[1, 2], [3, 4], [5, 6], [7, 8], [9]])
        #expect(list.requests.count == 5)
    }

    @Test func `a pull tells its progress, and its sum`() async throws {
        let list = List([1, 2, 3])
        let client = try Self.client { list.behind($0) }
        let seen = Guarded<[Int]>([])
        let pull = try await client.pull(
            AdHocEndpoint.get("users"), as: Feed.self, by: Self.byCursor(),
            progress: { progress in seen.withLock { $0.append(progress.report["User"].inserted) } }
        ).value
        #expect(seen.withLock(\.self) == [2, 3])
        #expect(pull.report["User"].inserted == 3 && pull.vanished == .notAsked)
    }

    // MARK: What goes wrong

    @Test func `a page that leads to one that was read is an error`() async throws {
        let client = try Self.client([9]) { _ in .json(#"{"next": "a", "users": []}"#) }
        await #expect(throws: PagingError.repeatedPage(index: 1)) {
            _ = try await client.pull(Users(), as: Feed.self, by: Self.byCursor()).value
        }
        #expect(try Self.ids(client) == [9])
    }

    @Test func `a link to another origin is not followed`() async throws {
        let client = try Self.client { _ in
            .json("[]", headerFields: [Self.link: #"<http://other.invalid/users>; rel="next""#])
        }
        let error = await #expect(throws: ClientError.self) {
            _ = try await client.pull(Users(), as: Many<User>.self).value
        }
        #expect(error?.underlying as? PagingError == .otherOrigin)
    }

    @Test func `a page that fails ends the walk, and nothing vanishes`() async throws {
        let list = List([1, 2, 3, 4])
        let client = try Self.client([8, 9]) { request in
            let answer = list.behind(request)
            return list.requests.count == 2 ? .json("{}", status: .badGateway) : answer
        }
        await #expect(throws: ClientError.self) {
            _ = try await client.pull(Users(), as: Feed.self, by: Self.byCursor()).value
        }
        #expect(try Self.ids(client) == [1, 2, 8, 9])
    }

    // MARK: What has vanished

    @Test func `what no page has goes at the end of a stable walk`() async throws {
        let list = List([1, 2, 4, 5])
        let client = try Self.client([1, 2, 3, 4]) { list.behind($0) }
        var left: [[Int]] = []
        for try await _ in client.pages(Users(), as: Feed.self, by: Self.byCursor()) {
            left.append(try Self.ids(client))
        }
        // None of the pages by itself has taken anything away.
        #expect(left.last == [1, 2, 3, 4, 5])
        #expect(try Self.ids(client) == [1, 2, 4, 5])
        #expect(list.requests.count == 3)
    }

    /// By cursors, and by numbers, after which a second walk is made.
    @Test(arguments: [true, false])
    func `what goes and comes again during a walk stays`(_ isStable: Bool) async throws {
        let list = List([1, 2, 4, 5])
        let client = try Self.client([1, 2, 3, 4, 6]) {
            isStable ? list.behind($0) : list.numbered($0)
        }
        func replace() throws {
            try client.store.delete(One<User>(id: 3))
            try client.store.save(User(id: 3, login: "again"))
        }
        if isStable {
            for try await _ in client.pages(Users(), as: Feed.self, by: Self.byCursor()) {
                try replace()
            }
        } else {
            let paging = Paging<Many<User>>.number(query: "page")
            for try await _ in client.pages(Users(), as: Many<User>.self, by: paging) {
                try replace()
            }
        }
        #expect(try Self.ids(client) == [1, 2, 3, 4, 5])
    }

    @Test func `a pull counts what went`() async throws {
        let list = List([1, 2])
        let client = try Self.client([1, 2, 3]) { list.behind($0) }
        let pull = try await client.pull(Users(), as: Feed.self, by: Self.byCursor()).value
        #expect(pull.vanished == .found && pull.report["User"].deleted == 1)
    }

    /// Kinto/kinto.js#214: pages [1, 2], then 1 goes and 5 comes, then [4, 5].
    @Test func `what slips through between two pages survives`() async throws {
        for paging in [
            Paging<Many<User>>.offset(query: "offset", size: 2), .number(query: "page"), .link(),
        ] {
            let list = List([1, 2, 3, 4]) { list, request in
                if request == 2 { list.set([2, 3, 4, 5]) }
            }
            let client = try Self.client([1, 2, 3, 4]) { request in
                request.head.path?.contains("offset") == true
                    ? list.offset(request) : list.numbered(request)
            }
            let pull = try await client.pull(Users(), as: Many<User>.self, by: paging).value
            #expect(try Self.ids(client) == [1, 2, 3, 4, 5])
            #expect(pull.vanished == .found && pull.report["User"].deleted == 0)
            // The next time 1 is in neither of two walks.
            _ = try await client.pull(Users(), as: Many<User>.self, by: paging).value
            #expect(try Self.ids(client) == [2, 3, 4, 5])
        }
    }

    @Test func `a second walk is made only where something is missing`() async throws {
        let list = List([1, 2, 3])
        let client = try Self.client([1, 2]) { list.numbered($0) }
        let first = try await client.pull(Users(), as: Many<User>.self).value
        #expect(list.requests.count == 2 && first.pageCount == 2)
        list.set([1, 3])
        let second = try await client.pull(Users(), as: Many<User>.self).value
        #expect(try Self.ids(client) == [1, 3])
        #expect(list.requests.count == 4 && second.report["User"].deleted == 1)
    }

    /// By an offset, or by number.
    @Test(arguments: [false, true])
    func `a server that gives fewer elements than it is asked for takes nothing away`(
        _ isNumbered: Bool
    ) async throws {
        let list = List([1, 2, 3, 4, 5, 6])
        let client = try Self.client([1, 2, 3, 4, 5, 6]) { request in
            guard isNumbered else { return list.offset(request) }
            // Without fields that would say so.
            return .json(String(decoding: list.numbered(request).body, as: UTF8.self))
        }
        let paging: Paging<Many<User>> =
            isNumbered ? .number(query: "page", size: 5) : .offset(query: "offset", size: 5)
        let pull = try await client.pull(Users(), as: Many<User>.self, by: paging).value
        #expect(try Self.ids(client) == [1, 2, 3, 4, 5, 6])
        #expect(pull.vanished == .notFound(.incomplete))
    }

    /// Where there is nothing, or an error, and where it is the last page once more, which may be another.
    @Test(arguments: 0..<3)
    func `what is asked for behind a short list shows whether it was all`(
        _ end: Int
    ) async throws {
        let list = List([1, 2], size: 5)
        let client = try Self.client([1, 2, 3]) { request in
            let query = list.take(request)
            if query["page"] == "1" || end == 2 { return .json(List.json([1, 2])) }
            return end == 0 ? .json("[]") : .json("{}", status: .notFound)
        }
        let pull = try await client.pull(
            Users(), as: Many<User>.self, by: .number(query: "page", size: 5)
        ).value
        #expect(try Self.ids(client) == (end == 2 ? [1, 2, 3] : [1, 2]))
        #expect(pull.vanished == (end == 2 ? .notFound(.incomplete) : .found))
        #expect(list.requests.compactMap { $0["page"] } == ["1", "1", "2"])
    }

    /// A client of a server that has no page where nothing is.
    private static func strictClient(
        _ ids: [Int], of list: List, saying status: HTTPResponse.Status = .notFound
    ) throws -> Client {
        try client(ids) { request in
            let isOffset = request.head.path?.contains("offset=") == true
            let body = (isOffset ? list.offset(request) : list.numbered(request)).body
            let text = String(decoding: body, as: UTF8.self)
            return text == "[]"
                ? .json(#"{"detail": "Invalid page."}"#, status: status) : .json(text)
        }
    }

    /// Their number is a multiple of the size.
    @Test(arguments: 0..<3)
    func `a walk that counts ends where there is no page any more`(_ way: Int) async throws {
        let list = List([1, 2, 3, 4])
        let client = try Self.strictClient([1, 9], of: list)
        let ways: [Paging<Many<User>>] = [
            .number(query: "page"), .number(query: "page", size: 2),
            .offset(query: "offset", size: 2),
        ]
        let paging = ways[way]
        var counts: [Int] = []
        for try await page in client.pages(Users(), as: Many<User>.self, by: paging) {
            counts.append(try page.value.count)
        }
        #expect(counts == [2, 2])
        // The second walk has ended so as well.
        #expect(list.requests.count == 6)
        #expect(try Self.ids(client) == [1, 2, 3, 4])
        let pull = try await client.pull(
            Users(), as: Many<User>.self, by: paging, from: .named("users")
        ).value
        #expect(pull.vanished == .found && pull.pageCount == 2)
        // It has left no place.
        let again = try await client.pull(
            Users(), as: Many<User>.self, by: paging, from: .named("users")
        ).value
        #expect(again.vanished == .found && again.pageCount == 2)
    }

    @Test func `a page that is not there, though the one before has led to it, makes no whole`()
        async throws
    {
        let list = List([1, 2, 3, 4])
        let client = try Self.client([1, 9]) { request in
            let response = list.numbered(request)
            return list.requests.last?["page"] == "1"
                ? response : .json("{}", status: .notFound)
        }
        let pull = try await client.pull(
            Users(), as: Many<User>.self, by: .number(query: "page")
        ).value
        #expect(pull.vanished == .notFound(.incomplete) && pull.pageCount == 1)
        #expect(try Self.ids(client) == [1, 2, 9])
    }

    /// A server that is just being replaced says so of anything.
    @Test(arguments: [nil, "text/plain"], [nil, 2, 5])
    func `a page that is not there takes nothing away where that is no word of the API's`(
        _ type: String?, _ size: Int?
    ) async throws {
        let list = List([1, 2, 3, 4])
        let client = try Self.client([1, 2, 3, 4, 9]) { request in
            let page = list.numbered(request)
            guard list.requests.last?["page"] == "1" else {
                var head = HTTPResponse(status: .notFound)
                head.headerFields[.contentType] = type
                let text = type == nil ? "" : "404 page not found"
                return TransportResponse(head: head, body: Data(text.utf8))
            }
            // Without fields that say that there are more.
            return .json(String(decoding: page.body, as: UTF8.self))
        }
        let pull = try await client.pull(
            Users(), as: Many<User>.self, by: .number(query: "page", size: size)
        ).value
        #expect(pull.vanished == .notFound(.incomplete) && pull.pageCount == 1)
        #expect(try Self.ids(client) == [1, 2, 3, 4, 9])
    }

    @Test(arguments: [400, 410, 416, 500])
    func `a page behind the last that fails in any other way fails the walk`(_ code: Int)
        async throws
    {
        let client = try Self.strictClient([9], of: List([1, 2]), saying: .init(code: code))
        let error = await #expect(throws: ClientError.self) {
            try await client.pull(
                Users(), as: Many<User>.self, by: .number(query: "page", size: 2)
            ).value
        }
        #expect(error?.status?.code == code)
        #expect(try Self.ids(client) == [1, 2, 9])
    }

    @Test func `pages that are read at the same time find nothing`() async throws {
        let list = List([1, 2, 3])
        let client = try Self.client([9]) { list.numbered($0) }
        let pull = try await client.pull(
            Users(), as: Many<User>.self,
            by: .number(query: "page", atOnce: 2) { _ in 2 }
        ).value
        #expect(pull.vanished == .notFound(.readAtOnce))
        #expect(try Self.ids(client) == [1, 2, 3, 9])
    }

    @Test func `what the store gets during the walk stays`() async throws {
        let list = List([1, 2, 3])
        let client = try Self.client([1, 2]) { list.behind($0) }
        for try await page in client.pages(Users(), as: Feed.self, by: Self.byCursor()) {
            if page.value.next != nil { try client.store.save(User(id: 7, login: "mine")) }
        }
        #expect(try Self.ids(client) == [1, 2, 3, 7])
    }

    @Test func `a page of another status, or without some elements, makes no whole`() async throws {
        let client = try Self.client([9]) { request in
            request.head.path?.contains("after") == true
                ? .json(#"{"users": []}"#, status: .partialContent)
                : .json(#"{"next": "1", "users": []}"#)
        }
        let pull = try await client.pull(Users(), as: Feed.self, by: Self.byCursor()).value
        #expect(pull.vanished == .notFound(.incomplete))
        #expect(try Self.ids(client) == [9])
        let lossy = try Self.client([9]) { _ in .json(#"[{"id": "x"}]"#) }
        let rest = try await lossy.pull(Users(), as: LossyList<User>.self).value
        #expect(rest.vanished == .notFound(.incomplete))
        #expect(try Self.ids(lossy) == [9])
    }

    @Test func `nearly empty pages are an error`() async throws {
        let list = List([1])
        let client = try Self.client(Array(1...30)) { list.behind($0) }
        let error = await #expect(throws: CompletenessError.self) {
            _ = try await client.pull(Users(), as: Feed.self, by: Self.byCursor()).value
        }
        #expect(error?.reason == .nearlyEmpty(known: 30, kept: 1))
        #expect(try Self.ids(client).count == 30)
    }

    private static let link = HTTPField.Name("Link") ?? .location
    private static let nextPage = HTTPField.Name("X-Next-Page") ?? .location
    private static let totalPages = HTTPField.Name("X-Total-Pages") ?? .location
}
