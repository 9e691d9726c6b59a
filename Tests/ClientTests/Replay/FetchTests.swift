import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// The store's answer and the server's, which of them comes first, and what is given up.
@Suite struct FetchTests {
    private static let old = #"[{"id": 1, "login": "old"}]"#
    private static let new = #"[{"id": 1, "login": "new"}, {"id": 2, "login": "two"}]"#

    /// A setting whose first response has come, and whose next ones the test ends.
    private static func setting(
        _ policy: FetchPolicy, in store: Store? = nil,
        _ change: (inout Client.Configuration) -> Void = { _ in }
    ) async throws -> (FetchSetting, HeldTransport) {
        let transport = HeldTransport { transport, number in
            if number == 0 { transport.end(0, .success(.json(Self.old))) }
        }
        let setting = try FetchSetting(in: store, policy, over: transport, change)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        return (setting, transport)
    }

    private static func logins(_ setting: FetchSetting) throws -> [String] {
        try setting.store.select(User.all.sorted { $0.id.ascending }) { $0.login }
    }

    @Test func `after the deadline the store answers, and the server's answer is stored`()
        async throws
    {
        let (setting, transport) = try await Self.setting(.networkFirst(within: .seconds(3)))
        let promise = setting.client.enqueue(Resource("x"), as: Response<[User]>.self)
        await setting.timer.sleepers(atLeast: 1)
        #expect(promise.isPending)
        setting.timer.advance(by: .seconds(3))
        let response = try await promise.value
        #expect(response.source == .store && response.value.map(\.login) == ["old"])
        transport.end(1, .success(.json(Self.new)))
        try await setting.stored(2)
        #expect(try Self.logins(setting) == ["new", "two"])
        #expect(try await setting.client.freshness(of: Resource("x")).value?.objectCount == 2)
    }

    @Test func `before the deadline the server answers, and nobody waits for that any more`()
        async throws
    {
        let (setting, transport) = try await Self.setting(.networkFirst(within: .seconds(3)))
        let promise = setting.client.enqueue(Resource("x"), as: Response<[User]>.self)
        await setting.timer.sleepers(atLeast: 1)
        transport.end(1, .success(.json(Self.new)))
        #expect(try await promise.value.source == .network)
        #expect(promise.isFulfilled)
    }

    @Test func `validators among the interceptors let pass what says that nothing has changed`()
        async throws
    {
        let setting = try FetchSetting {
            $0.interceptors = [
                Validator.status(200..<300),
                Validator { response, _ in
                    if response.head.status != .ok { throw ClientError(.refused) }
                },
            ]
        }
        setting.server["/x"] = Self.old
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        let again = try await setting.client.enqueue(
            Resource("x"), as: Response<[User]>.self
        ).value
        #expect(again.source == .revalidated && again.value.map(\.login) == ["old"])
        #expect(setting.server.answers == [200, 304])
        // Nobody has asked whether this has.
        setting.server.refuse(.notModified)
        let error = await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("y"), as: [User].self).value
        }
        #expect(error?.status == .notModified)
    }

    @Test func `where the condition has become another's, a 304 is refused`() async throws {
        let setting = try FetchSetting {
            $0.interceptors = [
                Validator.status(200..<300),
                ClosureInterceptor { request, next in
                    var request = request
                    request.head.headerFields[.ifNoneMatch] = "\"other\""
                    return next(request)
                },
            ]
        }
        setting.server["/x"] = Self.old
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        setting.server.refuse(.notModified)
        let error = await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("x"), as: [User].self).value
        }
        #expect(error?.reason == .unacceptableStatus && error?.status == .notModified)
    }

    @Test func `where nothing is kept the deadline is nobody's`() async throws {
        let transport = HeldTransport()
        let setting = try FetchSetting(.networkFirst(within: .seconds(3)), over: transport)
        let promise = setting.client.enqueue(Resource("x"), as: [User].self)
        await setting.timer.sleepers(atLeast: 1)
        setting.timer.advance(by: .seconds(3))
        transport.end(0, .success(.json(Self.new)))
        #expect(try await promise.value.count == 2)
    }

    @Test func `cancelled, nothing is stored, and the exchange is given up`() async throws {
        let (setting, transport) = try await Self.setting(.networkFirst(within: .seconds(3)))
        let promise = setting.client.enqueue(Resource("x"), as: [User].self)
        await setting.timer.sleepers(atLeast: 1)
        try await setting.sent(2, over: transport)
        promise.cancel()
        #expect(transport.cancelled == [1])
        await #expect(throws: CancellationError.self) { try await promise.value }
        #expect(try Self.logins(setting) == ["old"])
        #expect(setting.client.requestsInFlight.isEmpty)
    }

    @Test func `cancelled while it is stored, nothing of it is`() async throws {
        for isFile in [false, true] {
            let store =
                isFile
                ? try Store.temporary(entities: User.self, Article.self, Tag.self)
                : try TestClient.store()
            let cell = Guarded<Promise<StoppedAtCommit>?>(nil)
            let isSet = Gate()
            let setting = try FetchSetting(in: store)
            setting.server["/x"] = Self.new
            StoppedAtCommit.stop.withLock { stop in
                stop = {
                    try isSet.block()
                    cell.withLock(\.self)?.cancel()
                }
            }
            let promise = setting.client.enqueue(Resource("x"), as: StoppedAtCommit.self)
            cell.withLock { $0 = promise }
            isSet.open()
            let result = await promise.result
            try await store.write { _ in }
            #expect(try store.count(User.all) == 0)
            #expect(throws: CancellationError.self) { try result.get() }
        }
    }

    /// What is cancelled while it is stored.
    private struct StoppedAtCommit: Importable {
        static let stop = Guarded<@Sendable () throws -> Void>({})

        static func `import`(
            from value: JSONValue, in context: Context
        ) throws -> StoppedAtCommit {
            _ = try [User].import(from: value, in: context)
            try stop.withLock(\.self)()
            return StoppedAtCommit()
        }
    }

    @Test func `events tell one end, whoever answers`() async throws {
        let (setting, transport) = try await Self.setting(.networkFirst())
        let seen = Seen<String>()
        setting.client.observeRequests(for: seen) { seen, event in
            seen.note(event.word)
        }
        let first = setting.client.enqueue(Resource("x"), as: [User].self)
        try await setting.sent(2, over: transport)
        transport.end(1, .failure(TransportError(.cannotConnect, "It is away.")))
        _ = try await first.value
        let second = setting.client.enqueue(Resource("x"), as: [User].self)
        try await setting.sent(3, over: transport)
        transport.end(2, .success(.json(Self.new)))
        _ = try await second.value
        let ends = seen.values.filter { ["fulfilled", "failed", "cancelled"].contains($0) }
        #expect(ends == ["fulfilled", "fulfilled"])
    }

    @Test func `a request is in flight until somebody has answered`() async throws {
        let (setting, transport) = try await Self.setting(.networkFirst(within: .seconds(3)))
        let promise = setting.client.enqueue(Resource("x"), as: [User].self)
        await setting.timer.sleepers(atLeast: 1)
        #expect(setting.client.requestsInFlight.count == 1)
        setting.timer.advance(by: .seconds(3))
        _ = try await promise.value
        #expect(setting.client.requestsInFlight.isEmpty)
        transport.end(1, .success(.json(Self.new)))
        try await setting.stored(2)
    }

    @Test func `a forgotten promise is no reason to keep what it was about`() async throws {
        weak var weakClient: Client?
        do {
            let (setting, transport) = try await Self.setting(.networkFirst())
            weakClient = setting.client
            _ = setting.client.enqueue(Resource("x"), as: [User].self)
            try await setting.sent(2, over: transport)
            transport.end(1, .success(.json(Self.new)))
            try await setting.stored(2)
        }
        let patience = ContinuousClock.now + .seconds(60)
        while weakClient != nil, .now < patience { await Task.yield() }
        #expect(weakClient == nil)
    }
}

extension FetchSetting {
    /// Waits until the store has a number of users.
    fileprivate func stored(_ count: Int) async throws {
        for try await users in store.observe(User.all) where users.count == count { return }
    }

    /// Waits until a number of requests have been sent.
    fileprivate func sent(_ count: Int, over transport: HeldTransport) async throws {
        while transport.requests.count < count { await Task.yield() }
    }
}
