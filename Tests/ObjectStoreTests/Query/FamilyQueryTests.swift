import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

/// Questions about entities that share a table.
struct FamilyQueryTests {
    private let fixture: StoreFixture
    private var store: Store { fixture.store }

    init() throws {
        fixture = try Inbox.fixture()
        try fixture.insert(
            "Message",
            """
            [{"id": 1, "type": "text", "text": "hi", "author": {"name": "Ann"},
              "tags": [{"name": "b"}, {"name": "a"}]},
             {"id": 2, "type": "picture", "url": "http://x/2", "text": "hi", "author": {"name": "Ann"}},
             {"id": 3, "type": "sticker", "url": "http://x/3", "pack": "p", "author": {"name": "Bob"},
              "reply_to": 1, "tags": ["a"]},
             {"id": 4, "type": "text", "text": "yo", "edited": true, "author": {"name": "Bob"},
              "reply_to": 2, "sent_at": "2024-01-01T00:00:00Z"}]
            """)
        try fixture.insert("Sender", #"{"name": "Cy", "pinned": 4}"#)
    }

    @Test func `each entity has its own objects and those below it`() throws {
        #expect(
            try store.fetch(Message.all).map(\.kind) == [
                "TextMessage", "PictureMessage", "Sticker", "TextMessage",
            ])
        #expect(try store.fetch(TextMessage.all).map(\.id) == [1, 4])
        #expect(try store.fetch(PictureMessage.all).map(\.id) == [2, 3])
        #expect(try store.fetch(Sticker.all).map(\.id) == [3])
        #expect(try store.count(Message.all) == 4)
        #expect(try store.count(PictureMessage.all) == 2)
        #expect(try store.count(PictureMessage.all.limit(1)) == 1)
        #expect(try store.contains(Sticker.where { $0.pack == "p" }))
        #expect(try !store.contains(Sticker.where { $0.pack == "q" }))
        #expect(try store.first(Sticker.all)?.pack == "p")
        #expect(try store.first(TextMessage.all.sorted { $0.id.descending })?.id == 4)
        #expect(try store.find(TextMessage.self, id: 2) == nil)
        #expect(try store.find(Message.self, id: 2)?.kind == "PictureMessage")
    }

    @Test func `a column that two entities share is asked of one of them`() throws {
        #expect(try store.fetch(TextMessage.where { $0.text == "hi" }).map(\.id) == [1])
        #expect(try store.fetch(TextMessage.where { !($0.text == "hi") }).map(\.id) == [4])
        #expect(
            try store.fetch(TextMessage.where { $0.text == "hi" || $0.id > 1 }).map(\.id) == [1, 4])
    }

    @Test func `conditions on children ask about the entity that is linked`() throws {
        func senders(_ condition: (Sender.Columns) -> Condition) throws -> [String] {
            try store.fetch(Sender.where(condition)).map(\.name)
        }
        #expect(try senders { $0.messages.contains { $0.id == 3 } } == ["Bob"])
        #expect(try senders { $0.messages.count == 2 } == ["Ann", "Bob"])
        #expect(try senders { $0.messages.isEmpty } == ["Cy"])
        #expect(try senders { $0.messages.count { $0.replyTo.isNil } == 2 } == ["Ann"])
        #expect(try senders { $0.messages.allSatisfy { $0.id < 3 } } == ["Ann", "Cy"])
        #expect(try senders { $0.messages.max(\.id) == 4 } == ["Bob"])
        #expect(
            try senders { $0.messages.contains { $0.tags.contains { $0.name == "b" } } } == ["Ann"])
        let pinned = ToOneColumn<TextMessage>(ColumnPath(), "pinned")
        #expect(try store.fetch(Sender.where { _ in pinned.text == "yo" }).map(\.name) == ["Cy"])
        for id in [4, 1] {
            let found = try store.fetch(Sender.where { _ in pinned == One(id: id) })
            #expect(found.map(\.name) == (id == 4 ? ["Cy"] : []))
        }
        #expect(
            try store.fetch(Message.where { $0.replyTo.author.name == "Ann" }).map(\.id) == [3, 4])
        #expect(try store.fetch(TextMessage.where { $0.author.messages.count == 2 }).count == 2)
    }

    @Test func `a sibling in the same column is none of the linked objects`() throws {
        let store = try Store.inMemory(
            entities: Vehicle.self, Car.self, Bike.self, Garage.self)
        try store.save(Garage(id: 1, cars: .unchanged, bikes: .unchanged))
        try store.save(Car(id: 4, garage: One(id: 1)))
        try store.save(Bike(id: 5, garage: One(id: 1)))
        try store.import(Garage.self, from: Data(#"{"id": 2, "cars": [6]}"#.utf8))
        func garages(_ condition: (Garage.Columns) -> Condition) throws -> [Int] {
            try store.fetch(Garage.where(condition)).map(\.id)
        }
        #expect(try garages { $0.cars.contains(One(id: 4)) } == [1])
        #expect(try garages { $0.cars.contains(One(id: 5)) } == [])
        #expect(try garages { $0.bikes.contains(One(id: 5)) } == [1])
        #expect(try garages { $0.bikes.contains(One(id: 4)) } == [])
        #expect(try garages { $0.cars.contains(One(id: 6)) } == [2])
    }

    @Test func `aggregates, groups, values`() throws {
        #expect(try store.value(TextMessage.all) { $0.id.max } == 4)
        #expect(try store.value(PictureMessage.all) { $0.id.min } == 2)
        #expect(try store.value(Message.all) { $0.id.sum } == 10)
        #expect(try store.value(TextMessage.all) { $0.id.sum } == 5)
        #expect(try store.value(PictureMessage.all) { $0.id.average } == 2.5)
        #expect(try store.select(TextMessage.all, \.text) == ["hi", "yo"])
        #expect(try store.select(Message.all.distinct(), \.author.name) == ["Ann", "Bob"])
        let groups = try store.select(TextMessage.all, groupedBy: { $0.author.name }) {
            $0.id.count
        }
        #expect(groups.map(\.0) == ["Ann", "Bob"])
        #expect(groups.map(\.1) == [1, 1])
        let kinds = try store.select(Message.all.limit(3), groupedBy: { $0.author.name }) {
            $0.id.count
        }
        #expect(kinds.map(\.1) == [2, 1])
    }

    @Test func `pages`() throws {
        let query = TextMessage.all.sorted { $0.text.descending }
        let first = try store.page(query, size: 1)
        #expect(first.objects.map(\.id) == [4])
        let second = try store.page(query, size: 1, after: first.next)
        #expect(second.objects.map(\.id) == [1])
        #expect(second.next == nil)
        #expect(try store.page(Message.all, size: 3).objects.map(\.id) == [1, 2, 3])
    }

    @Test func `text`() throws {
        func ids(_ text: String) throws -> [Int] {
            try store.fetch(TextMessage.all.where(text, in: store)).map(\.id)
        }
        #expect(try ids("text like 'y%' and isEdited = true") == [4])
        #expect(try ids("author.name = 'Ann'") == [1])
        #expect(try ids("tags.name = 'a'") == [1])
        #expect(try ids("replyTo is not null") == [4])
        #expect(try ids("author.messages.id = 3") == [4])
        #expect(
            try store.fetch(Sender.all.where("messages.id = 3", in: store)).map(\.name) == ["Bob"])
        #expect(
            try store.fetch(Sender.all.where("pinned.text = 'yo'", in: store)).map(\.name) == ["Cy"]
        )
        #expect(
            try store.fetch(Message.all.sorted("-author.name, id", in: store)).map(\.id) == [
                3, 4, 1, 2,
            ])
        let error = #expect(throws: ExpressionError.self) {
            try Message.all.where("id = 1 and text = 'hi'", in: store)
        }
        #expect(error?.column == 12)
        #expect(
            error?.expected
                == "an attribute or a relationship of Message (author, id, replyTo, sentAt, tags)")
    }

    @Test func `SQL`() throws {
        func numbers(_ query: SQLQuery) throws -> [SQLValue] {
            try store.rows(query).compactMap(\.values.first)
        }
        #expect(try numbers("SELECT count(*) FROM \(Message.self)") == [.integer(4)])
        #expect(
            try numbers("SELECT id FROM \(TextMessage.self) ORDER BY id") == [
                .integer(1), .integer(4),
            ])
        #expect(
            try numbers("SELECT count(*) FROM \(PictureMessage.self) AS p WHERE p.id > \(2)") == [
                .integer(1)
            ])
        #expect(
            try numbers(
                "SELECT t.id FROM \(Sender.self) AS s JOIN \(TextMessage.self) AS t ON t.id = s.pinned"
            )
                == [.integer(4)])
    }

    @Test func `links of many`() throws {
        let texts = try store.fetch(TextMessage.all, including: \.author, \.tags)
        #expect(texts.map { $0.1?.name } == ["Ann", "Bob"])
        #expect(texts.map { $0.2.map(\.name) } == [["b", "a"], []])
        let senders = try store.fetch(Sender.all.limit(2), including: \.messages, \.pinned)
        #expect(
            senders.map { $0.1.map(\.kind) } == [
                ["TextMessage", "PictureMessage"], ["Sticker", "TextMessage"],
            ])
        let cy = try store.fetch(Sender.where { $0.name == "Cy" }, including: \.pinned)
        #expect(cy.map { $0.1?.text } == ["yo"])
    }
}

@Entity private struct Vehicle {
    @Identity var id: Int
}

@Entity(parent: Vehicle.self) private struct Car {
    @Inherited var id: Int
    @Relationship(inverse: "cars") var garage: One<Garage>?
}

@Entity(parent: Vehicle.self) private struct Bike {
    @Inherited var id: Int
    @Relationship(inverse: "bikes") var garage: One<Garage>?
}

@Entity private struct Garage {
    @Identity var id: Int
    @Relationship(inverse: "garage", ordered: false) var cars: Many<Car>
    @Relationship(inverse: "garage", ordered: false) var bikes: Many<Bike>
}
