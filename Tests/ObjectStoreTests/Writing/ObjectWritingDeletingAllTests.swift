import Testing

@testable import LarderObjectStore

/// Deleting everything at once.
struct ObjectWritingDeletingAllTests {
    @Entity struct House {
        @Identity var id: Int
        @Relationship(inverse: "house", ordered: false, delete: .deny) var rooms: Many<Room>
    }

    @Entity struct Room {
        @Identity var id: Int
        @Relationship(inverse: "rooms") var house: One<House>
    }

    @Entity struct Note {
        @Identity var id: Int
        var text: String?
    }

    private static func store() throws -> Store {
        let store = try Store.inMemory(entities: House.self, Room.self, Note.self)
        try store.import([House].self, from: #"[{"id": 1, "rooms": [{"id": 2}, {"id": 3}]}]"#)
        try store.import([Note].self, from: #"[{"id": 1, "text": "a"}, 2]"#)
        return store
    }

    @Test func `all go together, references too, whatever would deny it`() throws {
        let store = try Self.store()
        #expect(try store.deleteAll() == 5)
        #expect(try store.count(House.all) == 0 && store.count(Room.all) == 0)
        let left = try store.readBeside { try $0.rows("SELECT count(*) FROM \"Note\"") }
        #expect(left == [[.integer(0)]])
        #expect(try store.deleteAll() == 0)
    }

    @Test func `some stay`() throws {
        let store = try Self.store()
        #expect(try store.deleteAll(except: [Note.self]) == 3)
        #expect(try store.count(Note.all) == 1)
    }

    @Test func `where what stays needs what goes, all stays`() throws {
        let store = try Self.store()
        #expect(throws: WritingError.self) { try store.deleteAll(except: [Room.self]) }
        #expect(try store.count(House.all) == 1 && store.count(Room.all) == 2)
    }

    @Entity struct Account {
        @Identity var id: Int
        @Relationship(inverse: "account", ordered: false, delete: .cascade)
        var settings: Many<Setting>
        @Relationship(delete: .cascade) var theme: One<Theme>?
    }

    @Entity struct Setting {
        @Identity var name: String
        @Relationship(inverse: "settings") var account: One<Account>?
    }

    @Entity struct Theme {
        @Identity var id: Int
    }

    @Test func `what stays does not go along with what goes`() throws {
        let store = try Store.inMemory(entities: Account.self, Setting.self, Theme.self)
        try store.import(
            Account.self,
            from: #"{"id": 1, "settings": [{"name": "a"}, {"name": "b"}], "theme": {"id": 7}}"#)
        #expect(try store.deleteAll(except: [Setting.self]) == 2)
        #expect(try store.fetch(Setting.all).map { $0.account == nil } == [true, true])
        #expect(try store.count(Theme.all) == 0)
    }

    @Test func `no searchable word stays in the file and its log`() throws {
        let fixture = try Magazine.fixture()
        // Not every SQLite does so by itself.
        try fixture.store.withWriter { _ = try $0.allRows("PRAGMA secure_delete = ON") }
        try fixture.store.save(
            Article(id: 9, title: "overdraft", text: nil, stars: nil, columnist: nil))
        #expect(try fixture.holds("overdraft"))
        try fixture.store.deleteAll()
        #expect(try !fixture.holds("overdraft"))
        #expect(try fixture.logSize == 0)
        try fixture.store.checkSearch("Article")
    }

    @Test func `searches find what comes behind it, and what is taken back`() throws {
        struct Stop: Error {}
        let fixture = try Magazine.fixture()
        let store = fixture.store
        func article(_ id: Int, _ title: String) -> Article {
            Article(id: id, title: title, text: nil, stars: nil, columnist: nil)
        }
        try store.write { context in
            try context.save(article(9, "early"))
            #expect(try context.count(Article.matching("early")) == 1)
            #expect(throws: Stop.self) {
                try context.savepoint {
                    try context.deleteAll()
                    #expect(try context.count(Article.matching("early")) == 0)
                    throw Stop()
                }
            }
            #expect(try context.count(Article.matching("early")) == 1)
            #expect(try Magazine.found(Article.matching("crash"), in: context) == [1, 2])
        }
        try store.checkSearch("Article")
        try store.write { context in
            try context.deleteAll(except: [Columnist.self])
            try context.save(article(2, "late"))
        }
        #expect(try Magazine.found(Article.matching("late"), in: store) == [2])
        #expect(try Magazine.found(Article.matching("crash"), in: store) == [])
        #expect(try store.count(Columnist.matching("bob")) == 1)
        try store.checkSearch("Article")
        try store.checkSearch("Columnist")
    }

    @Test func `who observes is told`() async throws {
        let store = try Self.store()
        var values = store.observe(House.all).makeAsyncIterator()
        #expect(try await values.next()?.count == 1)
        try await store.write { _ = try $0.deleteAll() }
        #expect(try await values.next()?.count == 0)
    }
}
