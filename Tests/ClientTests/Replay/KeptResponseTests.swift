import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

/// What is kept of a response, asked for by other types than the one that has stored it, by other options, and by another
/// model.
@Suite struct KeptResponseTests {
    private static let users = #"[{"id": 2, "login": "bob", "rank": 1}, {"id": 1, "login": "ann"}]"#

    private static func setting(_ content: String) throws -> FetchSetting {
        let setting = try FetchSetting()
        setting.server["/x"] = content
        return setting
    }

    // MARK: Other types

    /// What has more of an element than its object.
    private struct Entry: MappedWrapper {
        var user: User?
        var rank: Int?

        mutating func map(_ map: WrapperMap) throws {
            try map.read(&user)
            try map.read(&rank, at: "rank")
        }
    }

    /// Fetches as one type, and has another one asked for, without the server and then with it.
    private static func other<First: Importable, Other: Importable>(
        _ first: First.Type, _ other: Other.Type, of content: String
    ) async throws -> Response<Other> {
        let setting = try setting(content)
        _ = try await setting.client.enqueue(Resource("x"), as: first).value
        setting.server.fail()
        let error = await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("x"), as: other).value
        }
        #expect(error?.reason == .transport)
        setting.server.fail(nil)
        return try await setting.client.enqueue(Resource("x"), as: Response<Other>.self).value
    }

    @Test func `what needs more than objects is not made of them`() async throws {
        let entries = try await Self.other([User].self, [Entry].self, of: Self.users)
        #expect(entries.value.map(\.user?.login) == ["bob", "ann"])
        #expect(entries.value.map(\.rank) == [1, nil])
        let many = try await Self.other(Many<User>.self, Many<Entry>.self, of: Self.users)
        #expect(many.value.count == 2)
        let lossy = try await Self.other([User].self, LossyList<Entry>.self, of: Self.users)
        #expect(lossy.value.elements.count == 2)
        let optional = try await Self.other([User].self, [User?].self, of: Self.users)
        #expect(optional.value.map(\.?.login) == ["bob", "ann"])
        let one = try await Self.other(
            User.self, Entry.self, of: #"{"id": 2, "login": "bob", "rank": 7}"#)
        #expect(one.value.rank == 7 && one.value.user?.login == "bob")
    }

    @Test func `lists of objects are made of each other's`() async throws {
        let setting = try Self.setting(Self.users)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        setting.server.fail()
        let many: Many<User> = try await setting.client.enqueue(Resource("x")).value
        #expect(try many.fetch().map(\.login) == ["bob", "ann"])
        let lossy: LossyList<User> = try await setting.client.enqueue(Resource("x")).value
        #expect(try lossy.elements.fetch().map(\.login) == ["bob", "ann"])
        let ones: [One<User>] = try await setting.client.enqueue(Resource("x")).value
        #expect(ones.map(\.id) == [2, 1])
        let maybe: [User]? = try await setting.client.enqueue(Resource("x")).value
        #expect(maybe?.count == 2)
    }

    /// What takes fewer elements than ``Entry``.
    private struct Ranked: Wrapper { var rank: Int }
    private struct Named: Wrapper { var login: String }

    @Test func `an element that one type leaves out is none that another does`() async throws {
        let setting = try Self.setting(Self.users)
        let ranked = try await setting.client.enqueue(
            Resource("x"), as: LossyList<Ranked>.self
        ).value
        #expect(ranked.elements.count == 1 && ranked.skipped.count == 1)
        setting.server.fail()
        let named: LossyList<Named> = try await setting.client.enqueue(Resource("x")).value
        #expect(named.elements.values.map(\.login) == ["bob", "ann"])
        #expect(named.skipped.isEmpty)
    }

    @Test func `a list counts the elements that there were`() async throws {
        let content = #"[{"id": 2, "login": "bob"}, null, {"id": 1, "login": "ann"}, 2]"#
        let setting = try Self.setting(content)
        let many = try await setting.client.enqueue(Resource("x"), as: Many<User>.self).value
        #expect(many.elementCount == 4)
        setting.server.fail()
        let again: Many<User> = try await setting.client.enqueue(Resource("x")).value
        #expect(again.elementCount == 4)
        let lossy: LossyList<User> = try await setting.client.enqueue(Resource("x")).value
        #expect(lossy.elementCount == 4)
    }

    /// What takes its objects out of texts in the JSON, each of which is a document of its own.
    private struct Embedded: Importable {
        let users: [User]

        static func `import`(from value: JSONValue, in context: Context) throws -> Embedded {
            let texts = try value.decode([String].self)
            return Embedded(users: try texts.map { try context.import(User.self, from: $0) })
        }
    }

    @Test func `what stands in documents within the document is not taken for each other`()
        async throws
    {
        let setting = try Self.setting(
            #"["{\"id\": 1, \"login\": \"ann\"}", "{\"id\": 2, \"login\": \"bob\"}"]"#)
        for source in [ResponseSource.network, .network] {
            let response: Response<Embedded> = try await setting.client
                .enqueue(Resource("x")).value
            #expect(response.value.users.map(\.login) == ["ann", "bob"])
            #expect(response.source == source)
        }
        setting.server.fail()
        await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("x"), as: Embedded.self).value
        }
    }

    @Test(arguments: ["\n  ", "\u{FEFF}", "\r\n"])
    func `what stands before the JSON is no part of it`(_ start: String) async throws {
        let setting = try Self.setting(start + #"{"token": "t", "user": {"id": 7, "login": "x"}} "#)
        _ = try await setting.client.enqueue(Resource("x"), as: LogIn.self).value
        setting.server.fail()
        let logIn: Response<LogIn> = try await setting.client.enqueue(Resource("x")).value
        #expect(logIn.source == .store && logIn.value.user.login == "x")
    }

    // MARK: Other options

    /// What can't be read by all options.
    private struct Dated: Wrapper {
        var at: Date
        @Stored var user: User
    }

    /// What has options of its own, which the next version of the app changes.
    private struct Owned: Wrapper {
        static let own = Guarded<DecodingOptions?>(nil)
        static var decodingOptions: DecodingOptions? { own.withLock(\.self) }

        var at: Date
        @Stored var user: User
    }

    /// Asks twice for elements that the options leave out, and twice once a body has changed these.
    private static func ask<Element: Wrapper>(
        for type: Element.Type, _ change: (DecodingOptions, inout Client.Configuration) -> Void
    ) async throws {
        let setting = try setting(#"[{"at": 1, "user": {"id": 1, "login": "ann"}}]"#)
        var client = setting.client
        for count in [0, 0, 1, 1] {
            if count > 0 {
                client = setting.client.configured {
                    change(DecodingOptions(dates: .secondsSince1970), &$0)
                }
            }
            let list: LossyList<Element> = try await client.enqueue(Resource("x")).value
            #expect(list.elements.values.count == count && list.skipped.count == 1 - count)
        }
        #expect(setting.server.answers == [200, 304, 200, 304])
        #expect(try setting.store.select(User.all) { $0.login } == ["ann"])
    }

    @Test func `by other options nothing is asked on a condition, which would bring nothing new`()
        async throws
    {
        try await Self.ask(for: Dated.self) { $1.decodingOptions = $0 }
    }

    @Test func `nor is it by other ones of a wrapper's own`() async throws {
        try await Self.ask(for: Owned.self) { options, _ in Owned.own.withLock { $0 = options } }
    }

    @Test func `objects alone are read by no options, and confirmed whatever these are`()
        async throws
    {
        let setting = try Self.setting(Self.users)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        let client = setting.client.configured {
            $0.decodingOptions = DecodingOptions(keys: .convertFromSnakeCase)
        }
        _ = try await client.enqueue(Resource("x"), as: [User].self).value
        #expect(setting.server.answers == [200, 304])
    }

    // MARK: Another model

    enum Before {
        @Entity struct Person {
            @Identity var id: Int
            var name: String
        }
    }

    enum After {
        @Entity struct Person {
            @Identity var id: Int
            var name: String
            var city: String?
        }
    }

    @Test func `by another model nothing is asked on a condition, which would bring nothing new`()
        async throws
    {
        let file = try TemporaryFile(named: "marker", Data())
        defer { withExtendedLifetime(file) {} }
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path()
        let people = #"[{"id": 1, "name": "ann", "city": "Rome"}]"#
        do {
            let store = try Store(at: path, entities: Before.Person.self)
            let setting = try FetchSetting(in: store, .storeFirst)
            setting.server["/x"] = people
            _ = try await setting.client.enqueue(Resource("x"), as: [Before.Person].self).value
            try store.close()
        }
        let store = try Store(at: path, entities: After.Person.self)
        let setting = try FetchSetting(in: store, .storeFirst)
        setting.server["/x"] = people
        #expect(try await setting.client.freshness(of: Resource("x")).value?.isInvalid == true)
        setting.server.fail()
        let away: Response<[After.Person]> = try await setting.client.enqueue(Resource("x")).value
        #expect(away.source == .store && away.value.map(\.name) == ["ann"])
        setting.server.fail(nil)
        let asked: Response<[After.Person]> = try await setting.client.enqueue(Resource("x")).value
        #expect(asked.source == .network && asked.value.map(\.city) == ["Rome"])
        let last: Response<[After.Person]> = try await setting.client.enqueue(Resource("x")).value
        #expect(last.source == .store && setting.server.answers == [200])
    }

    /// Fetches people into a new file, whose path a body then gets with those people.
    private static func afterFetching(
        _ people: String, _ body: (_ path: String) async throws -> Void
    ) async throws {
        let file = try TemporaryFile(named: "marker", Data())
        defer { withExtendedLifetime(file) {} }
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path()
        let store = try Store(at: path, entities: After.Person.self)
        let setting = try FetchSetting(in: store, .storeFirst)
        setting.server["/x"] = people
        _ = try await setting.client.enqueue(Resource("x"), as: [After.Person].self).value
        try store.close()
        try await body(path)
    }

    @Test(arguments: [false, true])
    func `what was kept before another model in between is good no more`(
        _ isBetween: Bool
    ) async throws {
        let people = #"[{"id": 1, "name": "ann", "city": "Rome"}]"#
        try await Self.afterFetching(people) { path in
            var configuration = Store.Configuration()
            configuration.migration.allowedLosses = .all
            if isBetween {
                try Store(at: path, entities: Before.Person.self, configuration: configuration)
                    .close()
            }
            let store = try Store(at: path, entities: After.Person.self)
            let setting = try FetchSetting(in: store, .storeFirst)
            setting.server["/x"] = people
            let again: Response<[After.Person]> = try await setting.client
                .enqueue(Resource("x")).value
            #expect(again.value.map(\.city) == ["Rome"])
            #expect(again.source == (isBetween ? .network : .store))
        }
    }

    fileprivate enum FewKinds: String, CaseIterable, AttributeValue { case a }
    fileprivate enum MoreKinds: String, CaseIterable, AttributeValue { case a, c }

    @Entity("Thing") fileprivate struct FewThing {
        @Identity var id: Int
        var kind: FewKinds
    }

    @Entity("Thing") fileprivate struct Thing {
        @Identity var id: Int
        var kind: MoreKinds
    }

    @Test func `what was left out of a list comes once its value is one`() async throws {
        let file = try TemporaryFile(named: "marker", Data())
        defer { withExtendedLifetime(file) {} }
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path()
        let things = #"[{"id": 1, "kind": "a"}, {"id": 2, "kind": "c"}]"#
        do {
            let store = try Store(at: path, entities: FewThing.self)
            let setting = try FetchSetting(in: store, .storeFirst)
            setting.server["/x"] = things
            let list: LossyList<FewThing> = try await setting.client.enqueue(Resource("x")).value
            #expect(try list.elements.count == 1)
            try store.close()
        }
        let setting = try FetchSetting(in: Store(at: path, entities: Thing.self), .storeFirst)
        setting.server["/x"] = things
        let list: LossyList<Thing> = try await setting.client.enqueue(Resource("x")).value
        #expect(try list.elements.count == 2)
    }

    // MARK: What is kept

    @Test func `of the fields of a response that must not be stored none are kept`() async throws {
        let note = try #require(HTTPField.Name("X-Note"))
        let setting = try Self.setting(Self.users)
        setting.server.send([.cacheControl: "no-store", note: "private"])
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        let heads = try setting.store.readBeside {
            try $0.rows("SELECT CAST(head AS TEXT) FROM \"\(SideTables.prefix)kept\"")
        }
        #expect(heads.count == 1 && !"\(heads)".contains("private"))
        setting.server.fail()
        let again: Response<[User]> = try await setting.client.enqueue(Resource("x")).value
        #expect(again.source == .store && again.headerFields[note] == nil)
    }

    @Test func `where keeping it fails, but for want of room, nothing of the response is there`()
        async throws
    {
        let setting = try Self.setting(Self.users)
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        try setting.store.writeBeside {
            _ = try $0.run(
                """
                CREATE TRIGGER "broken" BEFORE INSERT ON "\(SideTables.prefix)kept"
                BEGIN SELECT RAISE(FAIL, 'broken'); END
                """)
        }
        setting.server["/x"] = #"[{"id": 3, "login": "cai"}]"#
        let error = await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("x"), as: [User].self).value
        }
        #expect(error?.reason == .notStored && error?.underlying is StoreError)
        #expect(try setting.store.count(User.all) == 2)
        setting.server.fail()
        let users: [User] = try await setting.client.enqueue(Resource("x")).value
        #expect(users.map(\.login) == ["bob", "ann"])
    }

    @Test func `a list that leaves nothing out is not made of one that did`() async throws {
        let setting = try Self.setting(#"[{"id": 2, "login": "bob"}, {"id": 3}]"#)
        let lossy = try await setting.client.enqueue(Resource("x"), as: LossyList<User>.self).value
        #expect(lossy.skipped.count == 1)
        setting.server.fail()
        await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("x"), as: [User].self).value
        }
        await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("x"), as: Many<User>.self).value
        }
        let again = try await setting.client.enqueue(Resource("x"), as: LossyList<User>.self).value
        #expect(again.skipped.map(\.path) == lossy.skipped.map(\.path))
        setting.server.fail(nil)
        let error = await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(Resource("x"), as: [User].self).value
        }
        #expect(error?.reason == .notStored)
    }

    @Test func `a tag that comes with a confirmation is not that of what is kept`() async throws {
        let fields = Seen<HTTPFields>()
        let setting = try FetchSetting(
            over: StubTransport { request in
                guard fields.add(request.head.headerFields) > 0 else {
                    return .json(
                        #"[{"id": 1, "login": "old"}]"#,
                        headerFields: [.lastModified: "Mon, 01 Jan 2024 00:00:00 GMT"])
                }
                return TransportResponse(
                    head: HTTPResponse(status: .notModified, headerFields: [.eTag: "\"2\""]))
            })
        for _ in 0..<3 {
            _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        }
        #expect(fields.values.map { $0[.ifNoneMatch] } == [nil, nil, nil])
        #expect(fields.values.map { $0.contains(.ifModifiedSince) } == [false, true, true])
    }
}
