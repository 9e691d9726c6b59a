import Foundation
import Testing

@testable import LarderObjectStore

/// Dynamic objects of entities that inherit from each other.
@Suite struct ObjectReadingDynamicTests {
    private let store: Store

    init() throws {
        let schema = ConformanceFiles.root.appending(path: "Schema/Inbox.json")
        store = try Store.inMemory(model: Model(contentsOf: schema))
        try store.import(
            "Message",
            from: Data(
                #"""
                [{"type": "text", "id": 1, "text": "hi", "author": {"name": "Ann", "pinned": 1}},
                 {"type": "picture", "id": 2, "url": "https://a/b.png", "reply_to": 1},
                 {"type": "sticker", "id": 3, "url": "https://a/c.png", "reply_to": 9}]
                """#.utf8))
    }

    @Test func `each is of its own entity and has what that has`() throws {
        let messages = try store.fetch(DynamicQuery("Message"))
        #expect(messages.map(\.entityName) == ["TextMessage", "PictureMessage", "Sticker"])
        #expect(messages[0]["text"] == .text("hi"))
        #expect(messages[0]["url"] == nil)
        #expect(messages[0]["isEdited"] == .integer(0))
        #expect(messages[1]["text"] == .null)
        #expect(messages[1]["pack"] == nil)
        #expect(try messages[2].value("pack") == "basic")
        #expect(
            messages[2].entity.attributes.map(\.name) == ["id", "sentAt", "url", "text", "pack"])
    }

    @Test func `a query finds those of its entity and below`() throws {
        let pictures = try store.fetch(DynamicQuery("PictureMessage").sorted("-id"))
        #expect(pictures.map(\.entityName) == ["Sticker", "PictureMessage"])
        #expect(try store.count(DynamicQuery("TextMessage")) == 1)
        #expect(try store.find("TextMessage", id: 2) == nil)
        #expect(try store.find("Message", id: 2)?.entityName == "PictureMessage")
        #expect(try store.find("PictureMessage", id: 3)?.entityName == "Sticker")
        #expect(try store.count(DynamicQuery("Message").where("author.name = 'Ann'")) == 1)
    }

    @Test func `links lead to what is there`() throws {
        let messages = try store.fetch(DynamicQuery("Message"))
        #expect(try messages[1].one("replyTo")?.entityName == "TextMessage")
        let sender = try #require(try messages[0].one("author"))
        #expect(try sender.many("messages").map(\.entityName) == ["TextMessage"])
        #expect(try sender.one("pinned")?["text"] == .text("hi"))
        // Of this one it is not even known which entity it is of.
        let open = try #require(try messages[2].one("replyTo"))
        #expect(open.entityName == "Message")
        #expect(open.isComplete == false)
        #expect(try store.find("Message", id: 9) == nil)
    }

    @Test func `deletes and becomes JSON as what it is`() throws {
        let sticker = try #require(try store.find("Message", id: 3))
        #expect(try JSONDocument(try sticker.json()).root["type"]?.string == "sticker")
        try store.write { _ = try $0.delete(sticker) }
        #expect(try store.count(DynamicQuery("Message")) == 2)
        try store.delete(DynamicQuery("TextMessage"))
        #expect(try store.fetch(DynamicQuery("Message")).map(\.entityName) == ["PictureMessage"])
    }

    // MARK: Without a model file

    @Test func `a store knows the model that it was written with`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("inbox.sqlite")
        do {
            let store = try Store(at: path, model: store.model)
            try store.import("Topic", from: Data(#"{"name": "a"}"#.utf8))
            try store.close()
        }
        let model = try Model(ofStoreAt: path)
        #expect(model == store.model)
        #expect(model.name == "Inbox")
        let again = try Store(at: path, model: model)
        #expect(try again.fetch(DynamicQuery("Topic")).map { $0["name"] } == [.text("a")])
    }

    @Test func `where there is no store there is no model`() throws {
        let folder = try TemporaryFolder()
        let missing = #expect(throws: StoreError.self) {
            try Model(ofStoreAt: folder.file("none.sqlite"))
        }
        #expect(missing?.reason == .cannotOpen)
        #expect(FileManager.default.fileExists(atPath: folder.file("none.sqlite")) == false)
        let text = folder.file("text.sqlite")
        try Data(String(repeating: "no database ", count: 100).utf8).write(to: URL(filePath: text))
        #expect(throws: StoreError.self) { try Model(ofStoreAt: text) }
        let empty = folder.file("empty.sqlite")
        try Data().write(to: URL(filePath: empty))
        let error = #expect(throws: StoreError.self) { try Model(ofStoreAt: empty) }
        #expect(error?.reason == .notAStore)
    }

    @Test func `the model of a store with a version can be read`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("inbox.sqlite")
        var configuration = Store.Configuration()
        configuration.migration.version = 1
        let model = store.model
        try Store(at: path, model: model, configuration: configuration).close()
        #expect(try Model(ofStoreAt: path).entities.map(\.name) == model.entities.map(\.name))
        // It is read, and no more.
        try Store(at: path, model: model, configuration: configuration).close()
    }
}
