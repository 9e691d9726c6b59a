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

    @Test func `who observes is told`() async throws {
        let store = try Self.store()
        var values = store.observe(House.all).makeAsyncIterator()
        #expect(try await values.next()?.count == 1)
        try await store.write { _ = try $0.deleteAll() }
        #expect(try await values.next()?.count == 0)
    }
}
