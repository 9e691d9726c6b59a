import Foundation
import HTTPTypes
import LarderObjectStore
import LarderPromises
import LarderTesting
import Testing

@testable import LarderClient

@Entity private struct Ticket {
    @Identity var id: Int
    var title: String
    var isOpen: Bool
    /// What the list does not name.
    var text: String?
    @Attribute(mapped: false) var isStarred = false
    var owner: One<Keeper>?
    var labels: Many<Label>
}

@Entity private struct Keeper {
    @Identity var id: Int
    var name: String?
    @Relationship(inverse: "keeper", ordered: false) var keys: Many<DoorKey>
}

@Entity private struct DoorKey {
    @Identity var id: Int
    @Relationship(inverse: "keys") var keeper: One<Keeper>?
}

@Entity private struct Label {
    @Identity var name: String
}

@Entity private struct Bill {
    @Identity var id: Int
    @Relationship(policy: .replace) var lines: Many<BillLine>
    @Relationship(delete: .cascade) var place: One<BillPlace>?
}

/// What nothing identifies.
@Entity private struct BillLine {
    var text: String
    @Relationship(delete: .cascade) var notes: Many<BillPlace>
}

@Entity private struct BillPlace {
    var street: String
}

@Entity private struct Parcel {
    @Identity var id: Int
    @Relationship(inverse: "parcels") var place: One<ParcelPlace>?
}

/// What nothing identifies, and what leads back from there.
@Entity private struct ParcelPlace {
    var street: String
    @Relationship(inverse: "place", ordered: false) var parcels: Many<Parcel>
}

@Entity(tombstone: "isGone") private struct Message {
    @Identity var id: Int
    var text: String?
    var replies: Many<Message>
}

private struct Inbox: Wrapper {
    @Stored var gone: [Message]
    @Stored var all: [Message]
}

/// What is still good by the server's word, while its objects have been written over by others.
@Suite struct OverwrittenObjectsTests {
    private static let ticket = #"""
        {"id": 1, "title": "a", "isOpen": true, "owner": {"id": 7, "name": "ann", "keys": [{"id": 3}]},
         "labels": [{"name": "x"}, {"name": "y"}]}
        """#
    private static let line = "a true 7 ann [3] x y"

    /// A setting whose list has been fetched.
    private static func setting(in store: Store? = nil) async throws -> FetchSetting {
        let setting = try FetchSetting(
            in: store
                ?? Store.inMemory(
                    entities: Ticket.self, Keeper.self, DoorKey.self, Label.self))
        setting.server["/x"] = "[\(ticket)]"
        _ = try await list(setting)
        return setting
    }

    private static func list(_ setting: FetchSetting) async throws -> Response<[Ticket]> {
        try await setting.client.enqueue(Resource("x")).value
    }

    /// What the store has of the list.
    private static func line(_ setting: FetchSetting) throws -> String {
        let ticket = try #require(try setting.store.find(Ticket.self, id: 1))
        let owner = try ticket.owner?.find()
        let keys = try owner?.keys.fetch().map(\.id) ?? []
        let names = try ticket.labels.fetch().map(\.name)
        let person = owner.map { "\($0.id) \($0.name ?? "-")" } ?? "nobody"
        return "\(ticket.title) \(ticket.isOpen) \(person) \(keys) "
            + names.joined(separator: " ")
    }

    /// The list is asked for once more where the server says that it is good, and is as it was then.
    private static func expectAll(_ setting: FetchSetting, after count: Int) async throws {
        #expect(try line(setting) != line)
        let again = try await list(setting)
        #expect(again.source == .network && again.value.map(\.isOpen) == [true])
        #expect(try line(setting) == line)
        #expect(setting.server.answers.dropFirst(count) == [304, 200])
        #expect(try await list(setting).source == .revalidated)
    }

    @Test(arguments: [
        #"{"id": 1, "isOpen": false}"#, #"{"id": 1, "title": "b", "isOpen": true}"#,
        #"{"id": 1, "owner": {"id": 8, "name": "bob"}}"#, #"{"id": 1, "owner": null}"#,
        #"{"id": 1, "owner": {"id": 7, "name": "Ann"}}"#,
        #"{"id": 1, "owner": {"id": 7, "keys": []}}"#,
        #"{"id": 1, "owner": {"id": 7, "keys": [3, {"id": 4}]}}"#,
        #"{"id": 1, "labels": [{"name": "x"}]}"#,
        #"{"id": 1, "labels": ["x", "y", "z"]}"#, #"{"id": 1, "labels": ["y", "x"]}"#,
    ])
    func `a list that is still the same takes back what another response has made of it`(
        _ other: String
    ) async throws {
        let setting = try await Self.setting()
        setting.server["/y"] = other
        _ = try await setting.client.enqueue(Resource("y"), as: Ticket.self).value
        try await Self.expectAll(setting, after: 2)
    }

    @Test func `it takes back what the app has made of it, too`() async throws {
        let edits: [@Sendable (Store) throws -> Void] = [
            { try $0.update(Ticket.where { $0.id == 1 }) { $0.isOpen.set(false) } },
            { store in
                var ticket = try #require(try store.find(Ticket.self, id: 1))
                ticket.owner = nil
                try store.save(ticket)
            },
            { try $0.save(Keeper(id: 7, name: "Ann", keys: [])) },
            { store in
                try store.write {
                    try $0.edit(\.labels, of: One<Ticket>(id: 1)).remove(One<Label>(id: "x"))
                }
            },
        ]
        for edit in edits {
            let setting = try await Self.setting()
            try edit(setting.store)
            try await Self.expectAll(setting, after: 1)
        }
    }

    @Test func `what it does not say is anybody's to write`() async throws {
        let setting = try await Self.setting()
        for path in ["/one", "/other", "/same"] { setting.server[path] = Self.ticket }
        setting.server["/one"] = #"{"id": 1, "text": "long", "isOpen": true}"#
        setting.server["/other"] =
            #"{"id": 2, "title": "b", "isOpen": true, "owner": 8, "labels": ["x", "z"]}"#
        for path in ["one", "other", "same"] {
            _ = try await setting.client.enqueue(Resource(path), as: Ticket.self).value
        }
        try setting.store.update(Ticket.where { $0.id == 1 }) { $0.isStarred.set(true) }
        try setting.store.save(Keeper(id: 9, name: "eve", keys: []))
        let again = try await Self.list(setting)
        #expect(again.source == .revalidated && again.value.first?.text == "long")
        #expect(again.value.first?.isStarred == true)
        #expect(setting.server.answers == [200, 200, 200, 200, 304])
    }

    @Test func `what is named by its identity alone may be said more of`() async throws {
        let setting = try await Self.setting()
        setting.server["/x"] =
            #"[{"id": 1, "title": "a", "isOpen": true, "owner": 7, "labels": []}]"#
        setting.server["/y"] = #"{"id": 7, "name": "Ann", "keys": [4]}"#
        _ = try await Self.list(setting)
        _ = try await setting.client.enqueue(Resource("y"), as: Keeper.self).value
        #expect(try await Self.list(setting).source == .revalidated)
        #expect(setting.server.answers == [200, 200, 200, 304])
    }

    @Test func `another process knows what the list has said`() async throws {
        func open(_ path: String) throws -> Store {
            try Store(
                at: path, entities: Ticket.self, Keeper.self, DoorKey.self, Label.self)
        }
        let file = try TemporaryFile(named: "marker", Data())
        defer { withExtendedLifetime(file) {} }
        let path = file.url.deletingLastPathComponent().appending(path: "store.sqlite").path()
        let first = try await Self.setting(in: open(path))
        try first.store.close()
        for isEdited in [false, true] {
            let setting = try FetchSetting(in: open(path))
            setting.server["/x"] = "[\(Self.ticket)]"
            if isEdited {
                try setting.store.update(Ticket.where { $0.id == 1 }) { $0.isOpen.set(false) }
                try await Self.expectAll(setting, after: 0)
            } else {
                #expect(try await Self.list(setting).source == .revalidated)
            }
            try setting.store.close()
        }
    }

    @Test(arguments: ["tea", "rice"])
    func `of what nothing identifies it counts what it says`(_ text: String) async throws {
        func bill(_ line: String, _ note: String, at street: String) -> String {
            let lines = #"[{"text": "\#(line)", "notes": [{"street": "\#(note)"}]}]"#
            return #"{"id": 1, "lines": \#(lines), "place": {"street": "\#(street)"}}"#
        }
        let others = [
            bill(text, "tea", at: "tea"), bill("tea", text, at: "tea"),
            bill("tea", "tea", at: text),
        ]
        for other in others {
            let setting = try FetchSetting(
                in: Store.inMemory(entities: Bill.self, BillLine.self, BillPlace.self))
            setting.server["/x"] = "[\(bill("tea", "tea", at: "tea"))]"
            setting.server["/y"] = other
            _ = try await setting.client.enqueue(Resource("x"), as: [Bill].self).value
            _ = try await setting.client.enqueue(Resource("y"), as: Bill.self).value
            let again: Response<[Bill]> = try await setting.client.enqueue(Resource("x")).value
            #expect(again.source == (text == "tea" ? .revalidated : .network))
            let bill = try #require(try setting.store.find(Bill.self, id: 1))
            let lines = try bill.lines.fetch()
            #expect(lines.map(\.text) == ["tea"])
            #expect(try lines.flatMap { try $0.notes.fetch().map(\.street) } == ["tea"])
            #expect(try bill.place?.find()?.street == "tea")
        }
    }

    @Test(arguments: ["rice", "tea"])
    func `of what nothing identifies it counts what it says, also where that leads back`(
        _ street: String
    ) async throws {
        let setting = try FetchSetting(
            in: Store.inMemory(entities: Parcel.self, ParcelPlace.self))
        setting.server["/x"] = #"[{"id": 1, "place": {"street": "tea"}}]"#
        setting.server["/y"] = #"{"id": 1, "place": {"street": "\#(street)"}}"#
        _ = try await setting.client.enqueue(Resource("x"), as: [Parcel].self).value
        _ = try await setting.client.enqueue(Resource("y"), as: Parcel.self).value
        let again: Response<[Parcel]> = try await setting.client.enqueue(Resource("x")).value
        #expect(again.source == (street == "tea" ? .revalidated : .network))
        #expect(try setting.store.find(Parcel.self, id: 1)?.place?.find()?.street == "tea")
    }

    // MARK: What is gone

    /// An object that a response calls gone goes again where another one has brought it back.
    private static func expectGone<Value: Importable & Sendable>(
        _ type: Value.Type, of content: String
    ) async throws {
        let setting = try FetchSetting(in: Store.inMemory(entities: Message.self))
        setting.server["/x"] = content
        setting.server["/y"] = #"[{"id": 5, "text": "as it was"}]"#
        func ask() async throws -> ResponseSource {
            let response: Response<Value> = try await setting.client.enqueue(Resource("x")).value
            return response.source
        }
        #expect(try await ask() == .network)
        #expect(try await ask() == .revalidated)
        _ = try await setting.client.enqueue(Resource("y"), as: [Message].self).value
        #expect(try setting.store.find(Message.self, id: 5) != nil)
        #expect(try await ask() == .network)
        #expect(try setting.store.find(Message.self, id: 5) == nil)
        #expect(try await ask() == .revalidated)
        #expect(setting.server.answers == [200, 304, 200, 304, 200, 304])
    }

    @Test func `what a list calls gone goes again, wherever it stands there`() async throws {
        try await Self.expectGone(
            [Message].self, of: #"[{"id": 1, "text": "a"}, {"id": 5, "isGone": true}]"#)
        try await Self.expectGone(
            [Message].self,
            of: #"[{"id": 1, "replies": [{"id": 2}, {"id": 5, "isGone": true}]}]"#)
        try await Self.expectGone(Message?.self, of: #"{"id": 5, "isGone": true}"#)
    }

    @Test func `what a response calls gone is gone, whichever part of it has it as well`()
        async throws
    {
        let setting = try FetchSetting(in: Store.inMemory(entities: Message.self))
        setting.server["/x"] =
            #"{"gone": [{"id": 5, "isGone": true}], "all": [{"id": 5, "text": "anew"}]}"#
        for _ in 0..<3 {
            _ = try await setting.client.enqueue(Resource("x"), as: Inbox.self).value
            #expect(try setting.store.find(Message.self, id: 5) == nil)
        }
    }

    @Test func `what is gone may be referred to`() async throws {
        let setting = try FetchSetting(in: Store.inMemory(entities: Message.self))
        setting.server["/x"] = #"[{"id": 1, "text": "a"}, {"id": 5, "isGone": true}]"#
        setting.server["/y"] = #"[{"id": 3, "replies": [5]}]"#
        for path in ["x", "y", "x"] {
            _ = try await setting.client.enqueue(Resource(path), as: [Message].self).value
        }
        #expect(setting.server.answers == [200, 200, 304])
    }

    @Test func `what is written along with a list is part of how it stands then`() async throws {
        let setting = try FetchSetting()
        setting.server["/x"] = #"[{"id": 1, "login": "ann"}]"#
        for _ in 0..<3 {
            _ = try await setting.client.enqueue(
                Resource("x"), as: [User].self,
                storing: { context, _ in try context.save(User(id: 1, login: "Ann")) }
            ).value
        }
        #expect(setting.server.answers == [200, 304, 304])
        #expect(try setting.store.find(User.self, id: 1)?.login == "Ann")
    }

    @Test func `a list in which an object has come again in another row is asked for as a whole`()
        async throws
    {
        let setting = try FetchSetting()
        for path in ["/x", "/y"] { setting.server[path] = #"[{"name": "a"}]"# }
        _ = try await setting.client.enqueue(Resource("x"), as: [Tag].self).value
        try setting.store.delete(Tag.all)
        _ = try await setting.client.enqueue(Resource("y"), as: [Tag].self).value
        for answers in [[200, 200, 304, 200], [200, 200, 304, 200, 304]] {
            _ = try await setting.client.enqueue(Resource("x"), as: [Tag].self).value
            #expect(setting.server.answers == answers)
        }
    }
}
