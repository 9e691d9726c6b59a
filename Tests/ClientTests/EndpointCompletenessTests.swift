import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// Endpoints whose lists are the whole of something.
@Suite struct EndpointCompletenessTests {
    private struct Users: RespondingEndpoint {
        typealias Response = LarderClient.Response<Many<User>>
        let path = "users"
        var method = HTTPRequest.Method.get
        var completeness = Completeness.whole(User.all)
    }

    private static let both = #"[{"id": 1, "login": "ann"}, {"id": 2, "login": "bob"}]"#

    private static func client(
        _ handler: @escaping @Sendable (TransportRequest) async throws -> TransportResponse
    ) throws -> Client {
        let client = try TestClient.client(over: StubTransport(handler))
        try client.store.import([User].self, from: both)
        return client
    }

    private static func client(answering response: TransportResponse) throws -> Client {
        try client { _ in response }
    }

    private static func ids(_ client: Client) throws -> [Int] {
        try client.store.select(User.all.sorted { $0.id.ascending }) { $0.id }
    }

    @Test func `what a list lacks goes in its transaction, and is in the report`() async throws {
        let client = try Self.client(answering: .json(#"[{"id": 2, "login": "bob"}, 3]"#))
        let response = try await client.enqueue(Users()).value
        #expect(try Self.ids(client) == [2])
        #expect(response.report["User"].deleted == 1)
        #expect(try response.value.count == 2)
    }

    @Test func `over a socket, too`() async throws {
        let server = try await LoopbackServer()
        server.route(.get, "/users") { _ in .json(#"[{"id": 1, "login": "ann"}]"#) }
        let client = try TestClient.client(at: server.baseURL)
        try client.store.import([User].self, from: Self.both)
        let response = try await client.enqueue(Users()).value
        #expect(try Self.ids(client) == [1] && response.report.total.deleted == 1)
        await server.stop()
    }

    @Test(arguments: [
        TransportResponse.json("[]", status: .partialContent),
        .json("[]", status: .accepted),
        .json("[]", headerFields: [.contentRange: "items 0-24/319"]),
        .json("[]", headerFields: [Self.link: #"</users?page=2>; rel="next""#]),
        .json("[]", headerFields: [Self.link: #"</users?page=1>; rel="prev""#]),
        .json("[]", headerFields: [Self.nextPage: "2"]),
    ])
    func `a part of the list deletes nothing`(_ response: TransportResponse) async throws {
        let client = try Self.client(answering: response)
        _ = try await client.enqueue(Users()).value
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test(arguments: ["7", "7, 0", " 1 "])
    func `an answer that a cache on the way has had shows nothing`(_ age: String) async throws {
        let client = try Self.client(answering: .json("[]", headerFields: [.age: age]))
        _ = try await client.enqueue(Users()).value
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test(arguments: ["0", "x", ""])
    func `one that is of no age is the server's`(_ age: String) async throws {
        let client = try Self.client(answering: .json("[]", headerFields: [.age: age]))
        _ = try await client.enqueue(Users()).value
        #expect(try Self.ids(client) == [])
    }

    @Test func `fields that name no other page are no matter`() async throws {
        let client = try Self.client(
            answering: .json(
                "[]",
                headerFields: [
                    Self.link: #"</users?page=1>; rel="first", </users?page=1>; rel="last""#,
                    Self.nextPage: "",
                ]))
        _ = try await client.enqueue(Users()).value
        #expect(try Self.ids(client) == [])
    }

    @Test(arguments: [
        TransportResponse.json("[]", status: .internalServerError), .json("[]", status: .notFound),
        .json(#"[{"id": 1, "login": "#), .json(#"[{"id": 1, "login": 7}]"#), .json(""),
    ])
    func `a failure deletes nothing`(_ response: TransportResponse) async throws {
        let client = try Self.client(answering: response)
        await #expect(throws: ClientError.self) { _ = try await client.enqueue(Users()).value }
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test(arguments: [HTTPResponse.Status.noContent, .notModified, .ok])
    func `no content is no list`(_ status: HTTPResponse.Status) async throws {
        let client = try Self.client(answering: TransportResponse(head: .init(status: status)))
        let users = AdHocEndpoint.get("users", acceptedStatuses: [200, 204, 304])
            .setting(\.completeness, to: .whole(User.all))
        #expect(try await client.enqueue(users, as: Many<User>?.self).value == nil)
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `what is not stored is no list either`() async throws {
        let client = try Self.client(answering: .json("[]"))
        let users = AdHocEndpoint.get("users").setting(\.completeness, to: .whole(User.all))
        _ = try await client.enqueue(users, as: JSONDocument.self).value
        let _: Void = try await client.enqueue(users).value
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `what the document says of more counts, wherever the list stands in it`()
        async throws
    {
        let client = try Self.client { request in
            .json(#"{"data": [], "more": \#(request.head.path == "/more")}"#)
        }
        let whole = Completeness.whole(User.all).unless("more")
        for path in ["more", "rest"] {
            let endpoint = AdHocEndpoint.get("\(path)").setting(\.completeness, to: whole)
            _ = try await client.enqueue(endpoint, as: Many<User>.self, at: "data").value
            #expect(try Self.ids(client) == (path == "more" ? [1, 2] : []))
        }
    }

    @Test func `what the store gets while the list is on its way stays`() async throws {
        let sent = Gate()
        let transport = HeldTransport { _, _ in sent.open() }
        let client = try TestClient.client(over: transport)
        try client.store.import([User].self, from: Self.both)
        let list = client.enqueue(Users())
        try await sent.wait()
        // Acknowledged by another request, which the list may not know of yet.
        try client.store.save(User(id: 3, login: "new"))
        transport.end(0, .success(.json(#"[{"id": 1, "login": "ann"}]"#)))
        _ = try await list.value
        #expect(try Self.ids(client) == [1, 3])
    }

    @Test func `what goes and comes again while the list is on its way stays`() async throws {
        let sent = Gate()
        let transport = HeldTransport { _, _ in sent.open() }
        let client = try TestClient.client(over: transport)
        try client.store.import([User].self, from: Self.both)
        let list = client.enqueue(Users())
        try await sent.wait()
        try client.store.delete(One<User>(id: 2))
        try client.store.save(User(id: 2, login: "again"))
        transport.end(0, .success(.json(#"[{"id": 1, "login": "ann"}]"#)))
        #expect(try await list.value.report.total.deleted == 0)
        #expect(try Self.ids(client) == [1, 2])
        // The next one has been asked for since.
        transport.end(1, .success(.json(#"[{"id": 1, "login": "ann"}]"#)))
        #expect(try await client.enqueue(Users()).value.report.total.deleted == 1)
        #expect(try Self.ids(client) == [1])
    }

    @Test func `what is only changed meanwhile, or stays as what deletes it fails, goes`()
        async throws
    {
        struct Undone: Error {}
        let sent = Gate()
        let transport = HeldTransport { _, _ in sent.open() }
        let client = try TestClient.client(over: transport)
        try client.store.import([User].self, from: Self.both)
        for id in 3...5 { try client.store.save(User(id: id, login: "u")) }
        let list = client.enqueue(Users())
        try await sent.wait()
        try client.store.save(User(id: 2, login: "changed"))
        try client.store.delete(One<User>(id: 3))
        #expect(throws: Undone.self) {
            try client.store.write { context in
                try context.delete(One<User>(id: 4))
                throw Undone()
            }
        }
        try await client.store.write { context in
            try? context.savepoint {
                try context.delete(One<User>(id: 5))
                throw Undone()
            }
        }
        transport.end(0, .success(.json(#"[{"id": 1, "login": "ann"}]"#)))
        #expect(try await list.value.report.total.deleted == 3)
        #expect(try Self.ids(client) == [1])
    }

    /// The list is asked for while a transaction that has deleted something is still open.
    @Test func `what an open transaction has deleted, and comes again, stays`() async throws {
        let (sent, file) = (Gate(), try TemporaryFile(named: "place", Data()))
        let transport = HeldTransport { _, _ in sent.open() }
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path
        let client = Client(
            baseURL: "http://test.invalid/",
            store: try Store(at: path, entities: User.self, Article.self, Tag.self),
            configuration: Client.Configuration(transport: transport, timeout: .seconds(600)))
        try client.store.import([User].self, from: Self.both)
        let list = try await client.store.write { context in
            try context.delete(One<User>(id: 2))
            let list = client.enqueue(Users())
            try sent.block()
            return list
        }
        try client.store.save(User(id: 2, login: "again"))
        transport.end(0, .success(.json(#"[{"id": 1, "login": "ann"}]"#)))
        _ = try await list.value
        #expect(try Self.ids(client) == [1, 2])
    }

    @Test func `an exchange that is older than what is looked for is not joined`() async throws {
        let (sent, sentAgain) = (Gate(), Gate())
        let transport = HeldTransport { _, number in (number == 0 ? sent : sentAgain).open() }
        let client = try TestClient.client(over: transport) { $0.coalescing = .joining }
        let older = client.enqueue(Resource("users"), as: Many<User>.self)
        try await sent.wait()
        try client.store.save(User(id: 3, login: "new"))
        let newer = client.enqueue(Users())
        try await sentAgain.wait()
        transport.end(0, .success(.json("[]")))
        transport.end(1, .success(.json(#"[{"id": 3, "login": "new"}]"#)))
        _ = try await (older.value, newer.value)
        #expect(try Self.ids(client) == [3])
    }

    @Test func `a nearly empty list is an error that says so`() async throws {
        let client = try Self.client(answering: .json("[1]"))
        for id in 3...30 { try client.store.save(User(id: id, login: "u")) }
        let error = await #expect(throws: ClientError.self) {
            _ = try await client.enqueue(Users()).value
        }
        #expect(error?.reason == .notStored)
        let cause = error?.underlying as? CompletenessError
        #expect(cause?.reason == .nearlyEmpty(known: 30, kept: 1))
        #expect(try Self.ids(client).count == 30)
        var users = Users()
        users.completeness = .whole(User.all).allowingEmptying()
        _ = try await client.enqueue(users).value
        #expect(try Self.ids(client) == [1])
    }

    @Test func `a query with a limit is refused before anything is sent`() async throws {
        let transport = StubTransport(.json("[]"))
        let client = try TestClient.client(over: transport)
        var users = Users()
        users.completeness = .whole(User.all.limit(3))
        let error = await #expect(throws: ClientError.self) {
            _ = try await client.enqueue(users).value
        }
        #expect((error?.underlying as? CompletenessError)?.reason == .limitedQuery)
        #expect(transport.requests.isEmpty)
    }

    @Test func `a body that throws takes back what has vanished`() async throws {
        struct Refusal: Error {}
        let client = try Self.client(answering: .json("[1]"))
        await #expect(throws: ClientError.self) {
            _ = try await client.enqueue(Users()) { _, _ in throw Refusal() }.value
        }
        #expect(try Self.ids(client) == [1, 2])
        _ = try await client.enqueue(Users()) { context, _ in
            let count = try context.count(User.all)
            #expect(count == 1)
        }.value
        #expect(try Self.ids(client) == [1])
    }

    @Test func `an endpoint whose completeness is of another type is refused`() async throws {
        struct Mistyped: Endpoint {
            let path = "users"
            let completeness: Completeness? = .whole(User.all)
        }
        let client = try Self.client(answering: .json("[]"))
        let error = await #expect(throws: ClientError.self) {
            _ = try await client.enqueue(Mistyped(), as: Many<User>.self).value
        }
        #expect(error?.reason == .invalidRequest)
    }

    // MARK: The objects of a list

    private struct Exhibits: Endpoint {
        let path = "dossiers/1/exhibits"
        let completeness = Completeness.whole(\.exhibits, of: One<Dossier>(id: 1))
    }

    @Test func `the objects of a list have the links that it makes, however they are had`()
        async throws
    {
        let transport = StubTransport(.json(#"[{"id": 7, "text": "a"}, {"id": 8, "text": "b"}]"#))
        let linked = [1, 1]
        for way in 0..<3 {
            let store = try Store.inMemory(entities: Dossier.self, Exhibit.self)
            let client = Client(
                baseURL: "http://test.invalid/", store: store,
                configuration: Client.Configuration(transport: transport))
            var exhibits: [Exhibit] = []
            switch way {
            case 0: exhibits = try await client.enqueue(Exhibits(), as: [Exhibit].self).value
            case 1:
                for try await page in client.pages(Exhibits(), as: [Exhibit].self) {
                    exhibits += page.value
                }
            default:
                exhibits = try await client.enqueue(Exhibits(), as: [Exhibit].self) { _, list in
                    #expect(list.map { $0.dossier?.id } == linked)
                }.value
            }
            #expect(exhibits.map { $0.dossier?.id } == linked)
            exhibits[0].text = "edited"
            try store.save(exhibits)
            #expect(try store.fetch(Exhibit.all).map { $0.dossier?.id } == linked)
        }
    }

    private static let link = HTTPField.Name("Link") ?? .location
    private static let nextPage = HTTPField.Name("X-Next-Page") ?? .location
}

/// What an endpoint's list is linked to.
@Entity struct Dossier {
    @Identity var id: Int
    @Relationship(inverse: "dossier", ordered: false) var exhibits: Many<Exhibit>
}

@Entity struct Exhibit {
    @Identity var id: Int
    var text: String
    @Relationship(inverse: "exhibits") var dossier: One<Dossier>?
}
