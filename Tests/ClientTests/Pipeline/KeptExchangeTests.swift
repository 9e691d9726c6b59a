import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Whether what the server says of a response that is kept is about that.
@Suite struct KeptExchangeTests {
    private static let old = #"[{"id": 1, "login": "old"}]"#
    private static let new = #"[{"id": 1, "login": "new"}, {"id": 2, "login": "two"}]"#

    private static func response(
        _ content: String, tag: String, status: HTTPResponse.Status = .ok
    ) -> TransportResponse {
        var response =
            status == .notModified
            ? TransportResponse(head: HTTPResponse(status: status))
            : TransportResponse.json(content, status: status)
        response.head.headerFields[.eTag] = tag
        return response
    }

    @Test func `the tag of where a redirect has led is not that of where the next one leads`()
        async throws
    {
        let target = Guarded("/one")
        let setting = try FetchSetting(
            over: StubTransport { request in
                let path = request.head.path ?? ""
                guard path != "/x" else {
                    var response = TransportResponse(head: HTTPResponse(status: .found))
                    response.head.headerFields[.location] = target.withLock(\.self)
                    return response
                }
                // Each counts its versions.
                let isKnown = request.head.headerFields[.ifNoneMatch] == "\"1\""
                return Self.response(
                    path == "/one" ? Self.old : Self.new, tag: "\"1\"",
                    status: isKnown ? .notModified : .ok)
            })
        let first = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        #expect(first.map(\.login) == ["old"])
        target.withLock { $0 = "/two" }
        let second = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        #expect(second.map(\.login) == ["new", "two"])
    }

    @Test func `what is asked on a condition and redirected is not confirmed from there`()
        async throws
    {
        let isMoved = Guarded(false)
        let setting = try FetchSetting(
            over: StubTransport { request in
                let path = request.head.path ?? ""
                if path == "/x", isMoved.withLock(\.self) {
                    var response = TransportResponse(head: HTTPResponse(status: .found))
                    response.head.headerFields[.location] = "/two"
                    return response
                }
                let isKnown = request.head.headerFields[.ifNoneMatch] == "\"1\""
                return Self.response(
                    path == "/x" ? Self.old : Self.new, tag: "\"1\"",
                    status: isKnown ? .notModified : .ok)
            })
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        isMoved.withLock { $0 = true }
        let second = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        #expect(second.map(\.login) == ["new", "two"])
    }

    /// A setting whose store has the old list, under the tag 1, over a transport that waits for the test.
    private static func setting() async throws -> (FetchSetting, HeldTransport) {
        let transport = HeldTransport { transport, number in
            if number == 0 { transport.end(0, .success(response(old, tag: "\"1\""))) }
        }
        let setting = try FetchSetting(over: transport)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        return (setting, transport)
    }

    /// Waits until a number of requests have been sent, though not for ever.
    private static func sent(_ count: Int, over transport: HeldTransport) async throws {
        for _ in 0..<200_000 where transport.requests.count < count { await Task.yield() }
        try #require(transport.requests.count == count)
    }

    @Test func `a confirmation of another version is none`() async throws {
        let (setting, transport) = try await Self.setting()
        let promise = setting.client.enqueue(Resource("x"), as: [User].self)
        try await Self.sent(2, over: transport)
        transport.end(1, .success(Self.response("", tag: "\"2\"", status: .notModified)))
        try await Self.sent(3, over: transport)
        #expect(transport.requests[2].head.headerFields[.ifNoneMatch] == nil)
        transport.end(2, .success(Self.response(Self.new, tag: "\"2\"")))
        #expect(try await promise.value.map(\.login) == ["new", "two"])
    }

    @Test func `a confirmation of what has been replaced meanwhile is none`() async throws {
        let (setting, transport) = try await Self.setting()
        let late = setting.client.enqueue(Resource("x"), as: [User].self)
        try await Self.sent(2, over: transport)
        let next = setting.client.enqueue(Resource("x"), as: [User].self)
        try await Self.sent(3, over: transport)
        transport.end(2, .success(Self.response(Self.new, tag: "\"2\"")))
        #expect(try await next.value.count == 2)
        transport.end(1, .success(Self.response("", tag: "\"1\"", status: .notModified)))
        try await Self.sent(4, over: transport)
        transport.end(3, .success(Self.response(Self.new, tag: "\"2\"")))
        #expect(try await late.value.map(\.login) == ["new", "two"])
        let away = setting.client.enqueue(Resource("x"), as: [User].self)
        try await Self.sent(5, over: transport)
        #expect(transport.requests[4].head.headerFields[.ifNoneMatch] == "\"2\"")
        transport.end(4, .failure(TransportError(.cannotConnect, "It is away.")))
        #expect(try await away.value.map(\.login) == ["new", "two"])
    }

    @Test func `where both confirm, both are confirmed`() async throws {
        let (setting, transport) = try await Self.setting()
        let promises = [
            setting.client.enqueue(Resource("x"), as: Response<[User]>.self),
            setting.client.enqueue(Resource("x"), as: Response<[User]>.self),
        ]
        try await Self.sent(3, over: transport)
        for number in [2, 1] {
            transport.end(
                number, .success(Self.response("", tag: "\"1\"", status: .notModified)))
        }
        for promise in promises { #expect(try await promise.value.source == .revalidated) }
        #expect(transport.requests.count == 3)
    }

    @Test func `a cache below answers what it may, and asks on conditions of its own`()
        async throws
    {
        let cache = ResponseCache.inMemory()
        let setting = try FetchSetting { $0.cache = cache }
        setting.server["/x"] = Self.old
        setting.server.send([.cacheControl: "max-age=600"])
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        let second: Response<[User]> = try await setting.client.enqueue(Resource("x")).value
        #expect(second.source == .cache && setting.server.answers == [200])
        let cached: Response<[User]> = try await setting.client.caching(.cachedOnly)
            .enqueue(Resource("x")).value
        #expect(cached.source == .cache && cached.value.map(\.login) == ["old"])
        let reloaded: Response<[User]> = try await setting.client.caching(.reload)
            .enqueue(Resource("x")).value
        #expect(reloaded.source == .revalidated && setting.server.answers == [200, 304])
        let uncached: Response<[User]> = try await setting.client.caching(.none)
            .enqueue(Resource("x")).value
        #expect(uncached.source == .revalidated && setting.server.answers == [200, 304, 304])
    }

    /// A client whose responses a cache answers for ten minutes.
    private struct Cached {
        let cache = ResponseCache.inMemory()
        let setting: FetchSetting

        init(_ content: String) throws {
            let cache = cache
            setting = try FetchSetting { $0.cache = cache }
            setting.server["/x"] = content
            setting.server.send([.cacheControl: "max-age=600"])
        }

        func ask<Value: Importable & Sendable>(_ client: Client, _ type: Value.Type) async throws {
            _ = try await client.enqueue(Resource("x"), as: type).value
            _ = try await cache.settled().value
        }
    }

    @Test func `what a cache has answered is missed within objects all the same`() async throws {
        let cached = try Cached(
            #"[{"id": 1, "title": "t", "author": {"id": 7, "login": "ann"}, "tags": [{"name": "a"}]}]"#
        )
        let setting = cached.setting
        func ask(_ client: Client) async throws { try await cached.ask(client, [Article].self) }
        for _ in 0..<2 { try await ask(setting.client) }
        #expect(setting.server.answers == [200])
        try setting.store.delete(Tag.all)
        for _ in 0..<2 { try await ask(setting.client.caching(.none)) }
        #expect(setting.server.answers == [200, 304, 200, 304])
        #expect(try setting.store.count(Tag.all) == 1)
    }

    @Test func `what is known of a response outlives the answers of a cache`() async throws {
        let cached = try Cached(
            #"[{"id": 1, "title": "t", "author": {"id": 7, "login": "ann"}, "tags": [{"name": "a"}]}]"#
        )
        let setting = cached.setting
        func ask(_ client: Client) async throws { try await cached.ask(client, [Article].self) }
        for _ in 0..<3 {
            try await ask(setting.client)
            try await ask(setting.client.caching(.none))
        }
        #expect(setting.server.answers == [200, 304, 304, 304])
    }

    @Test func `what the app has written over is fetched again, though a cache has answered since`()
        async throws
    {
        let cached = try Cached(Self.old)
        let setting = cached.setting
        for _ in 0..<2 { try await cached.ask(setting.client, [User].self) }
        try setting.store.save(User(id: 1, login: "mine"))
        for _ in 0..<2 { try await cached.ask(setting.client.caching(.none), [User].self) }
        #expect(setting.server.answers == [200, 304, 200, 304])
        #expect(try setting.store.find(User.self, id: 1)?.login == "old")
    }

    @Test func `what a cache has had for longer does not take the place of what is newer`()
        async throws
    {
        let setting = try FetchSetting { $0.cache = ResponseCache(in: nil, now: $0.now) }
        func serve(_ content: String) throws {
            let time = setting.clock.now.timeIntervalSinceReferenceDate
            let date = try #require(RFC1123.text(of: time))
            setting.server["/x"] = content
            setting.server.send([.cacheControl: "max-age=600", .date: date])
        }
        func ask(_ client: Client) async throws -> Response<[User]> {
            let users: Response<[User]> = try await client.enqueue(Resource("x")).value
            try await client.configuration.cache?.settled().value
            return users
        }
        try serve(Self.old)
        #expect(try await ask(setting.client).source == .network)
        setting.clock.pass(10)
        try serve(Self.new)
        #expect(try await ask(setting.client.caching(.none)).value.count == 2)
        let cached = try await ask(setting.client)
        #expect(cached.source == .cache && cached.value.count == 1)
        let kept = try await ask(setting.client.fetching(.storeOnly))
        #expect(kept.source == .store && kept.value.map(\.login) == ["new", "two"])
    }

    // MARK: That there is nothing

    @Test func `an absence that comes late leaves what has come since it was asked for`()
        async throws
    {
        let transport = HeldTransport()
        let setting = try FetchSetting(over: transport)
        let late = setting.client.enqueue(Resource("x"), as: [User].self)
        try await Self.sent(1, over: transport)
        let next = setting.client.enqueue(Resource("x"), as: [User].self)
        try await Self.sent(2, over: transport)
        transport.end(1, .success(Self.response(Self.new, tag: "\"2\"")))
        _ = try await next.value
        let last = setting.client.enqueue(Resource("x"), as: [User].self)
        try await Self.sent(3, over: transport)
        transport.end(0, .success(.json("{}", status: .notFound)))
        await #expect(throws: ClientError.self) { try await late.value }
        #expect(try await setting.client.freshness(of: Resource("x")).value?.objectCount == 2)
        transport.end(2, .success(Self.response("", tag: "\"2\"", status: .notModified)))
        _ = try await last.value
        let known = try await setting.client.freshness(of: Resource("x")).value
        #expect(known?.isInvalid == false)
    }

    @Test func `an absence takes what was there when it was asked for, whatever that had replaced`()
        async throws
    {
        let (setting, transport) = try await Self.setting()
        let late = setting.client.enqueue(Resource("x"), as: [User].self)
        try await Self.sent(2, over: transport)
        let next = setting.client.enqueue(Resource("x"), as: [User].self)
        try await Self.sent(3, over: transport)
        transport.end(2, .success(Self.response(Self.new, tag: "\"2\"")))
        _ = try await next.value
        // What this confirms is there no more, so that it is asked once more.
        transport.end(1, .success(Self.response("", tag: "\"1\"", status: .notModified)))
        try await Self.sent(4, over: transport)
        transport.end(3, .success(.json("{}", status: .notFound)))
        await #expect(throws: ClientError.self) { try await late.value }
        #expect(try await setting.client.freshness(of: Resource("x")).value == nil)
    }

    private struct Issue: Wrapper {
        @Stored var first: Article
        @Stored var rest: [Article]
    }

    private struct Head: Wrapper {
        @Stored var first: Article
    }

    @Test func `what is known of another value's response says nothing of this one's`() async throws
    {
        let cached = try Cached(
            #"""
            {"first": {"id": 1, "title": "t", "author": {"id": 7, "login": "ann"}, "tags": []},
             "rest": [{"id": 2, "title": "u", "author": {"id": 7, "login": "ann"}, "tags": [{"name": "b"}]}]}
            """#)
        let setting = cached.setting
        try await cached.ask(setting.client, Issue.self)
        // As another value it is asked about first.
        try await cached.ask(setting.client, Head.self)
        try await cached.ask(setting.client, Issue.self)
        try setting.store.delete(Tag.all)
        try await cached.ask(setting.client.caching(.none), Issue.self)
        #expect(setting.server.answers == [200, 304, 304, 200])
        #expect(try setting.store.count(Tag.all) == 1)
    }

    @Test func `where an object within another one is gone, all is fetched again`() async throws {
        let setting = try FetchSetting()
        setting.server["/x"] = #"""
            [{"id": 1, "title": "t", "author": {"id": 7, "login": "ann"}, "tags": [{"name": "a"}, "b"]}]
            """#
        let tags: @Sendable () async throws -> [String] = {
            let articles = try await setting.client.enqueue(Resource("x"), as: [Article].self).value
            return try articles.flatMap { try $0.tags.fetch().map(\.name) }
        }
        for _ in 1...2 { #expect(try await tags() == ["a", "b"]) }
        #expect(setting.server.answers == [200, 304])
        try setting.store.delete(Tag.where { $0.name == "a" })
        #expect(try await tags() == ["a", "b"])
        #expect(setting.server.answers == [200, 304, 304, 200])
        #expect(try await tags() == ["a", "b"])
        #expect(setting.server.answers.last == 304)
    }
}
