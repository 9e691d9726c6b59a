import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Walks that must not take a page for the last, or old ones for what is there.
@Suite struct PageWalkTests {
    private struct Users: Endpoint {
        let path = "users"
        var cachePolicy = CachePolicy.clientDefault
        var coalescing = Coalescing.clientDefault
        var removal = Removal.none
        var completeness = Completeness.whole(User.all)
    }

    private struct Feed: Wrapper {
        var next: String?
        @Stored var users: Many<User>
    }

    private static func json(_ ids: [Int]) -> String {
        "[" + ids.map { #"{"id": \#($0), "login": "u"}"# }.joined(separator: ",") + "]"
    }

    private static func client(
        _ ids: [Int], _ answer: @escaping @Sendable (_ path: String) -> TransportResponse
    ) throws -> Client {
        let client = try TestClient.client(over: StubTransport { answer($0.head.path ?? "") })
        try client.store.import([User].self, from: json(ids))
        return client
    }

    private static func ids(_ client: Client) throws -> [Int] {
        try client.store.select(User.all.sorted { $0.id.ascending }) { $0.id }
    }

    // MARK: Whose they are

    private struct Naming: PromiseProcessor {
        let names: Heard

        func process<Value>(
            _ promise: Promise<Value>, for endpoint: any Endpoint
        ) -> Promise<Value> {
            names.note("promise \(endpoint is Users)")
            return promise
        }
    }

    @Test func `pages are requests of the list's endpoint, for whoever hears of them`()
        async throws
    {
        let (names, transport) = (Heard(), HeldTransport())
        let client = try TestClient.client(over: transport) {
            $0.promiseProcessors = [Naming(names: names)]
            $0.interceptors = [
                ClosureInterceptor(endpoint: { request, endpoint, next in
                    names.note("\(request.head.path ?? "") \(endpoint is Users)")
                    return next(request)
                })
            ]
        }
        client.observeRequests(for: names, of: Users.self) { names, event in
            if case .began = event.kind { names.note("began \(event.endpoint is Users)") }
        }
        transport.end(
            0,
            .success(
                .json(
                    Self.json([1]), headerFields: [.named("Link"): "</users?page=2>; rel=next"])))
        let pull = client.pull(Users(), as: Many<User>.self)
        while transport.open != [1] || names.texts.count < 6 { await Task.yield() }
        #expect(
            names.texts == [
                "began true", "/users true", "promise true", "began true", "/users?page=2 true",
                "promise true",
            ])
        #expect(client.requestsInFlight.map { $0.endpoint is Users } == [true])
        client.cancel(Users.self)
        // Without effect once that was.
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await pull.value }
    }

    // MARK: The last page

    @Test(arguments: [
        "<http://h:x/users?page=2>; rel=\"next\"", "<http://[h/users?page=2>; rel=next",
        "<http://h\u{7F}/>; rel=next",
    ])
    func `a link that is none does not end a walk as if it were whole`(
        _ link: String
    ) async throws {
        let client = try Self.client([1, 2]) { _ in
            .json(Self.json([1]), headerFields: [.named("Link"): link])
        }
        await #expect(throws: (any Error).self) {
            _ = try await client.pull(Users(), as: Many<User>.self).value
        }
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `a field that is no URL does not end it either`() async throws {
        let client = try Self.client([1, 2]) { _ in
            .json(Self.json([1]), headerFields: [.named("Next-Page"): "http://h:x/users"])
        }
        await #expect(throws: (any Error).self) {
            _ = try await client.pull(
                Users(), as: Many<User>.self, by: .header("Next-Page", query: "page")
            ).value
        }
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `a cursor in a field may have slashes`() async throws {
        let asked = Guarded<[String]>([])
        let client = try Self.client([]) { path in
            asked.withLock { $0.append(path) }
            return path.contains("after")
                ? .json(Self.json([2]))
                : .json(Self.json([1]), headerFields: [.named("Next-Page"): "a/b+c=="])
        }
        _ = try await client.pull(
            Users(), as: Many<User>.self, by: .header("Next-Page", query: "after")
        ).value
        #expect(try Self.ids(client) == [1, 2])
        #expect(asked.withLock(\.last) == "/users?after=a%2Fb%2Bc%3D%3D")
    }

    @Test func `a last page that says there are more makes no whole`() async throws {
        // A size that the server does not allow, so that each page is shorter.
        let linked = try Self.client([1, 2, 3]) { _ in
            .json(
                Self.json([1, 2]),
                headerFields: [.named("Link"): "</users?page=2>; rel=\"next\""])
        }
        let bySize = Paging<Many<User>>.number(query: "page", size: 100)
        let pull = try await linked.pull(Users(), as: Many<User>.self, by: bySize).value
        #expect(pull.vanished == .notFound(.incomplete))
        #expect(try Self.ids(linked) == [1, 2, 3])
        // Whose fields link nothing.
        let said = try Self.client([1, 2, 3]) { _ in
            .json(#"{"more": true, "users": \#(Self.json([1]))}"#)
        }
        var users = Users()
        users.completeness = .whole(User.all).unless("more")
        let rest = try await said.pull(users, as: Many<User>.self, at: "users").value
        #expect(rest.vanished == .notFound(.incomplete))
        #expect(try Self.ids(said) == [1, 2, 3])
    }

    @Test func `what stands in a page twice, or is null, does not end a walk`() async throws {
        for paging in [Paging<[User]>.number(query: "page", size: 2), .offset(query: "o", size: 2)]
        {
            let client = try Self.client([1, 2, 3]) { path in
                path.hasSuffix("page=2") || path.hasSuffix("o=2")
                    ? .json(Self.json([3])) : .json(#"[{"id": 1, "login": "u"}, 1]"#)
            }
            _ = try await client.pull(Users(), as: [User].self, by: paging).value
            #expect(try Self.ids(client) == [1, 3])
        }
        let client = try Self.client([1, 2]) { path in
            path.hasSuffix("page=1")
                ? .json("[null]") : .json(Self.json(path.hasSuffix("2") ? [2] : []))
        }
        _ = try await client.pull(Users(), as: Many<User>.self, by: .number(query: "page")).value
        #expect(try Self.ids(client) == [2])
    }

    @Test func `elements of lists in wrappers are counted as they stand there`() async throws {
        let client = try Self.client([1, 2]) { path in
            path.hasSuffix("page=2")
                ? .json(#"{"users": \#(Self.json([2]))}"#)
                : .json(#"{"users": [{"id": 1, "login": "u"}, null]}"#)
        }
        let paging = Paging<Feed>.number(query: "page", size: 2) { $0.users.elementCount }
        _ = try await client.pull(Users(), as: Feed.self, by: paging).value
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test(arguments: [Int.min, Int.max, -1, 0])
    func `any number may be the server's last`(_ last: Int) async throws {
        for first in [-1, 0, 1] {
            let client = try Self.client([]) { path in
                path.hasSuffix("page=\(first)") ? .json("[]") : .json("{}", status: .badGateway)
            }
            let paging = Paging<Many<User>>.number(query: "page", from: first, atOnce: 2) { _ in
                last
            }
            let total = Guarded<Int?>(nil)
            _ = try? await client.pull(Users(), as: Many<User>.self, by: paging) { progress in
                total.withLock { $0 = progress.totalPageCount }
            }.value
            if first < 1, last == .max { #expect(total.withLock(\.self) == .max) }
            if last < first { #expect(total.withLock(\.self) ?? 0 <= 1) }
        }
    }

    // MARK: Old pages

    @Test func `a page does not join an exchange that is older than what is looked for`()
        async throws
    {
        let (sent, sentAgain) = (Gate(), Gate())
        let transport = HeldTransport { _, number in (number == 0 ? sent : sentAgain).open() }
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let older = client.enqueue(Resource("users"), as: Many<User>.self)
        try await sent.wait()
        try client.store.save(User(id: 3, login: "new"))
        let pull = client.pull(Users(), as: Many<User>.self, by: .link(isStable: true))
        try await sentAgain.wait()
        transport.end(0, .success(.json("[]")))
        transport.end(1, .success(.json(#"[{"id": 3, "login": "new"}]"#)))
        _ = try await (older.value, pull.value)
        #expect(try Self.ids(client) == [3])
    }

    @Test func `pages of a cache are of no use, and the endpoint's policy is theirs`() async throws
    {
        let setting = try CacheSetting { _ in
            .json(Self.json([1]), headerFields: [.cacheControl: "max-age=60"])
        }
        let client = setting.client
        _ = try await client.enqueue(Resource("users"), as: Many<User>.self).value
        _ = try await setting.cache.settled().value
        try client.store.save(User(id: 3, login: "new"))
        let pull = try await client.pull(Users(), as: Many<User>.self).value
        #expect(pull.vanished == .notFound(.incomplete))
        #expect(try Self.ids(client) == [1, 3] && setting.asked.count == 1)
        let users = Users(cachePolicy: .reload)
        let reload = try await client.pull(users, as: Many<User>.self).value
        #expect(reload.vanished == .found && setting.asked.count == 3)
        #expect(try Self.ids(client) == [1])
    }

    @Test func `a second walk asks past what the first one has left in a cache`() async throws {
        let setting = try CacheSetting { request in
            let page = request.head.path?.hasSuffix("page=2") == true ? [4] : [1, 3]
            let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"\(page.count)\""]
            return request.head.headerFields[.ifNoneMatch] == fields[.eTag]
                ? .json("", status: .notModified, headerFields: fields)
                : .json(Self.json(page), headerFields: fields)
        }
        let client = setting.client
        try client.store.import([User].self, from: Self.json([1, 2, 3, 4]))
        let pull = try await client.pull(
            Users(), as: Many<User>.self, by: .number(query: "page", size: 2)
        ).value
        #expect(pull.vanished == .found && pull.pageCount == 2)
        #expect(try Self.ids(client) == [1, 3, 4])
        // Nothing has come twice.
        let asked = setting.transport.requests.map { $0.head.headerFields[.ifNoneMatch] }
        #expect(asked == [nil, nil, "\"2\"", "\"1\""])
    }

    @Test func `a first page that is not there removes what the endpoint says`() async throws {
        let users = Users(removal: .of(One<User>(id: 2)))
        let client = try Self.client([1, 2]) { path in
            path.contains("page=2")
                ? .json("{}", status: .notFound)
                : .json(
                    "[1]", headerFields: [.named("Link"): "</users?page=2>; rel=\"next\""])
        }
        _ = try? await client.pull(users, as: Many<User>.self).value
        #expect(try Self.ids(client) == [1, 2])
        let gone = try Self.client([1, 2]) { _ in .json("{}", status: .notFound) }
        _ = try? await gone.pull(users, as: Many<User>.self).value
        #expect(try Self.ids(gone) == [1])
    }

    // MARK: What is done at the end

    private static func article(_ id: Int) -> String {
        #"{"id": \#(id), "title": "A", "author": {"id": 1, "login": "u"}}"#
    }

    @Test func `a link that was taken away during a walk is not made again`() async throws {
        let client = try TestClient.client(
            over: StubTransport { request in
                request.head.path?.contains("after") == true
                    ? .json(#"[{"name": "c"}]"#)
                    : .json(
                        #"[{"name": "a"}, {"name": "b"}]"#,
                        headerFields: [.named("Next-Page"): "2"])
            })
        try client.store.import(Article.self, from: Self.article(7))
        let endpoint = AdHocEndpoint.get("tags").setting(
            \.completeness, to: .whole(\.tags, of: One<Article>(id: 7)))
        let paging = Paging<Many<Tag>>.header("Next-Page", query: "after", isStable: true)
        for try await page in client.pages(endpoint, as: Many<Tag>.self, by: paging)
        where try page.value.count == 2 {
            try client.store.import(
                Article.self, from: #"{"id": 7, "tags": [{"name": "b"}]}"#)
        }
        let tags = try client.store.find(Article.self, id: 7)?.tags.fetch()
        #expect(tags?.map(\.name) == ["b", "c"])
    }

    @Test func `pages that are read at the same time are linked to their owner`() async throws {
        let client = try TestClient.client(
            over: StubTransport { request in
                .json(
                    request.head.path?.contains("page=2") == true
                        ? #"[{"name": "b"}]"# : #"[{"name": "a"}]"#)
            })
        try client.store.import(Article.self, from: Self.article(7))
        let list = AdHocEndpoint.get("tags").setting(
            \.completeness, to: .whole(\.tags, of: One<Article>(id: 7)))
        let paging = Paging<Many<Tag>>.number(query: "page", atOnce: 2) { _ in 2 }
        let report = try await client.pull(list, as: Many<Tag>.self, by: paging).value
        #expect(report.vanished == .notFound(.readAtOnce))
        let tags = try client.store.find(Article.self, id: 7)?.tags.fetch()
        #expect(tags?.map(\.name) == ["a", "b"])
    }

    @Test func `a task that is cancelled behind the last page deletes nothing`() async throws {
        let client = try Self.client([1, 9]) { _ in
            .json(#"{"next": null, "users": \#(Self.json([1]))}"#)
        }
        let task = Task {
            for try await _ in client.pages(
                Users(), as: Feed.self, by: .cursor(query: "after") { $0.next })
            {
                withUnsafeCurrentTask { $0?.cancel() }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try Self.ids(client) == [1, 9])
    }
}
