import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Entity private struct Basket {
    @Identity var id: Int
    var lines: Many<BasketLine>
}

/// What nothing identifies, in a table of links.
@Entity private struct BasketLine {
    var text: String
}

@Entity(fetchedAt: true) private struct Seal {
    @Identity var code: String
    var title: String
}

@Entity private struct Hanger {
    @Identity var id: Int
    var coats: Many<Coat>
}

@Entity private struct Coat {
    @Identity var id: Int
    var name: String
    @Attribute(mapped: false) var isGone = false
}

/// What is below another entity.
@Entity(parent: Coat.self) private struct Jacket {
    @Inherited var id: Int
    @Inherited var name: String
    @Inherited var isGone: Bool
    var size: Int?
}

/// What holds objects that can be in one place only.
@Entity private struct Tray {
    @Identity var id: Int
    @Relationship(inverse: "tray", ordered: false) var cups: Many<Cup>
}

@Entity private struct Cup {
    @Identity var id: Int
    var name: String
    @Relationship(inverse: "cups") var tray: One<Tray>?
}

@Entity private struct Form {
    @Identity var id: Int
    @Relationship(policy: .replace) var lines: Many<FormLine>
}

@Entity private struct FormLine {
    var text: String
    @Relationship(delete: .cascade) var notes: Many<FormNote>
}

@Entity private struct FormNote {
    var text: String
}

@Entity(abstract: true) private struct Sign {
    var name: String
}

/// What is identified, unlike others of its table.
@Entity(parent: Sign.self) private struct Stamp {
    @Identity var id: Int
    @Inherited var name: String
}

/// What is not.
@Entity(parent: Sign.self) private struct Memo {
    @Inherited var name: String
    var text: String?
}

@Entity private struct Board {
    @Identity var id: Int
    @Relationship(policy: .replace) var memos: Many<Memo>
}

/// What is still good by the server's word, while the store may have become another.
@Suite struct ConfirmationTests {
    @Test func `a whole list that is still the same shows what has vanished`() async throws {
        let setting = try FetchSetting()
        setting.server["/x"] = #"[{"id": 1, "login": "ann"}]"#
        let list = AdHocEndpoint.get("x").setting(\.completeness, to: .whole(User.all))
        _ = try await setting.client.enqueue(list, as: [User].self).value
        try setting.store.save(User(id: 2, login: "gone"))
        _ = try await setting.client.enqueue(list, as: [User].self).value
        #expect(try setting.store.select(User.all) { $0.id } == [1])
        #expect(setting.server.answers == [200, 304, 200])
        _ = try await setting.client.enqueue(list, as: [User].self).value
        #expect(setting.server.answers.suffix(1) == [304])
    }

    @Test func `what has gone within an object is missed, however often it was there`()
        async throws
    {
        let setting = try FetchSetting()
        setting.server["/x"] =
            #"[{"id": 1, "title": "a", "author": {"id": 7, "login": "ann"}, "tags": [{"name": "t"}]}]"#
        for _ in 0..<3 {
            _ = try await setting.client.enqueue(Resource("x"), as: [Article].self).value
        }
        #expect(setting.server.answers == [200, 304, 304])
        try setting.store.delete(Tag.all)
        _ = try await setting.client.enqueue(Resource("x"), as: [Article].self).value
        #expect(setting.server.answers == [200, 304, 304, 304, 200])
        #expect(try setting.store.count(Tag.all) == 1)
    }

    @Test func `what nothing identifies is missed within an object, too`() async throws {
        let setting = try FetchSetting(
            in: Store.inMemory(entities: Basket.self, BasketLine.self))
        setting.server["/x"] =
            #"[{"id": 1, "lines": [{"text": "tea"}, {"text": "rice"}]}, {"id": 2, "lines": []}]"#
        for _ in 0..<2 {
            _ = try await setting.client.enqueue(Resource("x"), as: [Basket].self).value
        }
        #expect(setting.server.answers == [200, 304])
        try setting.store.delete(BasketLine.where { $0.text == "tea" })
        _ = try await setting.client.enqueue(Resource("x"), as: [Basket].self).value
        #expect(setting.server.answers == [200, 304, 304, 200])
        let basket = try #require(try setting.store.find(Basket.self, id: 1))
        #expect(try basket.lines.fetch().map(\.text).sorted() == ["rice", "tea"])
        _ = try await setting.client.enqueue(Resource("x"), as: [Basket].self).value
        #expect(setting.server.answers.suffix(1) == [304])
    }

    // MARK: Whole lists

    /// A list that is the whole of all users, unless it says that there is more.
    private static let list = AdHocEndpoint.get("x")
        .setting(\.completeness, to: .whole(User.all).unless("has_more"))

    @Test(
        arguments: [HTTPFields(), [.named("Link"): "</x?page=2>; rel=\"next\""], [.age: "5"]]
            as [HTTPFields])
    func `a list that shows nothing to have vanished is confirmed, whatever else there is`(
        _ fields: HTTPFields
    ) async throws {
        let setting = try FetchSetting()
        let hasMore = fields.isEmpty
        setting.server["/x"] = #"{"items": [{"id": 1, "login": "ann"}], "has_more": \#(hasMore)}"#
        setting.server.send(fields)
        for round in 0..<3 {
            let users = try await setting.client
                .enqueue(Self.list, as: [User].self, at: "items").value
            #expect(users.map(\.id) == [1])
            if round == 0 { try setting.store.save(User(id: 2, login: "bob")) }
        }
        #expect(setting.server.answers == [200, 304, 304])
        #expect(try setting.store.count(User.all) == 2)
    }

    @Test func `a list that nobody had asked for as a whole is asked for once more`()
        async throws
    {
        let setting = try FetchSetting()
        setting.server["/x"] = #"[{"id": 1, "login": "ann"}]"#
        _ = try await setting.client.enqueue(.get("x"), as: [User].self).value
        try setting.store.save(User(id: 2, login: "gone"))
        let list = AdHocEndpoint.get("x").setting(\.completeness, to: .whole(User.all))
        for _ in 0..<2 { _ = try await setting.client.enqueue(list, as: [User].self).value }
        #expect(try setting.store.select(User.all) { $0.id } == [1])
        #expect(setting.server.answers == [200, 304, 200, 304])
    }

    @Test func `an owner that has gone is no reason to ask again`() async throws {
        let setting = try FetchSetting(
            in: Store.inMemory(entities: Hanger.self, Coat.self, Jacket.self))
        try setting.store.save(Hanger(id: 7, coats: []))
        let hanger = try #require(try setting.store.find(Hanger.self, id: 7))
        setting.server["/x"] = #"[{"id": 1, "name": "a"}]"#
        let list = AdHocEndpoint.get("x")
            .setting(\.completeness, to: .whole(\.coats, of: One(hanger)))
        _ = try await setting.client.enqueue(list, as: [Coat].self).value
        try setting.store.delete(hanger)
        _ = try? await setting.client.enqueue(list, as: [Coat].self).value
        #expect(setting.server.answers.prefix(2) == [200, 304])
    }

    @Test func `a list of which an element is left out is confirmed all the same`() async throws {
        let setting = try FetchSetting()
        setting.server["/x"] = #"{"items": [{"id": 1, "login": "ann"}, {"id": 3}]}"#
        try setting.store.save(User(id: 2, login: "bob"))
        for _ in 0..<3 {
            _ = try await setting.client
                .enqueue(Self.list, as: LossyList<User>.self, at: "items").value
        }
        #expect(setting.server.answers == [200, 304, 304])
        #expect(try setting.store.count(User.all) == 2)
    }

    @Test(arguments: [false, true])
    func `a list that is still the same takes back what another has made of its objects`(
        _ isOfRelationship: Bool
    ) async throws {
        let setting = try FetchSetting(in: Store.inMemory(entities: Hanger.self, Coat.self))
        let hanger = One<Hanger>(id: 7)
        try setting.store.save([Hanger(id: 7, coats: []), Hanger(id: 8, coats: [])])
        let whole =
            isOfRelationship
            ? Completeness.whole(\.coats, of: hanger)
            : Completeness.whole(Coat.all, marking: \.isGone)
        setting.server["/x"] = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#
        setting.server["/y"] = #"[{"id": 1, "name": "a"}]"#
        func ask(_ path: String) async throws {
            let list = AdHocEndpoint.get("\(path)").setting(\.completeness, to: whole)
            _ = try await setting.client.enqueue(list, as: [Coat].self).value
        }
        func missing() throws -> [Int] {
            if isOfRelationship {
                let coats = try setting.store.find(Hanger.self, id: 7)?.coats.fetch() ?? []
                return [1, 2].filter { id in !coats.contains { $0.id == id } }
            }
            return try setting.store.select(Coat.where { $0.isGone == true }) { $0.id }
        }
        try await ask("x")
        // Else it would be deleted, and be missed.
        try await setting.store.write {
            try $0.edit(\.coats, of: One<Hanger>(id: 8)).add(One<Coat>(id: 2))
        }
        try await ask("y")
        #expect(try missing() == [2])
        try await ask("x")
        #expect(try missing() == [])
        try await ask("x")
        #expect(setting.server.answers == [200, 200, 304, 200, 304])
    }

    @Test(arguments: [Coat.self, Jacket.self] as [any Entity.Type])
    func `a list that could not name all of a relationship is confirmed`(
        _ type: any Entity.Type
    ) async throws {
        func ask<Object: Entity>(_ type: Object.Type) async throws {
            let setting = try FetchSetting(
                in: Store.inMemory(entities: Hanger.self, Coat.self, Jacket.self))
            try setting.store.save(Hanger(id: 7, coats: []))
            setting.server["/x"] = #"[{"id": 1, "name": "a", "size": 3}]"#
            let list = AdHocEndpoint.get("x")
                .setting(\.completeness, to: .whole(\.coats, of: One<Hanger>(id: 7)))
            for _ in 0..<3 {
                _ = try await setting.client.enqueue(list, as: [Object].self).value
            }
            #expect(setting.server.answers == [200, 304, 304])
            let hanger = try #require(try setting.store.find(Hanger.self, id: 7))
            #expect(try hanger.coats.count == 1)
        }
        try await ask(type)
    }

    /// As a list that is still the same is the server's word of now, whose object it is.
    @Test func `an object that two owners' lists name is that of whichever was asked for last`()
        async throws
    {
        let setting = try FetchSetting(in: Store.inMemory(entities: Tray.self, Cup.self))
        setting.server["/1"] = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#
        setting.server["/2"] = #"[{"id": 2, "name": "b"}]"#
        for _ in 0..<3 {
            for id in 1...2 {
                let list = AdHocEndpoint.get("\(id)")
                    .setting(\.completeness, to: .whole(\.cups, of: One<Tray>(id: id)))
                _ = try await setting.client.enqueue(list, as: [Cup].self).value
                #expect(try setting.store.find(Cup.self, id: 2)?.tray?.id == id)
            }
        }
        #expect(setting.server.answers == [200, 200, 304, 200, 304, 200, 304, 200, 304, 200])
    }

    @Test func `what the app alone has moved to another owner is not missed in that one's list`()
        async throws
    {
        let setting = try FetchSetting(in: Store.inMemory(entities: Tray.self, Cup.self))
        setting.server["/1"] = #"[{"id": 1, "name": "a"}, {"id": 2, "name": "b"}]"#
        setting.server["/2"] = #"[{"id": 3, "name": "c"}]"#
        func ask() async throws {
            for id in 1...2 {
                let list = AdHocEndpoint.get("\(id)")
                    .setting(\.completeness, to: .whole(\.cups, of: One<Tray>(id: id)))
                _ = try await setting.client.enqueue(list, as: [Cup].self).value
            }
        }
        try await ask()
        try await setting.store.write {
            try $0.edit(\.cups, of: One<Tray>(id: 2)).add(One<Cup>(id: 2))
        }
        try await ask()
        let cups = try setting.store.fetch(Cup.all.sorted { $0.id.ascending })
        #expect(cups.map { $0.tray?.id } == [1, 1, 2])
        #expect(setting.server.answers == [200, 200, 304, 200, 304])
    }

    /// Whether it shows what has vanished, and so what there is, and in which order.
    @Test(arguments: [true, false])
    func `a list that is still the same takes back its order, where it is the whole`(
        _ isWhole: Bool
    ) async throws {
        let setting = try FetchSetting(in: Store.inMemory(entities: Hanger.self, Coat.self))
        let hanger = One<Hanger>(id: 7)
        let list = AdHocEndpoint.get("x")
            .setting(\.completeness, to: .whole(\.coats, of: hanger).unless("has_more"))
        setting.server["/x"] = """
            {"has_more": \(!isWhole), "items": [{"id": 2, "name": "b"}, {"id": 1, "name": "a"}]}
            """
        func ask() async throws -> [Int]? {
            _ = try await setting.client.enqueue(list, as: [Coat].self, at: "items").value
            return try setting.store.find(Hanger.self, id: 7)?.coats.fetch().map(\.id)
        }
        #expect(try await ask() == [2, 1])
        try await setting.store.write { context in
            let coats = try context.fetch(Coat.all.sorted { $0.id.ascending })
            try context.edit(\.coats, of: hanger).set(Many(coats))
        }
        #expect(try await ask() == (isWhole ? [2, 1] : [1, 2]))
        #expect(setting.server.answers == (isWhole ? [200, 304, 200] : [200, 304]))
    }

    @Test func `elements that are replaced each time are not missed by an older list`()
        async throws
    {
        let setting = try FetchSetting(
            in: Store.inMemory(entities: Form.self, FormLine.self, FormNote.self))
        setting.server["/all"] = #"[{"id": 1, "lines": [{"text": "a", "notes": [{"text": "n"}]}]}]"#
        setting.server["/1"] = #"{"id": 1, "lines": [{"text": "a", "notes": [{"text": "n"}]}]}"#
        for _ in 0..<3 {
            _ = try await setting.client.enqueue(Resource("all"), as: [Form].self).value
            _ = try await setting.client.enqueue(Resource("1"), as: Form.self).value
        }
        #expect(setting.server.answers == [200, 200, 304, 304, 304, 304])
        #expect(try setting.store.count(FormNote.all) == 1)
    }

    @Test(arguments: ["other", "app"])
    func `of a list of what nothing identifies a confirmation shows what it lacks, too`(
        _ who: String
    ) async throws {
        let setting = try FetchSetting(
            in: Store.inMemory(entities: Form.self, FormLine.self, FormNote.self))
        setting.server["/1"] = #"{"id": 1, "lines": [{"text": "a"}]}"#
        setting.server["/lines"] = who == "app" ? #"[{"text": "b"}]"# : "[]"
        let lines = AdHocEndpoint.get("lines").setting(
            \.completeness, to: .whole(\.lines, of: One<Form>(id: 1)).allowingEmptying())
        try setting.store.save(Form(id: 1, lines: []))
        _ = try await setting.client.enqueue(lines, as: [FormLine].self).value
        if who == "app" {
            try await setting.store.write { context in
                let line = try context.save(FormLine(text: "own", notes: []))
                try context.edit(\.lines, of: One<Form>(id: 1)).add(line)
            }
        } else {
            _ = try await setting.client.enqueue(Resource("1"), as: Form.self).value
        }
        for _ in 0..<2 {
            let list = try await setting.client.enqueue(lines, as: [FormLine].self).value
            #expect(list.map(\.text) == (who == "app" ? ["b"] : []))
            #expect(try setting.store.select(FormLine.all) { $0.text } == list.map(\.text))
        }
        #expect(setting.server.answers.suffix(3) == [304, 200, 304])
    }

    // MARK: Versions and moments

    @Test(arguments: [
        (FetchPolicy.storeFirst, ResponseSource.store), (.networkFirst(), .revalidated),
    ])
    func `a value made of the store's objects says nothing of a version`(
        _ policy: FetchPolicy, _ source: ResponseSource
    ) async throws {
        let setting = try FetchSetting(policy)
        setting.server["/x"] = #"{"id": 1, "login": "new"}"#
        _ = try await setting.client.enqueue(Resource("x"), as: User.self).value
        // As an older list does that comes late; the server would be asked for all of it.
        if source == .store { try setting.store.save(User(id: 1, login: "old")) }
        let read: Response<User> = try await setting.client.enqueue(Resource("x")).value
        #expect(read.source == source && read.value.login == (source == .store ? "old" : "new"))
        let before = setting.server.answers.count
        let error = await #expect(throws: ClientError.self) {
            try await setting.client.enqueue(.put("x", ifMatch: .version(of: read))).value as Void
        }
        #expect(error?.reason == .invalidRequest && setting.server.answers.count == before)
        let whole: Response<User> = try await setting.client.fetching(.none)
            .enqueue(Resource("x")).value
        #expect(whole.value.login == "new")
        try await setting.client.enqueue(.put("x", ifMatch: .version(of: whole))).value as Void
        #expect(setting.server.answers.suffix(2) == [200, 200])
    }

    @Test func `it counts for what has come again in another row, too`() async throws {
        let setting = try FetchSetting(in: Store.inMemory(entities: Seal.self))
        for path in ["/x", "/y"] { setting.server[path] = #"[{"code": "a", "title": "A"}]"# }
        _ = try await setting.client.enqueue(Resource("x"), as: [Seal].self).value
        try setting.store.delete(Seal.all)
        _ = try await setting.client.enqueue(Resource("y"), as: [Seal].self).value
        for answers in [[200, 200, 304, 200], [200, 200, 304, 200, 304]] {
            setting.clock.pass(5)
            _ = try await setting.client.enqueue(Resource("x"), as: [Seal].self).value
            #expect(setting.server.answers == answers)
            let times = try setting.store.select(Seal.all) { $0.fetchedAt }
            #expect(times == [setting.clock.now])
        }
    }

    // MARK: What is good no more

    @Test func `what could not be noted as invalid is good again once the server has said so`()
        async throws
    {
        let setting = try FetchSetting(.storeFirst)
        setting.server["/x"] = #"[{"id": 1, "login": "ann"}]"#
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        try setting.store.writeBeside {
            _ = try $0.run(
                """
                CREATE TRIGGER "full" BEFORE UPDATE ON "\(SideTables.prefix)kept"
                BEGIN SELECT RAISE(FAIL, 'no room'); END
                """)
        }
        await #expect(throws: (any Error).self) {
            try await setting.client.invalidate(Resource("x")).value
        }
        try setting.store.writeBeside { _ = try $0.run("DROP TRIGGER \"full\"") }
        let first: Response<[User]> = try await setting.client.enqueue(Resource("x")).value
        #expect(first.source == .revalidated)
        let last: Response<[User]> = try await setting.client.enqueue(Resource("x")).value
        #expect(last.source == .store)
    }

    @Test func `nor is it good where the file is opened anew before`() async throws {
        let file = try ReopenedFile()
        try await file.open { store in
            let setting = try FetchSetting(in: store, .storeFirst)
            setting.server["/x"] = #"[{"id": 1, "login": "ann"}]"#
            _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
            try store.writeBeside {
                _ = try $0.run(
                    """
                    CREATE TRIGGER "full" BEFORE UPDATE ON "\(SideTables.prefix)kept"
                    BEGIN SELECT RAISE(FAIL, 'no room'); END
                    """)
            }
            await #expect(throws: (any Error).self) {
                try await setting.client.invalidate(Resource("x")).value
            }
            try store.writeBeside { _ = try $0.run("DROP TRIGGER \"full\"") }
        }
        try await file.open { store in
            let setting = try FetchSetting(in: store, .storeFirst)
            setting.server["/x"] = #"[{"id": 1, "login": "ann"}]"#
            #expect(try await setting.client.freshness(of: Resource("x")).value?.isInvalid == true)
            for source in [ResponseSource.revalidated, .store] {
                let response: Response<[User]> = try await setting.client
                    .enqueue(Resource("x")).value
                #expect(response.source == source)
            }
        }
    }

    @Test func `many that are made invalid at once leave all others good`() async throws {
        let setting = try FetchSetting(.storeFirst)
        setting.server["/x"] = #"[{"id": 1, "login": "ann"}]"#
        _ = try await setting.client.enqueue(Resource("x"), as: [User].self).value
        let all = try await setting.store.whileItIsHeld {
            (0...1_000).map { setting.client.invalidate(Resource("y\($0)")) }
        }
        for promise in all { try await promise.value }
        let again: Response<[User]> = try await setting.client.enqueue(Resource("x")).value
        #expect(again.source == .store)
    }

    @Test func `a list that is the whole of what is replaced each time is confirmed`() async throws
    {
        let setting = try FetchSetting(
            in: Store.inMemory(entities: Form.self, FormLine.self, FormNote.self))
        setting.server["/x"] = #"[{"id": 1, "lines": [{"text": "a", "notes": [{"text": "n"}]}]}]"#
        let whole = Completeness.whole(Form.all).and(.whole(FormLine.all)).and(.whole(FormNote.all))
        let list = AdHocEndpoint.get("x").setting(\.completeness, to: whole)
        for _ in 0..<3 { _ = try await setting.client.enqueue(list, as: [Form].self).value }
        #expect(setting.server.answers == [200, 304, 304])
    }

    @Test func `what is identified is missed, also where it is replaced elsewhere`() async throws {
        let setting = try FetchSetting(
            in: Store.inMemory(entities: Sign.self, Stamp.self, Memo.self, Board.self))
        setting.server["/x"] = #"[{"id": 1, "name": "a"}]"#
        let list = AdHocEndpoint.get("x").setting(\.completeness, to: .whole(Stamp.all))
        _ = try await setting.client.enqueue(list, as: [Stamp].self).value
        try setting.store.save(Stamp(id: 2, name: "gone"))
        _ = try await setting.client.enqueue(list, as: [Stamp].self).value
        #expect(setting.server.answers == [200, 304, 200])
        #expect(try setting.store.select(Stamp.all) { $0.id } == [1])
    }

    private struct Closet: Wrapper {
        @Stored var favourite: Coat
        @Stored var coats: Many<Coat>
    }

    @Test func `what stands beside a list is not missed in it`() async throws {
        let setting = try FetchSetting(
            in: Store.inMemory(entities: Hanger.self, Coat.self, Jacket.self))
        try setting.store.save([Hanger(id: 1, coats: []), Hanger(id: 2, coats: [])])
        setting.server["/x"] =
            #"{"favourite": {"id": 3, "name": "c"}, "coats": [{"id": 1, "name": "a"}]}"#
        let list = AdHocEndpoint.get("x").setting(
            \.completeness, to: .whole(\.coats, of: One<Hanger>(id: 1)))
        for _ in 0..<3 { _ = try await setting.client.enqueue(list, as: Closet.self).value }
        #expect(setting.server.answers == [200, 304, 304])
        let coats = try setting.store.find(Hanger.self, id: 1)?.coats.fetch()
        #expect(coats?.map(\.id) == [1])
        #expect(try setting.store.count(Coat.all) == 2)
    }
}
