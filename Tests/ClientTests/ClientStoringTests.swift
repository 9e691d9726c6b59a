import Foundation
import HTTPTypes
import LarderClient
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

/// Endpoints enqueued with what is to be written along with their responses.
@Suite struct ClientStoringTests {
    /// A page and where to go on from it.
    private struct Page: Wrapper {
        var token: String
        @Stored var users: Many<User>
    }

    private struct Pages: RespondingEndpoint {
        typealias Response = Page
        let path = "page"
    }

    private struct Token: Decodable { var token: String }

    private struct Tokens: RespondingEndpoint {
        typealias Response = LarderClient.Response<Token>
        let path = "page"
    }

    private static let page = #"{"token": "t1", "users": [{"id": 1, "login": "ann"}]}"#

    private static func client(over transport: any Transport) throws -> Client {
        Client(
            baseURL: "http://test.invalid/",
            store: try Store.inMemory(entities: User.self, SyncToken.self),
            configuration: .init(transport: transport))
    }

    @Test func `responses are stored in the order in which they come, with and without a body`()
        async throws
    {
        for round in 0..<50 {
            let transport = HeldTransport()
            let client = try Self.client(over: transport)
            let older = client.enqueue(Resource("a"), as: Many<User>.self) { _, _ in }
            let newer = client.enqueue(Resource("b"), as: Many<User>.self)
            transport.end(0, .success(.json(#"[{"id": 1, "login": "old"}]"#)))
            transport.end(1, .success(.json(#"[{"id": 1, "login": "new"}]"#)))
            _ = try await (older.value, newer.value)
            #expect(try client.store.find(User.self, id: 1)?.login == "new", "round \(round)")
        }
    }

    @Test func `a token is saved with its page`() async throws {
        let client = try Self.client(over: StubTransport(.json(Self.page)))
        let page = try await client.enqueue(Resource("page"), as: Page.self) { context, page in
            try context.save(SyncToken(name: "page", text: page.token))
        }.value
        #expect(page.token == "t1")
        #expect(try client.store.find(SyncToken.self, id: "page")?.text == "t1")
        #expect(try client.store.count(User.all) == 1)
    }

    @Test func `what stands at a key path, and header fields, have a body too`() async throws {
        let fields: HTTPFields = [.eTag: "\"7\""]
        let client = try Self.client(over: StubTransport(.json(Self.page, headerFields: fields)))
        let users = try await client.enqueue(
            Resource("page"), at: "users",
            storing: { (context, users: [User]) in
                try context.save(SyncToken(name: "logins", text: users.map(\.login).joined()))
            }
        ).value
        let response: Promise<Response<Many<User>>> = client.enqueue(
            Resource("page"), at: "users",
            storing: { context, response in
                let tag = response.headerFields[.eTag] ?? ""
                try context.save(SyncToken(name: "tag", text: tag))
            })
        #expect(try await response.value.value.count == users.count)
        #expect(try client.store.find(SyncToken.self, id: "logins")?.text == "ann")
        #expect(try client.store.find(SyncToken.self, id: "tag")?.text == "\"7\"")
    }

    @Test func `an endpoint that fixes its response has a body, also where nothing is stored`()
        async throws
    {
        let client = try Self.client(over: StubTransport(.json(Self.page)))
        let tokens = try await client.enqueue(Tokens()) { context, response in
            try context.save(SyncToken(name: "decoded", text: response.value.token))
        }.value
        #expect(tokens.value.token == "t1")
        #expect(try client.store.count(User.all) == 0)
        _ = try await client.enqueue(Pages()) { context, page in
            try context.save(SyncToken(name: "stored", text: page.token))
        }.value
        #expect(try client.store.fetch(SyncToken.all).map(\.text) == ["t1", "t1"])
        #expect(try client.store.count(User.all) == 1)
    }

    private enum Fate: CaseIterable {
        case good, plain, decoded, throwing, unfit, cancelled, cancelledLater
    }

    @Test(arguments: 0..<20)
    func `at random, each has its rows and its token, or neither`(_ seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let transport = StubTransport { request in
            let parts = request.head.path?.split(separator: "/") ?? []
            let login = parts.first == "unfit" ? "7" : #""a""#
            return .json(#"[{"id": \#(parts.last ?? ""), "login": \#(login)}]"#)
        }
        let client = try Self.client(over: transport)
        let runs = Seen<Int>()
        let isHeld = Gate()
        let goOn = Gate()
        // So that many come together.
        let holding = client.enqueue(Resource("a/0"), as: [User].self) { _, _ in
            isHeld.open()
            try goOn.block()
        }
        try await isHeld.wait()
        var promises: [(Int, Fate, AnyPromise)] = []
        for id in 1...60 {
            guard let fate = Fate.allCases.randomElement(using: &random) else { continue }
            let isUnfit = fate == .unfit
            let body: @Sendable (Context) throws -> Void = { context in
                runs.note(id)
                try context.save(SyncToken(name: "\(id)", text: ""))
                if fate == .throwing { throw TokenRefused() }
            }
            let endpoint = Resource("\(isUnfit ? "unfit" : "fit")/\(id)")
            let promise =
                switch fate {
                case .plain: AnyPromise(client.enqueue(endpoint, as: Many<User>.self))
                case .decoded:
                    AnyPromise(
                        client.enqueue(
                            endpoint,
                            serializer: ResponseSerializer<Data>.decoded().storing { context, _ in
                                try body(context)
                            }))
                default:
                    AnyPromise(
                        client.enqueue(endpoint, as: Many<User>.self) { context, _ in
                            try body(context)
                        })
                }
            if fate == .cancelled { promise.cancel() }
            promises.append((id, fate, promise))
        }
        goOn.open()
        for (_, fate, promise) in promises where fate == .cancelledLater { promise.cancel() }
        _ = try await holding.value
        var (users, tokens): (Set<Int>, Set<String>) = ([0], [])
        for (id, fate, promise) in promises {
            guard let error = await promise.failure else {
                if fate != .decoded { users.insert(id) }
                if fate != .plain { tokens.insert("\(id)") }
                #expect(![.throwing, .unfit, .cancelled].contains(fate), "seed \(seed)")
                continue
            }
            let fates: [Fate] =
                error is CancellationError ? [.cancelled, .cancelledLater] : [.throwing, .unfit]
            #expect(fates.contains(fate), "seed \(seed): \(error)")
        }
        try await client.store.write { _ in }
        #expect(try Set(client.store.fetch(User.all).map(\.id)) == users, "seed \(seed)")
        #expect(try Set(client.store.fetch(SyncToken.all).map(\.name)) == tokens, "seed \(seed)")
        #expect(Set(runs.values).count == runs.count, "seed \(seed)")
    }
}
