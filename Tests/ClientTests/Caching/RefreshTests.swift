import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// What the server is asked for behind an answer that is used stale, and what becomes of that.
@Suite struct RefreshTests {
    private struct AllUsers: Endpoint {
        let path = "users"
        let completeness = Completeness.whole(User.all)
    }

    /// A server of users with these logins, whose lists are fresh for ten seconds and used for ten minutes; a PUT says
    /// the login of the first one.
    private final class Server: Sendable {
        private struct State {
            var logins = ["ann"]
            var gate: Gate?
            var fields: [HTTPFields] = []
        }

        private let state = Guarded(State())
        let hasTag: Bool

        init(hasTag: Bool = true) { self.hasTag = hasTag }

        var logins: [String] {
            get { state.withLock(\.logins) }
            set { state.withLock { $0.logins = newValue } }
        }
        /// The fields of the requests for a list.
        var fields: [HTTPFields] { state.withLock(\.fields) }

        /// Has what is made of the next list wait.
        func hold() -> Gate {
            let gate = Gate()
            state.withLock { $0.gate = gate }
            return gate
        }

        func answer(_ request: TransportRequest) async throws -> TransportResponse {
            guard request.head.method == .get else {
                return .json(#"{"id": 1, "login": "own"}"#)
            }
            let (logins, gate) = state.withLock { state in
                state.fields.append(request.head.headerFields)
                return (state.logins, state.gate.take())
            }
            try await gate?.wait()
            var fields: HTTPFields = [.cacheControl: "max-age=10, stale-while-revalidate=600"]
            if hasTag { fields[.eTag] = "\"\(logins.joined(separator: " "))\"" }
            if let tag = fields[.eTag], request.head.headerFields[.ifNoneMatch] == tag {
                return .json("", status: .notModified, headerFields: fields)
            }
            let users = logins.enumerated().map { #"{"id": \#($0 + 1), "login": "\#($1)"}"# }
            return .json("[\(users.joined(separator: ", "))]", headerFields: fields)
        }
    }

    private static func setting(_ server: Server, in store: Store? = nil) throws -> CacheSetting {
        try CacheSetting(in: store) { try await server.answer($0) }
    }

    private static func logins(_ setting: CacheSetting) throws -> [String] {
        try setting.client.store.fetch(User.all.sorted { $0.id.ascending }).map(\.login)
    }

    @discardableResult
    private static func users(
        _ setting: CacheSetting, by client: Client? = nil
    ) async throws -> ResponseSource {
        try await (client ?? setting.client)
            .enqueue(AllUsers(), as: Response<[User]>.self).value.source
    }

    @Test(arguments: [false, true])
    func `what comes is stored at once, and what it lacks is gone`(_ hasTag: Bool) async throws {
        let server = Server(hasTag: hasTag)
        let setting = try Self.setting(server)
        server.logins = ["ann", "bob"]
        try await Self.users(setting)
        _ = try await setting.cache.settled().value
        setting.clock.pass(20)
        server.logins = ["anna"]
        #expect(try await Self.users(setting) == .staleCache)
        _ = try await setting.cache.settled().value
        #expect(try Self.logins(setting) == ["anna"])
        #expect(try await Self.users(setting) == .cache)
        #expect(setting.asked.count == 2)
    }

    /// By the same tag, or by the same bytes.
    @Test(arguments: [false, true])
    func `a confirmation takes back what the server never had`(_ hasTag: Bool) async throws {
        let setting = try Self.setting(Server(hasTag: hasTag))
        try await Self.users(setting)
        _ = try await setting.cache.settled().value
        for cycle in 1...3 {
            try setting.client.store.save(User(id: 1, login: "own"))
            setting.clock.pass(20)
            #expect(try await Self.users(setting) == .staleCache)
            _ = try await setting.cache.settled().value
            #expect(try Self.logins(setting) == ["ann"])
            #expect(try await Self.users(setting) == .cache)
            #expect(setting.asked.count == cycle + 1)
        }
    }

    /// As nobody knows that somebody asks, and the server may have answered before.
    @Test func `what is written meanwhile is not written over, and asked about`() async throws {
        let server = Server()
        let setting = try Self.setting(server)
        try await Self.users(setting)
        _ = try await setting.cache.settled().value
        setting.clock.pass(20)
        server.logins = ["anna"]
        let gate = server.hold()
        #expect(try await Self.users(setting) == .staleCache)
        while server.fields.count < 2 { await Task.yield() }
        let put = AdHocEndpoint(.put, "users/1")
        let _: One<User> = try await setting.client.enqueue(put).value
        gate.open()
        _ = try await setting.cache.settled().value
        #expect(try Self.logins(setting) == ["own"])
        server.logins = ["own"]
        #expect(try await Self.users(setting) == .network)
        #expect(try Self.logins(setting) == ["own"])
    }

    @Test func `it goes through interceptors, with a low rank and no report`() async throws {
        let server = Server()
        let setting = try Self.setting(server)
        let calls = Guarded(0)
        let reports = Guarded(0)
        let client = setting.client.configured {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    calls.withLock { $0 += 1 }
                    var request = request
                    request.head.headerFields[.userAgent] = "larder"
                    return next(request)
                }
            ]
        }
        try await Self.users(setting, by: client)
        _ = try await setting.cache.settled().value
        setting.clock.pass(20)
        server.logins = ["anna"]
        let watching = client.reportingProgress { _ in reports.withLock { $0 += 1 } }
        let gate = server.hold()
        #expect(try await Self.users(setting, by: watching) == .staleCache)
        let before = reports.withLock(\.self)
        // None but who waits is in flight.
        #expect(client.requestsInFlight.isEmpty)
        gate.open()
        _ = try await setting.cache.settled().value
        #expect(calls.withLock(\.self) == 3)
        #expect(server.fields.map { $0[.userAgent] } == ["larder", "larder"])
        #expect(reports.withLock(\.self) == before)
        #expect(try Self.logins(setting) == ["anna"])
    }

    @Test func `behind a log-out nothing of it is stored`() async throws {
        let server = Server()
        let setting = try Self.setting(server)
        try await Self.users(setting)
        _ = try await setting.cache.settled().value
        setting.clock.pass(20)
        server.logins = ["anna"]
        let gate = server.hold()
        #expect(try await Self.users(setting) == .staleCache)
        while server.fields.count < 2 { await Task.yield() }
        try await setting.client.logOut().value
        gate.open()
        _ = try await setting.cache.settled().value
        #expect(try Self.logins(setting).isEmpty)
    }

    /// A second time would be twice.
    @Test func `what an app writes along with a response is written once`() async throws {
        let server = Server()
        let setting = try Self.setting(server)
        let count = Guarded(0)
        func get() async throws {
            _ = try await setting.client.enqueue(
                AllUsers(), as: [User].self, storing: { _, _ in count.withLock { $0 += 1 } }
            ).value
            _ = try await setting.cache.settled().value
        }
        try await get()
        setting.clock.pass(20)
        try await get()
        #expect(count.withLock(\.self) == 2)
        #expect(setting.asked.count == 2)
    }

    @Test func `what the store answers by is that of the refresh`() async throws {
        let server = Server()
        let setting = try Self.setting(server)
        let client = setting.client.fetching(.networkFirst())
        try await Self.users(setting, by: client)
        _ = try await setting.cache.settled().value
        setting.clock.pass(20)
        server.logins = ["anna", "bob"]
        #expect(try await Self.users(setting, by: client) == .staleCache)
        _ = try await setting.cache.settled().value
        let kept = try await client.fetching(.storeOnly)
            .enqueue(AllUsers(), as: Response<[User]>.self).value
        #expect(kept.source == .store)
        #expect(kept.value.map(\.login) == ["anna", "bob"])
    }

    @Test(arguments: [Coalescing.joining, .refusing])
    func `it holds up nobody who asks meanwhile`(_ coalescing: Coalescing) async throws {
        let server = Server()
        let setting = try CacheSetting(coalescing: coalescing) { try await server.answer($0) }
        try await Self.users(setting)
        _ = try await setting.cache.settled().value
        setting.clock.pass(20)
        let gate = server.hold()
        for _ in 0..<3 { #expect(try await Self.users(setting) == .staleCache) }
        gate.open()
        _ = try await setting.cache.settled().value
        #expect(setting.asked.count == 2)
    }
}
