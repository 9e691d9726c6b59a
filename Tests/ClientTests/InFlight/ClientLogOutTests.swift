import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// What is left once somebody has logged out, and what comes later.
@Suite struct ClientLogOutTests {
    private static let users = #"[{"id": 1, "login": "ann"}]"#

    @Test func `objects, what the store answers by, and the cache are gone`() async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let cache = ResponseCache(in: store)
        let setting = try FetchSetting(in: store) { $0.cache = cache }
        setting.server["/x"] = Self.users
        setting.server.send([.cacheControl: "max-age=600"])
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        try store.save(Tag(name: "kept"))
        try await setting.client.logOut(keeping: [Tag.self]).value
        #expect(try store.count(User.all) == 0 && store.count(Tag.all) == 1)
        setting.server.fail()
        await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("x"), as: [User].self).value
        }
        await #expect(throws: ClientError.self) {
            try await setting.client.caching(.cachedOnly)
                .enqueue(Resource("x"), as: String.self).value
        }
    }

    @Test func `what is in flight is cancelled`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport)
        let promise = client.enqueue(Resource("x"), as: [User].self)
        #expect(transport.open == [0])
        try await client.logOut().value
        await #expect(throws: CancellationError.self) { try await promise.value }
        #expect(transport.cancelled == [0])
        #expect(try client.store.count(User.all) == 0)
    }

    @Test func `what was answered by the store before its response came writes nothing`()
        async throws
    {
        let transport = HeldTransport { transport, number in
            if number == 0 { transport.end(0, .success(.json(Self.users))) }
        }
        let setting = try FetchSetting(.networkFirst(within: .seconds(3)), over: transport)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        let promise = setting.client.enqueue(Resource("x"), as: [User].self)
        await setting.timer.sleepers(atLeast: 1)
        setting.timer.advance(by: .seconds(3))
        _ = try await promise.value
        try await setting.client.logOut().value
        transport.end(1, .success(.json(Self.users)))
        // Behind it in the line.
        let later = setting.client.enqueue(Resource("y"), as: [Tag].self)
        while transport.requests.count < 3 { await Task.yield() }
        transport.end(2, .success(.json(#"[{"name": "t"}]"#)))
        _ = try await later.value
        #expect(try setting.store.count(User.all) == 0)
    }

    @Test func `what can't be untracked is refused all the same`() async throws {
        let transport = HeldTransport()
        let client = try TestClient.client(over: transport) { $0.tracksRequests = false }
        let promise = client.enqueue(Resource("x"), as: [User].self)
        try await client.logOut().value
        transport.end(0, .success(.json(Self.users)))
        let error = await #expect(throws: ClientError.self) { try await promise.value }
        #expect(error?.reason == .loggedOut)
        #expect(try client.store.count(User.all) == 0)
        let next = client.enqueue(Resource("x"), as: [User].self)
        transport.end(1, .success(.json(Self.users)))
        #expect(try await next.value.count == 1)
    }

    @Test func `where what stays can't be without what goes, all stays`() async throws {
        let client = try TestClient.client(answering: "[]")
        try client.store.import(
            [Article].self,
            from: #"[{"id": 1, "title": "t", "author": {"id": 1, "login": "ann"}, "tags": []}]"#)
        await #expect(throws: WritingError.self) {
            try await client.logOut(keeping: [Article.self]).value
        }
        #expect(try client.store.count(User.all) == 1)
        try await client.logOut().value
        #expect(try client.store.count(User.all) == 0 && client.store.count(Article.all) == 0)
    }

    @Test func `however long another one writes, all goes once that has ended`() async throws {
        let setting = try Self.setting(busyTimeout: .zero)
        let store = setting.store
        try store.save(User(id: 1, login: "ann"))
        let (isHeld, isDone) = (Gate(), Gate())
        let write = Promise<Void> {
            try await store.write { _ in
                isHeld.open()
                try isDone.block()
            }
        }
        try await isHeld.wait()
        let logOut = setting.client.logOut()
        for _ in 0..<10_000 where logOut.isPending { await Task.yield() }
        #expect(logOut.isPending)
        isDone.open()
        try await write.value
        try await logOut.value
        #expect(try store.count(User.all) == 0)
    }

    private static func setting(busyTimeout: Duration) throws -> FetchSetting {
        var configuration = Store.Configuration()
        configuration.busyTimeout = busyTimeout
        return try FetchSetting(
            in: .inMemory(
                entities: User.self, Article.self, Tag.self, configuration: configuration))
    }

    @Test func `in a transaction all goes once that has ended`() async throws {
        let setting = try Self.setting(busyTimeout: .seconds(600))
        let logOut = try await setting.store.write { context in
            try context.save(User(id: 1, login: "ann"))
            return setting.client.logOut()
        }
        try await logOut.value
        #expect(try setting.store.count(User.all) == 0)
    }

    @Test func `a transaction that waits for it waits in vain, and not for ever`() async throws {
        let setting = try Self.setting(busyTimeout: .milliseconds(1))
        let calls: [@Sendable () -> Promise<Void>] = [
            { setting.client.logOut() }, { setting.client.invalidate(Resource("x")) },
        ]
        for call in calls {
            let promise = try await setting.store.write { _ in
                let promise = call()
                // As who waits for it does.
                let end = ContinuousClock.now + .seconds(20)
                while promise.isPending, ContinuousClock.now < end { sched_yield() }
                return promise
            }
            let error = await #expect(throws: StoreError.self) { try await promise.value }
            #expect(error?.reason == .reentrant)
        }
    }
}
