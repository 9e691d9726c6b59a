import Foundation
import LarderObjectStore
import Testing

/// Entities that inherit and that keep JSON, by the macro and by hand.
@Suite struct FamilyCompilesTests {
    @Test func `says of a family by the macro what one says by hand`() throws {
        #expect(Message.entityDescription == MessageByHand.entityDescription)
        #expect(TextMessage.entityDescription == TextMessageByHand.entityDescription)
        #expect(TextMessage.parentType == Message.self)
        #expect(Message.parentType == nil)
        #expect(TextMessage.inheritedProperties.map(\.name) == ["id", "author", "sentAt", "tags"])
        #expect(
            TextMessageByHand.inheritedProperties.map(\.name)
                == TextMessage.inheritedProperties.map(\.name))
        let model = try Model(
            name: "Chat", entities: Author.self, Tag.self, TextMessage.self, Ping.self)
        let byHand = try Model(
            name: "Chat", entities: Author.self, Tag.self, TextMessageByHand.self, PingByHand.self)
        #expect(model == byHand)
        #expect(
            model.entities.map(\.name).sorted() == [
                "Author", "Message", "Ping", "Tag", "TextMessage",
            ])
    }

    private static let json = """
        [{"id": 1, "type": "text", "author": {"name": "Ann"}, "text": "Hi", "tags": ["b", "a"]},
         {"id": 2, "type": "ping", "author": "Bob", "sentAt": "2001-01-01T00:00:05Z"}]
        """

    @Test func `reads inherited properties beside own ones`() throws {
        let store = try Store.inMemory(entities: Author.self, Tag.self, TextMessage.self, Ping.self)
        let messages: Many<Message> = try store.import(from: Data(Self.json.utf8))
        #expect(try messages.count == 2)
        let text = try #require(try store.first(TextMessage.where { $0.id == 1 }))
        #expect(text.text == "Hi")
        #expect(try text.author.fetch().name == "Ann")
        #expect(text.sentAt == nil)
        #expect(try text.tags.fetch().map(\.name) == ["b", "a"])
        let ping = try #require(try store.first(Ping.all))
        #expect(ping.sentAt == Date(timeIntervalSinceReferenceDate: 5))
    }

    @Test func `asks by inherited columns`() throws {
        let store = try Store.inMemory(entities: Author.self, Tag.self, TextMessage.self, Ping.self)
        try store.import(Many<Message>.self, from: Data(Self.json.utf8))
        let query = TextMessage.where { $0.author.name == "Ann" && $0.text.contains("H") }
        #expect(try store.fetch(query.sorted { $0.id.ascending }).map(\.id) == [1])
        #expect(try store.count(TextMessage.where { $0.tags.count == 2 }) == 1)
        #expect(try store.count(TextMessage.where { $0.id == 2 }) == 0)
        #expect(try store.count(Message.all) == 2)
    }

    @Test func `keeps arrays, dictionaries and values of one's own as JSON`() throws {
        let store = try Store.inMemory(entities: Place.self)
        let place = try store.import(
            Place.self,
            from: Data(
                """
                {"id": 1, "names": ["a", "b"], "counts": {"x": 1},
                 "address": {"street": "S", "number": 5}, "former": null}
                """.utf8))
        #expect(place.names == ["a", "b"])
        #expect(place.counts == ["x": 1])
        #expect(place.address == Place.Address(street: "S", number: 5))
        #expect(place.former == nil)
        #expect(place.extra == nil)
        #expect(
            Place.entityDescription.attributes.dropFirst().map(\.type)
                == [.json, .json, .json, .json, .json])
    }

    @Test func `a value that the property's type can't be is refused with its path`() throws {
        let store = try Store.inMemory(entities: Place.self)
        let error = #expect(throws: MappingError.self) {
            try store.import(
                Place.self,
                from: Data(#"{"id": 1, "names": 5, "counts": {}, "address": null}"#.utf8))
        }
        #expect(error?.path == "$.names")
    }
}

// MARK: Entities

@Entity private struct Author {
    @Identity var name: String
}

@Entity private struct Tag {
    @Identity var name: String
}

@Entity(
    abstract: true,
    mapper: EntityMapper(key: "type", values: ["text": "TextMessage", "ping": "Ping"])
)
private struct Message {
    @Identity var id: Int
    var sentAt: Date?
    var author: One<Author>
    var tags: Many<Tag>
}

@Entity(parent: Message.self) private struct TextMessage {
    @Inherited var id: Int
    var text: String
    @Inherited var author: One<Author>
    @Inherited var sentAt: Date?
    @Inherited var tags: Many<Tag>
}

@Entity(parent: Message.self) private struct Ping {
    @Inherited var sentAt: Date?
}

@Entity private struct Place {
    struct Address: JSONAttribute, Equatable {
        var street: String
        var number: Int
    }

    @Identity var id: Int
    var names: [String]
    var counts: [String: Int]
    var address: Address
    var former: [Address]?
    var extra: [String: [Int]]?
}

/// What the macro writes for `Message`, as one would write it.
private struct MessageByHand: Entity {
    let id: Int

    static let entityName = "Message"

    static let entityDescription = EntityDescription(
        name: "Message", isAbstract: true, identity: ["id"],
        attributes: [
            AttributeDescription("id", Int.self, key: "id"),
            AttributeDescription("sentAt", Date?.self, key: "sentAt"),
        ],
        relationships: [
            RelationshipDescription("author", to: "Author", key: "author"),
            RelationshipDescription(
                "tags", to: "Tag", isToMany: true, isOrdered: true, key: "tags"),
        ],
        mapper: EntityMapper(key: "type", values: ["text": "TextMessage", "ping": "Ping"]))

    struct Columns: EntityColumns {
        let id: Column<Int>

        init(path: ColumnPath) { id = Column(path, "id") }
    }

    init(row: EntityRow) throws {
        id = try row.attribute(0)
    }
}

/// What the macro writes for `TextMessage`, as one would write it.
private struct TextMessageByHand: Entity {
    let id: Int
    let text: String
    let author: One<Author>
    let sentAt: Date?
    let tags: Many<Tag>

    static let entityName = "TextMessage"
    static let parentType: (any Entity.Type)? = MessageByHand.self
    static let inheritedProperties: [InheritedProperty] = [
        .attribute("id", Int.self), .one("author", to: "Author"),
        .attribute("sentAt", Date?.self), .many("tags", to: "Tag"),
    ]

    static let entityDescription = EntityDescription(
        name: "TextMessage", parent: "Message",
        attributes: [AttributeDescription("text", String.self, key: "text")])

    struct Columns: EntityColumns {
        let id: Column<Int>
        let text: Column<String>

        init(path: ColumnPath) {
            id = Column(path, "id")
            text = Column(path, "text")
        }
    }

    init(row: EntityRow) throws {
        id = try row.attribute(inherited: 0)
        text = try row.attribute(0)
        author = try row.one(inherited: 1)
        sentAt = try row.attribute(inherited: 2)
        tags = row.many("tags")
    }
}

/// A sub-entity that reads nothing of its own.
private struct PingByHand: Entity {
    static let entityName = "Ping"
    static let parentType: (any Entity.Type)? = MessageByHand.self
    static let entityDescription = EntityDescription(name: "Ping", parent: "Message")

    struct Columns: EntityColumns {
        init(path: ColumnPath) {}
    }

    init(row: EntityRow) throws {}
}
