import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Entity private struct PulledSheet {
    @Identity var id: Int
    var name: String
    @Attribute(mapped: false) var isGone = false
}

/// What is known of a pull where something is another than it was: the list, the model, the session.
@Suite struct PullRecordTests {
    private struct Page: Wrapper {
        var next: String?
        var token: String?
        @Stored var users: Many<User>
    }

    private static func page(_ ids: [Int], next: String? = nil, token: String? = nil)
        -> TransportResponse
    {
        let users = ids.map { #"{"id": \#($0), "login": "u\#($0)"}"# }.joined(separator: ", ")
        let fields = [("next", next), ("token", token)].compactMap { name, value in
            value.map { "\"\(name)\": \"\($0)\", " }
        }
        return .json("{\(fields.joined())\"users\": [\(users)]}")
    }

    private static func client(
        over transport: any Transport, in store: Store? = nil
    ) throws -> Client {
        Client(
            baseURL: "http://test.invalid/", store: try store ?? TestClient.store(),
            configuration: Client.Configuration(transport: transport, timeout: .seconds(600)))
    }

    private static let lost = TransportError(.connectionLost, "It was cut off.")
    private static let cursor = Paging<Page>.cursor(query: "after") { $0.next }

    private static func after(_ request: TransportRequest) -> String? {
        URLComponents(string: request.head.path ?? "")?.queryItems?
            .first { $0.name == "after" }?.value
    }

    private static func rows(_ store: Store) throws -> [[SQLValue]] {
        try store.readBeside { tables in
            let table = SideTables.prefix + "pulls"
            return try tables.has(table) ? try tables.rows("SELECT * FROM \"\(table)\"") : []
        }
    }

    @Test func `a place that is relative to its page is gone on with`() async throws {
        let isCut = Guarded(true)
        let paths = Seen<String>()
        let client = try Self.client(
            over: StubTransport { request in
                let path = request.head.path ?? ""
                paths.note(path)
                if path == "/x?page=3", isCut.withLock(\.self) { throw Self.lost }
                let number = path == "/x" ? 1 : Int(path.suffix(1)) ?? 0
                return Self.page([number], next: number < 3 ? "?page=\(number + 1)" : nil)
            })
        let paging = Paging<Page>.next { page in
            page.value.next.flatMap { URL(string: $0, relativeTo: page.url) }.map { .url($0) }
        }
        func pull() async throws {
            _ = try await client.pull(
                Resource("x"), as: Page.self, by: paging, from: .named("a")
            ).value
        }
        await #expect(throws: ClientError.self) { try await pull() }
        isCut.withLock { $0 = false }
        try await pull()
        #expect(paths.values == ["/x", "/x?page=2", "/x?page=3", "/x?page=3"])
    }

    @Test func `a token goes with the session of a credential, unless an account has it`()
        async throws
    {
        let seen = Seen<String>()
        let transport = StubTransport { request in
            seen.note(request.head.path ?? "")
            return Self.page([1], token: "7")
        }
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let client = try Self.client(over: transport).configured {
            $0.interceptors = [authorization]
        }
        let checkpoint = PullCheckpoint<Page>.named("users").token(query: "since") {
            $0.value.token
        }
        func pull(_ client: Client) async throws {
            _ = try await client.pull(
                Resource("x"), as: Page.self, by: Self.cursor, from: checkpoint
            ).value
        }
        let named = client.configured { $0.account = "ann" }
        try await pull(client)
        try await pull(named)
        authorization.logIn(.bearer("bob"))
        while client.kept.isClearing(ofSession: true) { await Task.yield() }
        try await pull(client)
        try await pull(client)
        try await pull(named)
        #expect(seen.values == ["/x", "/x", "/x", "/x?since=7", "/x?since=7"])
    }

    @Test func `behind a log-out that has failed a pull begins anew, and then goes on`()
        async throws
    {
        let requests = Seen<String>()
        let isCut = Guarded(true)
        let client = try Self.client(
            over: StubTransport { request in
                let after = Self.after(request)
                requests.note(after ?? "")
                if after != nil, isCut.withLock(\.self) { throw Self.lost }
                return Self.page([after == nil ? 1 : 2], next: after == nil ? "1" : nil)
            })
        try client.store.import(
            [Article].self,
            from: #"[{"id": 1, "title": "t", "author": {"id": 1, "login": "ann"}, "tags": []}]"#)
        func cutPull() async {
            await #expect(throws: ClientError.self) {
                try await Self.pull(client, Resource("x")).value
            }
        }
        await cutPull()
        await #expect(throws: WritingError.self) {
            try await client.logOut(keeping: [Article.self]).value
        }
        await cutPull()
        isCut.withLock { $0 = false }
        _ = try await Self.pull(client, Resource("x")).value
        #expect(requests.values == ["", "1", "", "1", "1"])
    }

    @Test func `a pull is of who was logged in when it was begun`() async throws {
        let tokens = Seen<String?>()
        let transport = StubTransport { request in
            tokens.note(request.head.headerFields[.authorization])
            return Self.page([1])
        }
        for _ in 0..<100 {
            let authorization = AuthorizationInterceptor(.bearer("ann"))
            let client = try Self.client(over: transport).configured {
                $0.interceptors = [authorization]
            }
            let pull = client.pull(Resource("x"), as: Page.self, by: Self.cursor)
            authorization.logIn(.bearer("bob"))
            _ = await pull.result
        }
        #expect(tokens.values.allSatisfy { $0 == "Bearer ann" })
    }

    @Test func `a pull by an endpoint's own interceptor asks by no token as somebody else`()
        async throws
    {
        struct Own: Endpoint {
            let path = "x"
            let authorization: AuthorizationInterceptor
            let whenAsked: @Sendable () -> Void
            var interceptors: [any Interceptor] { [authorization] }
            var headerFields: HTTPFields {
                whenAsked()
                return [:]
            }
        }
        let seen = Seen<String>()
        let transport = StubTransport { request in
            let credential = request.head.headerFields[.authorization] ?? ""
            seen.note("\(request.head.path ?? "") \(credential)")
            return Self.page([1], token: "7")
        }
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let next = Guarded<Credential?>(nil)
        let client = try Self.client(over: transport)
        // It is asked for its fields first where the token has been read.
        let endpoint = Own(authorization: authorization) {
            if let credential = next.withLock({ $0.take() }) { authorization.logIn(credential) }
        }
        let checkpoint = PullCheckpoint<Page>.named("users").token(query: "since") {
            $0.value.token
        }
        func pull() async throws {
            _ = try await client.pull(
                endpoint, as: Page.self, by: Self.cursor, from: checkpoint
            ).value
        }
        try await pull()
        next.withLock { $0 = .bearer("bob") }
        let error = await #expect(throws: ClientError.self) { try await pull() }
        #expect(error?.reason == .loggedOut)
        try await pull()
        try await pull()
        #expect(seen.values == ["/x Bearer ann", "/x Bearer bob", "/x?since=7 Bearer bob"])
    }

    @Test func `a page that comes behind the session of its credential leaves no token`()
        async throws
    {
        let transport = HeldTransport()
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let client = try Self.client(over: transport).configured {
            $0.interceptors = [authorization]
        }
        let checkpoint = PullCheckpoint<Page>.named("users").token(query: "since") {
            $0.value.token
        }
        let first = client.pull(Resource("x"), as: Page.self, by: Self.cursor, from: checkpoint)
        while transport.open.isEmpty { await Task.yield() }
        authorization.logIn(.bearer("bob"))
        transport.end(0, .success(Self.page([1], token: "7")))
        _ = try await first.value
        #expect(try Self.rows(client.store).isEmpty)
    }

    @Test func `what is learnt after the session has ended is not written`() async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport).configured { $0.tracksRequests = false }
        let checkpoint = PullCheckpoint<Page>.named("users").token(query: "since") {
            $0.value.token
        }
        let first = client.pull(Resource("x"), as: Page.self, by: Self.cursor, from: checkpoint)
        while transport.open.isEmpty { await Task.yield() }
        transport.end(0, .success(Self.page([1], token: "7")))
        _ = try await first.value
        // Whoever is told that the token has expired begins anew.
        let expiring = PullCheckpoint<Page>.named("users").token(
            query: "since",
            isExpired: { _ in
                try? client.logOut().wait()
                return true
            }, { $0.value.token })
        let second = client.pull(Resource("x"), as: Page.self, by: Self.cursor, from: expiring)
        while transport.requests.count < 2 { await Task.yield() }
        transport.end(1, .success(.json("{}", status: .gone)))
        let error = await #expect(throws: ClientError.self) { try await second.value }
        #expect(error?.reason == .loggedOut)
        #expect(try Self.rows(client.store).isEmpty)
    }

    @Test func `a place that can't be asked for is given up`() async throws {
        let name = try #require(HTTPField.Name("Link"))
        let link = Guarded("http://elsewhere.invalid/x?page=2")
        let client = try Self.client(
            over: StubTransport { request in
                guard request.head.path == "/x" else {
                    return .json(#"[{"id": 2, "login": "bob"}]"#)
                }
                return .json(
                    #"[{"id": 1, "login": "ann"}]"#,
                    headerFields: [
                        .contentType: "application/json",
                        name: "<\(link.withLock(\.self))>; rel=\"next\"",
                    ])
            })
        let pull: @Sendable () async throws -> PullReport = {
            try await client.pull(Resource("x"), as: Many<User>.self, from: .named("users")).value
        }
        for _ in 1...2 {
            let error = await #expect(throws: ClientError.self) { try await pull() }
            #expect(error?.underlying as? PagingError == .otherOrigin)
        }
        link.withLock { $0 = "/x?page=2" }
        #expect(try await pull().pageCount == 2)
        #expect(try client.store.count(User.all) == 2)
    }

    @Test func `pages that lead round and round are not begun in the middle`() async throws {
        let requests = Seen<String>()
        let client = try Self.client(
            over: StubTransport { request in
                let after = Self.after(request)
                requests.note(after ?? "")
                return Self.page([1], next: after == nil ? "1" : after == "1" ? "2" : "1")
            })
        for _ in 1...2 {
            await #expect(throws: PagingError.self) {
                try await client.pull(
                    Resource("x"), as: Page.self, by: Self.cursor, from: .named("users")
                ).value
            }
        }
        #expect(requests.values == ["", "1", "2", "", "1", "2"])
    }

    /// Cuts a pull off behind its first page, and returns where another one begins.
    private static func begins(
        _ first: @Sendable (Client) -> Promise<PullReport>,
        then second: @Sendable (Client) -> Promise<PullReport>
    ) async throws -> String {
        let requests = Seen<String>()
        let client = try client(
            over: StubTransport { request in
                let number = requests.add(after(request) ?? "")
                if number == 1 { throw lost }
                return page([number + 1], next: number == 0 ? "1" : nil)
            })
        await #expect(throws: ClientError.self) { try await first(client).value }
        _ = try await second(client).value
        return requests.values[2]
    }

    private static func pull(
        _ client: Client, _ endpoint: some Endpoint,
        from checkpoint: PullCheckpoint<Page> = .named("a")
    ) -> Promise<PullReport> {
        client.pull(endpoint, as: Page.self, by: cursor, from: checkpoint)
    }

    @Test func `what is asked for by content or fields is another list where these are others`()
        async throws
    {
        let search: @Sendable (String) -> AdHocEndpoint = { text in
            .post("search", body: .json(["text": text]))
        }
        let space = try #require(HTTPField.Name("X-Workspace"))
        let same = try await Self.begins {
            Self.pull($0, search("a"))
        } then: {
            Self.pull($0, search("a"))
        }
        #expect(same == "1")
        let content = try await Self.begins {
            Self.pull($0, search("a"))
        } then: {
            Self.pull($0, search("b"))
        }
        #expect(content == "")
        let field = try await Self.begins {
            Self.pull($0, .get("x", headerFields: [space: "1"]))
        } then: {
            Self.pull($0, .get("x", headerFields: [space: "2"]))
        }
        #expect(field == "")
        let credential = try await Self.begins {
            Self.pull($0, .get("x", headerFields: [.authorization: "Bearer a"]))
        } then: {
            Self.pull($0, .get("x", headerFields: [.authorization: "Bearer b"]))
        }
        #expect(credential == "1")
    }

    @Test func `changes that were cut off are not gone on with by who asks for all`() async throws {
        let requests = Seen<String>()
        let isCut = Guarded(false)
        let client = try Self.client(
            over: StubTransport { request in
                let path = request.head.path ?? ""
                requests.note(path)
                if isCut.withLock(\.self), path.contains("after") { throw Self.lost }
                let isFirst = !path.contains("after")
                return Self.page([isFirst ? 1 : 2], next: isFirst ? "1" : nil, token: "t")
            })
        let changes = PullCheckpoint<Page>.named("a").token(query: "since") { $0.value.token }
        _ = try await Self.pull(client, Resource("x"), from: changes).value
        isCut.withLock { $0 = true }
        await #expect(throws: ClientError.self) {
            try await Self.pull(client, Resource("x"), from: changes).value
        }
        isCut.withLock { $0 = false }
        _ = try await Self.pull(client, Resource("x")).value
        #expect(requests.values.suffix(2) == ["/x", "/x?after=1"])
    }

    enum Before {
        @Entity struct Person {
            @Identity var id: Int
            var name: String
        }

        struct People: Wrapper {
            var token: String
            @Stored var people: Many<Person>
        }
    }

    enum After {
        @Entity struct Person {
            @Identity var id: Int
            var name: String
            var city: String?
        }

        struct People: Wrapper {
            var token: String
            @Stored var people: Many<Person>
        }
    }

    @Test func `by another model everything is pulled, not changes alone`() async throws {
        let file = try TemporaryFile(named: "marker", Data())
        defer { withExtendedLifetime(file) {} }
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path()
        let transport = StubTransport { request in
            let people =
                request.head.path == "/x" ? #"[{"id": 1, "name": "ann", "city": "Rome"}]"# : "[]"
            return .json(#"{"token": "t", "people": \#(people)}"#)
        }
        do {
            let store = try Store(at: path, entities: Before.Person.self)
            let client = try Self.client(over: transport, in: store)
            for _ in 1...2 {
                _ = try await client.pull(
                    Resource("x"), as: Before.People.self, by: .next { _ in nil },
                    from: .named("people").token(query: "since") { $0.value.token }
                ).value
            }
            try store.close()
        }
        #expect(transport.requests.map(\.head.path) == ["/x", "/x?since=t"])
        let store = try Store(at: path, entities: After.Person.self)
        let client = try Self.client(over: transport, in: store)
        _ = try await client.pull(
            Resource("x"), as: After.People.self, by: .next { _ in nil },
            from: .named("people").token(query: "since") { $0.value.token }
        ).value
        #expect(try store.fetch(After.Person.all).map(\.city) == ["Rome"])
    }

    // MARK: Tokens and places

    private struct Members: Endpoint {
        let path = "x"
        var removal = Removal.of(One<User>(id: 9))
    }

    private static let changes = PullCheckpoint<Page>.named("a").token(query: "since") {
        $0.value.token
    }

    @Test func `a token that is not known any more says nothing of what the list is about`()
        async throws
    {
        let client = try Self.client(
            over: StubTransport { request in
                request.head.path?.contains("since") == true
                    ? .json("{}", status: .gone) : Self.page([1], token: "t")
            })
        try client.store.save(User(id: 9, login: "owner"))
        for _ in 1...2 { _ = try await Self.pull(client, Members(), from: Self.changes).value }
        #expect(try client.store.find(User.self, id: 9) != nil)
    }

    /// A list in pages of two by number, whose first element goes once a page has been read.
    private static func shrinking() -> StubTransport {
        let ids = Guarded([1, 2, 3, 4, 5])
        return StubTransport { request in
            let items = URLComponents(string: request.head.path ?? "")?.queryItems ?? []
            // Nothing has changed.
            if items.contains(where: { $0.name == "since" }) { return .json("[]") }
            let page = items.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 1
            let shown = ids.withLock { $0 }.dropFirst(2 * page - 2).prefix(2)
            ids.withLock { $0.removeAll { $0 == 1 } }
            let users = shown.map { #"{"id": \#($0), "login": "u"}"# }
            return .json("[\(users.joined(separator: ","))]")
        }
    }

    @Test func `what slips through between two pages by number is not lost by a token`()
        async throws
    {
        let client = try Self.client(over: Self.shrinking())
        let changes = PullCheckpoint<Many<User>>.named("a").token(query: "since") { _ in "t" }
        for _ in 1...2 {
            _ = try await client.pull(
                Resource("x"), as: Many<User>.self, by: .number(query: "page", size: 2),
                from: changes
            ).value
        }
        #expect(try client.store.find(User.self, id: 3) != nil)
    }

    @Test func `one page by number that is all there is keeps its token`() async throws {
        let requests = Guarded<[String]>([])
        let client = try Self.client(
            over: StubTransport { request in
                requests.withLock { $0.append(request.head.path ?? "") }
                return .json(#"[{"id": 1, "login": "u"}]"#)
            })
        let changes = PullCheckpoint<Many<User>>.named("a").token(query: "since") { _ in "t" }
        for _ in 1...2 {
            _ = try await client.pull(
                Resource("x"), as: Many<User>.self, by: .number(query: "page", size: 2),
                from: changes
            ).value
        }
        #expect(requests.withLock { $0.last?.contains("since=t") } == true)
    }

    @Test(arguments: [403, 409, 500])
    func `a place that is refused in any way is not asked for for ever`(
        _ code: Int
    ) async throws {
        let isCut = Guarded(true)
        let client = try Self.client(
            over: StubTransport { request in
                let cut = isCut.withLock(\.self)
                if Self.after(request) == nil { return Self.page([1], next: cut ? "1" : nil) }
                if cut { throw Self.lost }
                return .json("{}", status: .init(code: code))
            })
        await #expect(throws: ClientError.self) {
            try await Self.pull(client, Resource("x")).value
        }
        isCut.withLock { $0 = false }
        await #expect(throws: ClientError.self) {
            try await Self.pull(client, Resource("x")).value
        }
        _ = try await Self.pull(client, Resource("x")).value
    }

    @Test(arguments: [401, 429, 503])
    func `a place that can't be asked for now is asked for again`(_ code: Int) async throws {
        let isCut = Guarded(true)
        let places = Guarded<[String?]>([])
        let client = try Self.client(
            over: StubTransport { request in
                let cut = isCut.withLock(\.self)
                places.withLock { $0.append(Self.after(request)) }
                if Self.after(request) == nil { return Self.page([1], next: "1") }
                return cut ? .json("{}", status: .init(code: code)) : Self.page([2])
            })
        for _ in 1...2 { _ = try? await Self.pull(client, Resource("x")).value }
        isCut.withLock { $0 = false }
        _ = try await Self.pull(client, Resource("x")).value
        #expect(places.withLock(\.self) == [nil, "1", "1", "1"])
    }

    private struct OptionalPage: Wrapper {
        var token: String?
        @Stored var users: Many<User>?
    }

    private struct AllUsers: Endpoint {
        let path = "x"
        var completeness = Completeness.whole(User.all)
    }

    @Test func `where no page has the list nothing is known, and everything is asked for again`()
        async throws
    {
        let paths = Guarded<[String]>([])
        let client = try Self.client(
            over: StubTransport { request in
                paths.withLock { $0.append(request.head.path ?? "") }
                return .json(#"{"users": null, "token": "t"}"#)
            })
        let changes = PullCheckpoint<OptionalPage>.named("a").token(query: "since") {
            $0.value.token
        }
        for _ in 1...2 {
            let report = try await client.pull(
                AllUsers(), as: OptionalPage.self, by: .cursor(query: "after") { _ in nil },
                from: changes
            ).value
            #expect(report.vanished == .notFound(.incomplete))
        }
        #expect(paths.withLock { $0.allSatisfy { !$0.contains("since") } })
    }

    @Test func `an empty token is none`() async throws {
        let paths = Guarded<[String]>([])
        let client = try Self.client(
            over: StubTransport { request in
                paths.withLock { $0.append(request.head.path ?? "") }
                let isFirst = Self.after(request) == nil
                return Self.page([1], next: isFirst ? "1" : nil, token: isFirst ? "77" : "")
            })
        for _ in 1...2 { _ = try await Self.pull(client, Resource("x"), from: Self.changes).value }
        #expect(paths.withLock { $0[2] } == "/x?since=77")
    }

    private struct More: Wrapper {
        var next: String?
        var token: String?
        @Stored var users: Many<User>
        @Stored var tags: Many<Tag>?
    }

    @Test func `who reads more of the pages pulls all of them`() async throws {
        let paths = Guarded<[String]>([])
        let client = try Self.client(
            over: StubTransport { request in
                paths.withLock { $0.append(request.head.path ?? "") }
                return Self.page([1], token: "t")
            })
        _ = try await Self.pull(client, Resource("x"), from: Self.changes).value
        let changes = PullCheckpoint<More>.named("a").token(query: "since") { $0.value.token }
        _ = try await client.pull(
            Resource("x"), as: More.self, by: .cursor(query: "after") { $0.next }, from: changes
        ).value
        _ = try await client.pull(
            Resource("x"), as: More.self, by: .cursor(query: "after") { $0.next }, from: changes
        ).value
        #expect(paths.withLock(\.self) == ["/x", "/x", "/x?since=t"])
    }

    @Test(arguments: [false, true])
    func `where all is deleted, or a pull forgotten, everything is pulled anew`(
        _ isForgotten: Bool
    ) async throws {
        let paths = Guarded<[String]>([])
        let client = try Self.client(
            over: StubTransport { request in
                paths.withLock { $0.append(request.head.path ?? "") }
                return Self.page([1], token: "t")
            })
        _ = try await Self.pull(client, Resource("x"), from: Self.changes).value
        if isForgotten {
            try await client.forgetPull(named: "a").value
            #expect(try client.store.count(User.all) == 1)
        } else {
            try client.store.deleteAll()
        }
        _ = try await Self.pull(client, Resource("x"), from: Self.changes).value
        #expect(paths.withLock(\.self) == ["/x", "/x"])
    }

    /// As a store in memory has one connection, it is one in a file.
    @Test func `what is pulled right behind a log-out goes by no token of before`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let paths = Seen<String>()
        let client = try Self.client(
            over: StubTransport { request in
                let path = request.head.path ?? ""
                paths.note(path)
                return Self.page(path.contains("since") ? [] : [1], token: "t")
            }, in: store)
        _ = try await Self.pull(client, Resource("x"), from: Self.changes).value
        let (end, next) = try await store.whileItIsHeld {
            let end = client.logOut()
            let next = Self.pull(client, Resource("x"), from: Self.changes)
            for _ in 0..<200_000 where paths.count < 2 { await Task.yield() }
            return (end, next)
        }
        try await end.value
        _ = try await next.value
        #expect(paths.values == ["/x", "/x"])
        #expect(try store.count(User.all) == 1)
    }

    @Test(arguments: [false, true])
    func `a pull that is under way brings no token back`(_ isForgotten: Bool) async throws {
        let transport = HeldTransport()
        let client = try Self.client(over: transport)
        let first = Self.pull(client, Resource("x"), from: Self.changes)
        while transport.requests.count < 1 { await Task.yield() }
        transport.end(0, .success(Self.page([1], next: "1")))
        while transport.requests.count < 2 { await Task.yield() }
        if isForgotten {
            try await client.forgetPull(named: "a").value
        } else {
            try client.store.deleteAll()
        }
        transport.end(1, .success(Self.page([2], next: "2")))
        while transport.requests.count < 3 { await Task.yield() }
        transport.end(2, .success(Self.page([3], token: "t")))
        _ = try await first.value
        #expect(try Self.rows(client.store).isEmpty)
        let second = Self.pull(client, Resource("x"), from: Self.changes)
        while transport.requests.count < 4 { await Task.yield() }
        #expect(transport.requests[3].head.path == "/x")
        transport.end(3, .success(Self.page([1, 2, 3], token: "t")))
        _ = try await second.value
        #expect(try client.store.count(User.all) == 3)
    }

    @Test func `changes alone take the mark from what is there again`() async throws {
        struct Sheets: Wrapper {
            var token: String?
            @Stored var items: Many<PulledSheet>
        }
        let store = try Store.inMemory(entities: PulledSheet.self)
        try store.import(PulledSheet.self, from: #"{"id": 3, "name": "c"}"#)
        let client = try Self.client(
            over: StubTransport { request in
                .json(
                    request.head.path?.contains("since") == true
                        ? #"{"token": "2", "items": [{"id": 3, "name": "c"}]}"#
                        : #"{"token": "1", "items": [{"id": 1, "name": "a"}]}"#)
            }, in: store)
        let list = AdHocEndpoint.get("x")
            .setting(\.completeness, to: .whole(PulledSheet.all, marking: \.isGone))
        for isGone in [true, false] {
            _ = try await client.pull(
                list, as: Sheets.self, by: .cursor(query: "after") { _ in nil },
                from: .named("a").token(query: "since") { $0.value.token }
            ).value
            #expect(try store.find(PulledSheet.self, id: 3)?.isGone == isGone)
        }
    }

    @Test(arguments: [true, false])
    func `a walk goes on as nobody else`(_ isOfClient: Bool) async throws {
        let authorization = AuthorizationInterceptor(.bearer("ann"))
        let list = AdHocEndpoint.get("x")
            .setting(\.interceptors, to: isOfClient ? [] : [authorization])
        let transport = StubTransport { request in
            Self.after(request) == nil ? Self.page([1], next: "2") : Self.page([9])
        }
        let client = try TestClient.client(over: transport) {
            $0.interceptors = isOfClient ? [authorization] : []
        }
        let error = await #expect(throws: ClientError.self) {
            for try await _ in client.pages(list, as: Page.self, by: Self.cursor) {
                authorization.logIn(.bearer("bob"))
            }
        }
        #expect(error?.reason == .loggedOut)
        #expect(transport.requests.map { $0.head.headerFields[.authorization] } == ["Bearer ann"])
    }
}
