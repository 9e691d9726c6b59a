import Foundation
import LarderObjectStore

/// Entities that inherit from each other, written by hand as `@Entity` writes them.
enum Inbox {
    static let types: [any Entity.Type] = [
        TextMessage.self, PictureMessage.self, Sticker.self, Sender.self, Topic.self,
    ]

    static func fixture() throws -> StoreFixture {
        try StoreFixture(Model(entities: types))
    }
}

struct Message: Entity {
    var id: Int
    var sentAt: Date?
    var author: One<Sender>?
    var replyTo: One<Message>?
    var tags: Many<Topic>
    var kind: String

    static var entityName: String { "Message" }
    static let entityDescription = EntityDescription(
        name: "Message", isAbstract: true, identity: ["id"],
        attributes: [
            AttributeDescription("id", Int.self, key: "id"),
            AttributeDescription("sentAt", Date?.self, key: "sent_at"),
        ],
        relationships: [
            RelationshipDescription(
                "author", to: "Sender", isOptional: true, key: "author", inverse: "messages"),
            RelationshipDescription(
                "replyTo", to: "Message", isOptional: true, key: "reply_to"),
            RelationshipDescription(
                "tags", to: "Topic", isToMany: true, isOrdered: true, key: "tags"),
        ],
        mapper: EntityMapper(
            key: "type",
            values: ["text": "TextMessage", "picture": "PictureMessage", "sticker": "Sticker"]))

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var id: Column<Int> { .init(path, "id") }
        var sentAt: Column<Date?> { .init(path, "sentAt") }
        var author: ToOneColumn<Sender> { .init(path, "author") }
        var replyTo: ToOneColumn<Message> { .init(path, "replyTo") }
        var tags: ToManyColumn<Topic> { .init(path, "tags") }
    }

    init(row: EntityRow) throws {
        id = try row.attribute(0)
        sentAt = try row.attribute(1)
        author = try row.one(0)
        replyTo = try row.one(1)
        tags = row.many("tags")
        kind = row.entityName
    }
}

struct TextMessage: Entity {
    var id: Int
    var text: String
    var isEdited: Bool
    var author: One<Sender>?
    var tags: Many<Topic>

    static var entityName: String { "TextMessage" }
    static var parentType: (any Entity.Type)? { Message.self }
    static let inheritedProperties: [InheritedProperty] = [
        .many("tags", to: "Topic"), .attribute("id", Int.self),
        .one("author", to: "Sender", isOptional: true),
    ]
    static let entityDescription = EntityDescription(
        name: "TextMessage", parent: "Message",
        attributes: [
            AttributeDescription("text", String.self, key: "text", isIndexed: true),
            AttributeDescription("isEdited", Bool.self, key: "edited", default: false),
        ])

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var id: Column<Int> { .init(path, "id") }
        var text: Column<String> { .init(path, "text") }
        var author: ToOneColumn<Sender> { .init(path, "author") }
    }

    init(row: EntityRow) throws {
        id = try row.attribute(inherited: 0)
        text = try row.attribute(0)
        isEdited = try row.attribute(1)
        author = try row.one(inherited: 1)
        tags = row.many("tags")
    }
}

struct PictureMessage: Entity {
    var id: Int
    var url: URL
    var text: String?

    static var entityName: String { "PictureMessage" }
    static var parentType: (any Entity.Type)? { Message.self }
    static let inheritedProperties: [InheritedProperty] = [.attribute("id", Int.self)]
    static let entityDescription = EntityDescription(
        name: "PictureMessage", parent: "Message",
        attributes: [
            AttributeDescription("url", URL.self, key: "url"),
            AttributeDescription("text", String?.self, key: "text"),
        ])

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var id: Column<Int> { .init(path, "id") }
        var url: Column<URL> { .init(path, "url") }
    }

    init(row: EntityRow) throws {
        id = try row.attribute(inherited: 0)
        url = try row.attribute(0)
        text = try row.attribute(1)
    }
}

struct Sticker: Entity {
    var id: Int
    var url: URL
    var pack: String

    static var entityName: String { "Sticker" }
    static var parentType: (any Entity.Type)? { PictureMessage.self }
    static let inheritedProperties: [InheritedProperty] = [
        .attribute("id", Int.self), .attribute("url", URL?.self),
    ]
    static let entityDescription = EntityDescription(
        name: "Sticker", parent: "PictureMessage",
        attributes: [AttributeDescription("pack", String.self, key: "pack", default: "basic")])

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var pack: Column<String> { .init(path, "pack") }
    }

    init(row: EntityRow) throws {
        id = try row.attribute(inherited: 0)
        let url: URL? = try row.attribute(inherited: 1)
        self.url = url ?? URL(filePath: "/")
        pack = try row.attribute(0)
    }
}

struct Sender: Entity {
    var name: String
    var messages: Many<Message>
    var pinned: One<TextMessage>?

    static var entityName: String { "Sender" }
    static let entityDescription = EntityDescription(
        name: "Sender", identity: ["name"],
        attributes: [AttributeDescription("name", String.self, key: "name")],
        relationships: [
            RelationshipDescription(
                "messages", to: "Message", isToMany: true, key: "messages", inverse: "author"),
            RelationshipDescription("pinned", to: "TextMessage", isOptional: true, key: "pinned"),
        ])

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var name: Column<String> { .init(path, "name") }
        var messages: ToManyColumn<Message> { .init(path, "messages") }
    }

    init(row: EntityRow) throws {
        name = try row.attribute(0)
        messages = row.many("messages")
        pinned = try row.one(0)
    }
}

struct Topic: Entity {
    var name: String

    static var entityName: String { "Topic" }
    static let entityDescription = EntityDescription(
        name: "Topic", identity: ["name"],
        attributes: [AttributeDescription("name", String.self, key: "name")])

    struct Columns: EntityColumns {
        let path: ColumnPath
        init(path: ColumnPath) { self.path = path }
        var name: Column<String> { .init(path, "name") }
    }

    init(row: EntityRow) throws { name = try row.attribute(0) }
}
