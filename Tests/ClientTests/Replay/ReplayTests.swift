import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// Values that are made again of the objects in the store.
@Suite struct ReplayTests {
    private static let users = #"[{"id": 2, "login": "bob"}, {"id": 1, "login": "ann"}, 3]"#

    private static func setting(_ content: String) throws -> FetchSetting {
        let setting = try FetchSetting()
        setting.server["/x"] = content
        return setting
    }

    /// The value that the server makes, and the one that the store makes without it.
    private static func both<Value: Importable>(
        _ type: Value.Type, of content: String, at keyPath: String? = nil
    ) async throws -> (Value, Response<Value>) {
        let setting = try setting(content)
        let fetched = try await setting.client.enqueue(Resource("x"), as: type, at: keyPath).value
        setting.server.fail()
        let replayed = try await setting.client
            .enqueue(Resource("x"), as: Response<Value>.self, at: keyPath).value
        #expect(replayed.source == .store && replayed.missingCount == 0)
        return (fetched, replayed)
    }

    @Test func `an array, a list, an object, an optional, a reference`() async throws {
        let (array, arrayAgain) = try await Self.both([User].self, of: Self.users)
        #expect(arrayAgain.value == array && array.map(\.login) == ["bob", "ann"])
        let (many, manyAgain) = try await Self.both(Many<User>.self, of: Self.users)
        #expect(try manyAgain.value.fetch() == many.fetch())
        #expect(try manyAgain.value.count == 3)
        let (user, userAgain) = try await Self.both(User.self, of: #"{"id": 7, "login": "x"}"#)
        #expect(userAgain.value == user)
        let (none, noneAgain) = try await Self.both(User?.self, of: "null")
        #expect(none == nil && noneAgain.value == nil)
        let (some, someAgain) = try await Self.both(User?.self, of: #"{"id": 7, "login": "x"}"#)
        #expect(some == someAgain.value)
        let (one, oneAgain) = try await Self.both(One<User>.self, of: "7")
        #expect(one.id == 7 && oneAgain.value.id == 7)
        let (ones, onesAgain) = try await Self.both([One<User>].self, of: "[7, 8, 7]")
        #expect(ones.map(\.id) == onesAgain.value.map(\.id))
    }

    @Test func `what stands at a key path`() async throws {
        let content = #"{"page": 1, "data": {"items": [{"id": 2, "login": "bob"}]}}"#
        let (users, again) = try await Self.both([User].self, of: content, at: "data.items")
        #expect(users == again.value && users.count == 1)
        let setting = try Self.setting(content)
        let items = Resource("x")
        _ = try await setting.client.enqueue(items, as: [User].self, at: "data.items").value
        setting.server.fail()
        await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(items, as: [User].self, at: "items").value
        }
    }

    @Test func `a list that tolerates, with what it left out`() async throws {
        let content = #"[{"id": 2, "login": "bob"}, {"id": 3}, null, {"id": 1, "login": "ann"}]"#
        let (list, again) = try await Self.both(LossyList<User>.self, of: content)
        #expect(try again.value.elements.fetch() == list.elements.fetch())
        #expect(again.value.skipped.map(\.path) == list.skipped.map(\.path))
        #expect(list.skipped.count == 1)
    }

    private struct Entry: Wrapper {
        var rank: Int
        @Stored var user: User?
    }

    @Test func `wrappers, with what of them is not stored`() async throws {
        let (logIn, again) = try await Self.both(
            LogIn.self, of: #"{"token": "t", "user": {"id": 7, "login": "x"}}"#)
        #expect(logIn.token == again.value.token && logIn.user == again.value.user)
        let entries = #"""
            [{"rank": 1, "user": {"id": 7, "login": "x"}}, {"rank": 2, "user": null}, null,
             {"rank": "?", "user": {"id": 8, "login": "y"}}, {"rank": 3, "user": 7}]
            """#
        let (list, listAgain) = try await Self.both(LossyList<Entry>.self, of: entries)
        #expect(listAgain.value.elements.values.map(\.rank) == [1, 2, 3])
        #expect(listAgain.value.elements.values.map(\.user?.login) == ["x", nil, "x"])
        #expect(listAgain.value.skipped.map(\.path) == list.skipped.map(\.path))
        #expect(list.skipped.count == 1)
        let (_, arrayAgain) = try await Self.both(
            [Entry].self, of: #"[{"rank": 1, "user": {"id": 7, "login": "x"}}]"#)
        #expect(arrayAgain.value.map(\.user?.login) == ["x"])
    }

    /// What reads the same object twice, once to store it.
    private struct Profile: MappedWrapper {
        var user: User?
        var isAdmin = false

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&user)
            try map.read(&isAdmin, at: "admin")
        }
    }

    @Test func `a wrapper around the object that it adds to`() async throws {
        let (profile, again) = try await Self.both(
            Profile.self, of: #"{"id": 7, "login": "x", "admin": true}"#)
        #expect(again.value.user == profile.user && again.value.isAdmin)
    }

    @Test func `what is gone since is left out, and counted`() async throws {
        let setting = try Self.setting(Self.users)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        setting.server.fail()
        try setting.store.delete(User.where { $0.id == 2 })
        let response: Response<[User]> = try await setting.client.enqueue(Resource("x")).value
        #expect(response.value.map(\.login) == ["ann"] && response.missingCount == 1)
    }

    @Test func `what can't be without what is gone is the server's error`() async throws {
        let setting = try Self.setting(#"{"id": 7, "login": "x"}"#)
        _ = try await setting.client.enqueue(Resource("x"), as: User.self).value
        setting.server.fail()
        try setting.store.delete(User.all)
        let error = await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("x"), as: User.self).value
        }
        #expect(error?.reason == .transport)
        let only = await #expect(throws: ClientError.self) {
            try await setting.client.fetching(.storeOnly)
                .enqueue(Resource("x"), as: User.self).value
        }
        #expect(only?.reason == .notCached && only?.underlying is StoreError)
    }

    @Test func `what comes back after it was gone is there again`() async throws {
        let setting = try Self.setting(Self.users)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        setting.server.fail()
        try setting.store.delete(User.where { $0.id == 2 })
        try setting.store.save(User(id: 2, login: "Bob"))
        let users: [User] = try await setting.client.enqueue(Resource("x")).value
        #expect(users.map(\.login) == ["Bob", "ann"])
    }

    // MARK: 304

    @Test func `the server says that nothing has changed, and the objects are read`()
        async throws
    {
        let setting = try Self.setting(Self.users)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        setting.clock.pass(60)
        let response: Response<[User]> = try await setting.client.enqueue(Resource("x")).value
        #expect(setting.server.answers == [200, 304])
        #expect(response.value.map(\.login) == ["bob", "ann"])
        #expect(response.source == .revalidated && response.status == .ok)
        setting.clock.pass(10)
        setting.server.fail()
        let again: Response<[User]> = try await setting.client.enqueue(Resource("x")).value
        #expect(again.age == .seconds(10))
    }

    @Test func `where something is missing, it is fetched again`() async throws {
        let setting = try Self.setting(Self.users)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        try setting.store.delete(User.where { $0.id == 2 })
        let users: [User] = try await setting.client.enqueue(Resource("x")).value
        #expect(setting.server.answers == [200, 304, 200])
        #expect(users.map(\.login) == ["bob", "ann"])
    }

    @Test func `where another type is asked for, it is fetched again`() async throws {
        let setting = try Self.setting(#"{"token": "t", "user": {"id": 7, "login": "x"}}"#)
        _ = try await setting.client.enqueue(Resource("x"), as: User.self, at: "user").value
        let logIn: LogIn = try await setting.client.enqueue(Resource("x")).value
        #expect(setting.server.answers == [200, 304, 200] && logIn.token == "t")
    }

    @Test func `a condition of the caller's own is nobody else's`() async throws {
        let setting = try Self.setting(Self.users)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        let endpoint = AdHocEndpoint.get("x", headerFields: [.ifNoneMatch: "\"other\""])
        let response: Response<[User]> = try await setting.client.enqueue(endpoint).value
        #expect(response.source == .network)
    }

    @Test func `what an interceptor has asked for instead is not confirmed`() async throws {
        let transport = StubTransport { request in
            request.head.headerFields[.ifNoneMatch] == "\"theirs\""
                ? TransportResponse(head: HTTPResponse(status: .notModified))
                : .json(Self.users, headerFields: [.eTag: "\"ours\""])
        }
        let setting = try FetchSetting(over: transport)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        let other = setting.client.configured {
            $0.interceptors = [
                ClosureInterceptor { request, next in
                    var request = request
                    request.head.headerFields[.ifNoneMatch] = "\"theirs\""
                    return next(request)
                }
            ]
        }
        let error = await #expect(throws: ClientError.self) {
            try await other.enqueue(Resource("x"), as: [User].self).value
        }
        #expect(error?.status == .notModified)
    }

    // MARK: What is kept

    @Test func `of a response that must not be stored only which objects it has brought`()
        async throws
    {
        let setting = try Self.setting(Self.users)
        setting.server["/y"] = #"{"token": "t", "user": {"id": 7, "login": "x"}}"#
        setting.server.send([.cacheControl: "no-store"])
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        _ = try await setting.client.enqueue(Resource("y"), as: LogIn.self).value
        setting.server.fail()
        let users: [User] = try await setting.client.enqueue(Resource("x")).value
        #expect(users.count == 2)
        await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("y"), as: LogIn.self).value
        }
    }

    @Test(arguments: [true, false])
    func `no value that a list has left out is in the file`(_ mayBeStored: Bool) async throws {
        let store = try Store.temporary(entities: User.self, Article.self, Tag.self)
        let setting = try FetchSetting(in: store)
        setting.server["/x"] = #"[{"id": 2, "login": "bob"}, {"id": "4111-1111", "login": "ann"}]"#
        if !mayBeStored { setting.server.send([.cacheControl: "no-store"]) }
        let list = try await setting.client.enqueue(Resource("x"), as: LossyList<User>.self).value
        #expect(list.skipped.first?.reason.contains("4111-1111") == true)
        setting.server.fail()
        let again = try await setting.client.enqueue(Resource("x"), as: LossyList<User>.self).value
        let left = ImportReport.Skipped(path: "$[1].id", reason: "the value does not fit")
        #expect(again.skipped == [left])
        let path = try #require(store.path)
        let file = ["", "-wal"].reduce(into: Data()) { file, suffix in
            file += (try? Data(contentsOf: URL(filePath: path + suffix))) ?? Data()
        }
        #expect(file.range(of: Data(left.reason.utf8)) != nil)
        #expect(file.range(of: Data("4111-1111".utf8)) == nil)
    }

    @Test func `of a wrapper the rest is kept, and no object a second time`() async throws {
        let setting = try Self.setting(#"{"token": "t", "user": {"id": 7, "login": "x"}}"#)
        _ = try await setting.client.enqueue(Resource("x"), as: LogIn.self).value
        let kept = try setting.store.readBeside {
            try $0.rows("SELECT CAST(document AS TEXT) FROM \"\(SideTables.prefix)kept\"")
        }
        #expect(kept == [[.text(#"{"token": "t", "user": { }}"#)]])
        setting.server.fail()
        let logIn: LogIn = try await setting.client.enqueue(Resource("x")).value
        #expect(logIn.token == "t" && logIn.user.login == "x")
    }

    @Test func `what stands before the JSON is in nobody's way`() async throws {
        let setting = try Self.setting(
            "\n {\"token\": \"t\", \"user\": {\"id\": 7, \"login\": \"x\"}}")
        _ = try await setting.client.enqueue(Resource("x"), as: LogIn.self).value
        setting.server.fail()
        let logIn: LogIn = try await setting.client.enqueue(Resource("x")).value
        #expect(logIn.token == "t" && logIn.user.login == "x")
    }

    @Test func `what the server says is still good is not written once more`() async throws {
        let setting = try Self.setting(Self.users)
        func kept() throws -> [[SQLValue]] {
            try setting.store.readBeside {
                try $0.rows("SELECT id, fetched FROM \"\(SideTables.prefix)kept\"")
            }
        }
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        let before = try kept()
        setting.clock.pass(60)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        #expect(setting.server.answers == [200, 304])
        #expect(try kept() == before && before.count == 1)
    }

    @Test func `the number of a list's elements is that of its objects`() async throws {
        let (_, again) = try await Self.both(Many<User>.self, of: Self.users)
        #expect(again.value.elementCount == 3)
    }

    @Test func `cookies and secrets are not among the fields that are kept`() async throws {
        let setting = try Self.setting(Self.users)
        let link = try #require(HTTPField.Name("Link"))
        let token = try #require(HTTPField.Name("X-Auth-Token"))
        setting.server.send([
            .setCookie: "a=b", token: "t", link: #"</x?page=2>; rel="next""#,
        ])
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        setting.server.fail()
        let response: Response<[User]> = try await setting.client.enqueue(Resource("x")).value
        #expect(response.headerFields[.setCookie] == nil && response.headerFields[token] == nil)
        #expect(response.link(rel: "next")?.absoluteString == "http://test.invalid/x?page=2")
    }

    @Test func `a success without content takes the place of what was kept`() async throws {
        let setting = try Self.setting(Self.users)
        _ = try await setting.client.enqueue(Resource("x"), as: [User]?.self).value
        setting.server.refuse(.noContent)
        let none = try await setting.client.enqueue(Resource("x"), as: [User]?.self).value
        #expect(none == nil)
        setting.server.fail()
        await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("x"), as: [User]?.self).value
        }
    }

    @Test func `what is written along with a response is not written again`() async throws {
        let setting = try Self.setting(Self.users)
        let count = Guarded(0)
        for _ in 1...3 {
            let users = try await setting.client.enqueue(
                Resource("x"), as: [User].self, storing: { _, _ in count.withLock { $0 += 1 } }
            ).value
            #expect(users.count == 2)
            if setting.server.answers.count == 2 { setting.server.fail() }
        }
        #expect(setting.server.answers == [200, 304] && count.withLock(\.self) == 1)
    }

    /// A type that writes more than it maps.
    private struct Writing: Importable {
        static func `import`(from value: JSONValue, in context: Context) throws -> Writing {
            try context.save(User(id: 9, login: "written"))
            return Writing()
        }
    }

    @Test func `a type that writes by itself is not made again, and has written nothing`()
        async throws
    {
        for store in [
            try TestClient.store(),
            try Store.temporary(entities: User.self, Article.self, Tag.self),
        ] {
            let setting = try FetchSetting(in: store)
            setting.server["/x"] = "{}"
            _ = try await setting.client.enqueue(Resource("x"), as: Writing.self).value
            try store.save(User(id: 9, login: "changed"))
            setting.server.fail()
            await #expect(throws: ClientError.self) {
                try await setting.client.enqueue(Resource("x"), as: Writing.self).value
            }
            #expect(try store.find(User.self, id: 9)?.login == "changed")
        }
    }

    @Test func `what is damaged is nothing that is kept`() async throws {
        let setting = try Self.setting(Self.users)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        try setting.store.writeBeside {
            _ = try $0.run("UPDATE \"\(SideTables.prefix)kept\" SET skeleton = x'0102'")
        }
        let users: [User] = try await setting.client.enqueue(Resource("x")).value
        #expect(users.count == 2 && setting.server.answers == [200, 200])
    }

    @Test func `a store that was rebuilt keeps anew`() async throws {
        let setting = try Self.setting(Self.users)
        for _ in 1...2 {
            _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
            try setting.store.writeBeside { tables in
                for name in ["kept", "kept.settings"] {
                    _ = try tables.run("DROP TABLE \"\(SideTables.prefix)\(name)\"")
                }
            }
        }
        #expect(setting.server.answers == [200, 200])
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        setting.server.fail()
        let users: [User] = try await setting.client.enqueue(Resource("x")).value
        #expect(users.count == 2)
    }
}
