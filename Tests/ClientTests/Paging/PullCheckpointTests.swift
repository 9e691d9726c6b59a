import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Pulls that are cut off, and go on where they were left.
@Suite struct PullCheckpointTests {
    private struct Users: Endpoint {
        let path = "users"
        var completeness = Completeness.whole(User.all)
    }

    private struct Page: Wrapper {
        var next: String?
        var token: String?
        @Stored var users: Many<User>
    }

    /// A server whose list goes on behind an id, or has what has changed since a token.
    private final class Server: Sendable {
        private struct State {
            var users: [Int: (login: String, version: Int)] = [:]
            var version = 0
            var requests: [[String: String]] = []
            var failingRequest: Int?
            var oldestToken = 0
            var knowsPlaces = true
        }

        private let state = Guarded(State())
        private let size = 2

        var ids: [Int] { state.withLock { $0.users.keys.sorted() } }
        var requests: [[String: String]] { state.withLock(\.requests) }

        func set(_ id: Int, _ login: String?) {
            state.withLock { state in
                state.version += 1
                state.users[id] = login.map { ($0, state.version) }
            }
        }

        /// Fails one of the requests that are to come, counted from 0.
        func fail(request: Int?) {
            state.withLock { state in
                state.failingRequest = request.map { $0 + state.requests.count }
            }
        }

        /// Knows no place behind the first page any more, or does.
        func knowPlaces(_ knows: Bool) { state.withLock { $0.knowsPlaces = knows } }

        /// Knows no token of before now any more.
        func expire() {
            state.withLock { state in
                state.version += 1
                state.oldestToken = state.version
            }
        }

        func answer(_ request: TransportRequest) throws -> TransportResponse {
            let items = URLComponents(string: request.head.path ?? "")?.queryItems ?? []
            let query = Dictionary(items.map { ($0.name, $0.value ?? "") }) { $1 }
            return try state.withLock { state in
                state.requests.append(query)
                if state.failingRequest == state.requests.count - 1 {
                    throw TransportError(.connectionLost, "It was cut off.")
                }
                if query["after"] != nil, !state.knowsPlaces {
                    return .json("{}", status: .badRequest)
                }
                let since = query["since"].flatMap { Int($0) }
                if let since, since < state.oldestToken { return .json("{}", status: .gone) }
                let after = query["after"].flatMap { Int($0) } ?? 0
                let found = state.users.filter { $0.key > after && $0.value.version > since ?? -1 }
                    .sorted { $0.key < $1.key }
                let users = found.prefix(size).map { user in
                    #"{"id": \#(user.key), "login": "\#(user.value.login)"}"#
                }
                let next = found.count > size ? "\"\(found[size - 1].key)\"" : "null"
                return .json(
                    """
                    {"next": \(next), "token": "\(state.version)", "users": [\(users.joined(separator: ", "))]}
                    """)
            }
        }
    }

    private static func client(_ server: Server, _ store: Store) -> Client {
        Client(
            baseURL: "http://test.invalid/", store: store,
            configuration: Client.Configuration(transport: StubTransport { try server.answer($0) }))
    }

    private static func pull(
        _ server: Server, _ store: Store, from checkpoint: PullCheckpoint<Page>?
    ) async throws -> PullReport {
        try await client(server, store).pull(
            Users(), as: Page.self, by: .cursor(query: "after") { $0.next }, from: checkpoint
        ).value
    }

    /// A server of some users, and a store that has a pull of them up to a request that failed.
    private static func cutOff(
        at request: Int, of count: Int = 5, from checkpoint: PullCheckpoint<Page> = .named("users"),
        with user: User? = nil
    ) async throws -> (Server, Store) {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        if let user { _ = try await store.write { try $0.save(user) } }
        let server = Server()
        for id in 1...count { server.set(id, "u\(id)") }
        server.fail(request: request)
        await #expect(throws: ClientError.self) {
            try await pull(server, store, from: checkpoint)
        }
        return (server, store)
    }

    private static func ids(_ store: Store) throws -> [Int] {
        try store.select(User.all.sorted { $0.id.ascending }) { $0.id }
    }

    @Test func `cut off, the next one goes on at the page that was not stored`() async throws {
        let (server, store) = try await Self.cutOff(at: 2, of: 7)
        #expect(try Self.ids(store) == [1, 2, 3, 4])
        let report = try await Self.pull(server, store, from: .named("users"))
        #expect(server.requests.map { $0["after"] ?? "" } == ["", "2", "4", "4", "6"])
        #expect(try Self.ids(store) == Array(1...7))
        #expect(report.pageCount == 2 && report.vanished == .notFound(.resumed))
        // One that came to its end begins anew, and so does one of another name.
        server.set(3, nil)
        let whole = try await Self.pull(server, store, from: .named("users"))
        #expect(whole.vanished == .found && whole.pageCount == 3)
        #expect(try Self.ids(store) == [1, 2, 4, 5, 6, 7])
    }

    @Test func `of another name, or another account's, it is another pull`() async throws {
        let (server, store) = try await Self.cutOff(at: 1, from: .named("a"))
        let other = try await Self.pull(server, store, from: .named("b"))
        #expect(other.pageCount == 3 && other.vanished == .found)
        let client = Self.client(server, store).configured { $0.account = "ann" }
        let report = try await client.pull(
            Users(), as: Page.self, by: .cursor(query: "after") { $0.next }, from: .named("a")
        ).value
        #expect(report.pageCount == 3)
        #expect(try await Self.pull(server, store, from: .named("a")).pageCount == 2)
    }

    private static let changes = PullCheckpoint<Page>.named("users")
        .token(query: "since") { $0.value.token }

    @Test func `once all has come, changes are asked for alone`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let server = Server()
        for id in 1...5 { server.set(id, "u\(id)") }
        #expect(try await Self.pull(server, store, from: Self.changes).vanished == .found)
        for id in [2, 4, 5] { server.set(id, "new") }
        server.set(1, nil)
        let report = try await Self.pull(server, store, from: Self.changes)
        #expect(report.vanished == .notAsked && report.report["User"].updated == 3)
        #expect(server.requests.suffix(2).map { $0["since"] } == ["5", "5"])
        #expect(server.requests.suffix(2).map { $0["after"] } == [nil, "4"])
        #expect(try Self.ids(store) == Array(1...5))
        #expect(try await Self.pull(server, store, from: Self.changes).report.total.updated == 0)
        #expect(server.requests.last?["since"] == "9")
    }

    @Test
    func `who keeps a token has no use for pages of before, and who asks nobody keeps none`()
        async throws
    {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let (server, clock) = (Server(), WallClock())
        for id in 1...4 { server.set(id, "u\(id)") }
        let cache = ResponseCache(in: nil) { clock.now }
        let client = Self.client(server, store).configured {
            ($0.cache, $0.cachePolicy) = (cache, .http.servingStale(for: .seconds(600)))
            $0.transport = StubTransport { request in
                var response = try server.answer(request)
                response.head.headerFields[.cacheControl] = "max-age=60"
                return response
            }
        }
        func pull(_ name: String, by client: Client) async throws -> PullReport {
            let checkpoint = PullCheckpoint<Page>.named(name)
                .token(query: "since") { $0.value.token }
            return try await client.pull(
                Users(), as: Page.self, by: .cursor(query: "after") { $0.next },
                from: checkpoint
            ).value
        }
        for try await _ in client.pages(
            Users(), as: Page.self, by: .cursor(query: "after") { $0.next })
        { break }
        try await cache.settled().value
        server.set(1, "new")
        server.fail(request: 0)
        await #expect(throws: ClientError.self) { try await pull("a", by: client) }
        #expect(try await pull("a", by: client).pageCount == 2)
        #expect(server.requests.count == 4)
        let logins = try store.select(User.all.sorted { $0.id.ascending }) { $0.login }
        #expect(logins == ["new", "u2", "u3", "u4"])
        try await cache.settled().value
        // Nor is any of it kept, which would bring back what goes by a later pull.
        await #expect(throws: ClientError.self) {
            try await pull("b", by: client.caching(.cachedOnly))
        }
        for try await _ in client.caching(.reload).pages(
            Users(), as: Page.self, by: .cursor(query: "after") { $0.next })
        {}
        try await cache.settled().value
        #expect(server.requests.count == 6)
        #expect(try await pull("b", by: client.caching(.cachedOnly)).pageCount == 2)
        #expect(server.requests.count == 6)
        #expect(try await pull("b", by: client).pageCount == 2)
        #expect(server.requests.suffix(2).allSatisfy { $0["since"] == nil })
        #expect(try await pull("b", by: client).pageCount == 1)
        #expect(server.requests.last?["since"] == "5")
    }

    @Test
    func `a token that the server does not know any more has all pulled, and what vanished go`()
        async throws
    {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let server = Server()
        for id in 1...5 { server.set(id, "u\(id)") }
        _ = try await Self.pull(server, store, from: Self.changes)
        server.set(1, nil)
        server.expire()
        let report = try await Self.pull(server, store, from: Self.changes)
        #expect(report.vanished == .found && report.pageCount == 2)
        #expect(try Self.ids(store) == [2, 3, 4, 5])
        _ = try await Self.pull(server, store, from: Self.changes)
        #expect(server.requests.last?["since"] == "7")
    }

    @Test func `a whole pull that was cut off keeps no token, as it can't tell what vanished`()
        async throws
    {
        let (server, store) = try await Self.cutOff(
            at: 1, from: Self.changes, with: User(id: 9, login: "gone"))
        #expect(
            try await Self.pull(server, store, from: Self.changes).vanished == .notFound(.resumed))
        #expect(try Self.ids(store) == [1, 2, 3, 4, 5, 9])
        #expect(try await Self.pull(server, store, from: Self.changes).vanished == .found)
        #expect(try Self.ids(store) == [1, 2, 3, 4, 5])
    }

    @Test func `a place that the server does not know any more begins anew`() async throws {
        let (server, store) = try await Self.cutOff(at: 1)
        server.knowPlaces(false)
        await #expect(throws: ClientError.self) {
            try await Self.pull(server, store, from: .named("users"))
        }
        #expect(server.requests.map { $0["after"] ?? "" } == ["", "2", "2", "", "2"])
        server.knowPlaces(true)
        #expect(try await Self.pull(server, store, from: .named("users")).pageCount == 2)
        #expect(try Self.ids(store) == Array(1...5))
    }

    private struct Others: Endpoint {
        let path = "others"
    }

    @Test func `of another list of the same name it begins anew`() async throws {
        let (server, store) = try await Self.cutOff(at: 1)
        let report = try await Self.client(server, store).pull(
            Others(), as: Page.self, by: .cursor(query: "after") { $0.next }, from: .named("users")
        ).value
        #expect(report.pageCount == 3)
    }

    @Test func `by other options it begins anew, as more may be read of each page`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let server = Server()
        server.set(1, "ann")
        _ = try await Self.pull(server, store, from: Self.changes)
        let client = Self.client(server, store).configured {
            $0.decodingOptions = DecodingOptions(keys: .convertFromSnakeCase)
        }
        for _ in 0..<2 {
            _ = try await client.pull(
                Users(), as: Page.self, by: .cursor(query: "after") { $0.next }, from: Self.changes
            ).value
        }
        #expect(server.requests.map { $0["since"] } == [nil, nil, "1"])
    }

    @Test func `who logs out between two pages gets no more of them, and no token`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let server = Server()
        for id in 1...5 { server.set(id, "u\(id)") }
        let client = Self.client(server, store)
        let pull = client.pull(
            Users(), as: Page.self, by: .cursor(query: "after") { $0.next }, from: Self.changes
        ) { progress in
            if progress.pageCount == 2 { client.logOut() }
        }
        await #expect(throws: ClientError.self) { try await pull.value }
        try await client.logOut().value
        #expect(try Self.ids(store) == [])
        #expect(try await Self.pull(server, store, from: Self.changes).pageCount == 3)
        #expect(try Self.ids(store) == Array(1...5))
    }

    @Test func `where nobody can say what is next, the page is there, and the error is theirs`()
        async throws
    {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let server = Server()
        for id in 1...5 { server.set(id, "u\(id)") }
        await #expect(throws: PagingError.otherOrigin) {
            try await Self.client(server, store).pull(
                Users(), as: Page.self, by: .next { _ in throw PagingError.otherOrigin },
                from: .named("users")
            ).value
        }
        #expect(try Self.ids(store) == [1, 2])
    }

    /// `LARDER_ORACLE_COUNT` is how many histories there are, 100 at most, `LARDER_ORACLE_SEED` the first.
    private static let environment = ProcessInfo.processInfo.environment
    private static let count =
        environment["LARDER_ORACLE_COUNT"].flatMap(Int.init).map { min($0, 100) } ?? 40
    private static let first = environment["LARDER_ORACLE_SEED"].flatMap(Int.init) ?? 0

    @Test(arguments: first..<(first + count))
    func `once two have come to their end, the rows are the server's`(_ seed: Int) async throws {
        var random = SplitMix(seed: UInt64(seed))
        let file = try TemporaryFile(named: "marker", Data())
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path()
        defer { withExtendedLifetime(file) {} }
        let server = Server()
        for id in 1...8 { server.set(id, "u\(id)") }
        for _ in 0..<6 {
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let id = Int.random(in: 1...12, using: &random)
                server.set(id, Bool.random(using: &random) ? "v\(id)" : nil)
            }
            server.fail(request: Int.random(in: 0..<5, using: &random))
            let before = server.requests.count
            let store = try Store(at: path, entities: User.self, Article.self, Tag.self)
            let outcome = await Result { try await Self.pull(server, store, from: .named("users")) }
            // No page is asked for twice in a walk.
            let places = server.requests.dropFirst(before).map { $0["after"] ?? "" }
            #expect(Set(places).count == places.count, "seed \(seed)")
            if case .success(let report) = outcome, report.vanished == .found {
                #expect(try Self.ids(store) == server.ids, "seed \(seed)")
            }
            try store.close()
        }
        server.fail(request: nil)
        let store = try Store(at: path, entities: User.self, Article.self, Tag.self)
        for _ in 1...2 { _ = try await Self.pull(server, store, from: .named("users")) }
        #expect(try Self.ids(store) == server.ids, "seed \(seed)")
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
