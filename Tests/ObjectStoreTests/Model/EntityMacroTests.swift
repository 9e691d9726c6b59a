import Foundation
import Testing

@testable import LarderObjectStore

/// Types marked `@Entity` make the model that a file describes.
@Suite struct EntityMacroTests {
    @Test func `a family by the macro is the family of the file`() throws {
        let file = try Model(
            contentsOf: ConformanceFiles.root.appending(path: "Schema/Inbox.json"))
        let types = try Model(
            name: "Inbox", entities: TypedTextMessage.self, TypedPictureMessage.self,
            TypedSticker.self, TypedSender.self, TypedTopic.self)
        #expect(types == file)
        for (typed, read) in zip(types.entities, file.entities) { #expect(typed == read) }
        #expect(try Model(json: Data(types.json.utf8)) == file)
    }

    @Test func `a family written by hand is it too`() throws {
        let file = try Model(
            contentsOf: ConformanceFiles.root.appending(path: "Schema/Inbox.json"))
        #expect(try Model(entities: Inbox.types) == file)
    }

    @Test func `a model by the macro differs where a type does`() throws {
        let types = try Model(name: "Inbox", entities: TypedTopic.self)
        let file = try Model(
            contentsOf: ConformanceFiles.root.appending(path: "Schema/Inbox.json"))
        #expect(types != file)
    }

    @Test func `a store of the file takes the types that make the same`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("inbox.sqlite")
        let file = try Model(
            contentsOf: ConformanceFiles.root.appending(path: "Schema/Inbox.json"))
        let store = try Store(at: path, model: file)
        try store.import("Message", from: Data(#"{"type":"text","id":1,"text":"hi"}"#.utf8))
        try store.close()
        let typed = try Store(
            at: path, entities: TypedTextMessage.self, TypedPictureMessage.self, TypedSticker.self,
            TypedSender.self, TypedTopic.self)
        #expect(try typed.fetch(TypedTextMessage.all).map(\.text) == ["hi"])
    }
}

// MARK: Entities

@Entity(
    "Message", keys: .snakeCase, abstract: true,
    mapper: EntityMapper(
        key: "type",
        values: ["text": "TextMessage", "picture": "PictureMessage", "sticker": "Sticker"])
)
struct TypedMessage {
    @Identity var id: Int
    var sentAt: Date?
    @Relationship(inverse: "messages") var author: One<TypedSender>?
    var replyTo: One<TypedMessage>?
    var tags: Many<TypedTopic>
}

@Entity("TextMessage", keys: .snakeCase, parent: TypedMessage.self)
struct TypedTextMessage {
    @Inherited var id: Int
    @Attribute(indexed: true) var text: String
    @Attribute("edited") var isEdited = false
}

@Entity("PictureMessage", keys: .snakeCase, parent: TypedMessage.self)
struct TypedPictureMessage {
    @Inherited var id: Int
    var url: URL
    var text: String?
}

@Entity("Sticker", keys: .snakeCase, parent: TypedPictureMessage.self)
struct TypedSticker {
    var pack: String = "basic"
}

@Entity("Sender", keys: .snakeCase)
struct TypedSender {
    @Identity var name: String
    @Relationship(inverse: "author", ordered: false) var messages: Many<TypedMessage>
    var pinned: One<TypedTextMessage>?
}

@Entity("Topic", keys: .snakeCase)
struct TypedTopic {
    @Identity var name: String
}
