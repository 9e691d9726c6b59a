import Foundation
import Testing

@testable import LarderObjectStore

/// Objects of entities that inherit from each other as JSON.
@Suite struct ExportedEntityTests {
    private let inbox: StoreFixture

    init() throws {
        inbox = try Inbox.fixture()
        try inbox.insert(
            "Message",
            #"""
            [{"type":"text","id":1,"text":"hi","author":{"name":"Ann"},"tags":["a","b"]},
             {"type":"picture","id":2,"url":"https://a/b.png","reply_to":1,
              "sent_at":"2026-11-21T10:30:00.5Z"},
             {"type":"sticker","id":3,"url":"https://a/c.png","pack":"cats","reply_to":9}]
            """#)
    }

    private func json(
        _ entity: String, _ relationships: ExportedRelationships, in fixture: StoreFixture? = nil
    ) throws -> String {
        try (fixture ?? inbox).store.read { snapshot in
            let json = try snapshot.json(
                QueryDescription(entity: entity), relationships: relationships)
            return String(decoding: json, as: UTF8.self)
        }
    }

    @Test func `objects are written as what they are, with what names their entity`() throws {
        #expect(
            try json("Message", .identities)
                == #"[{"type":"text","id":1,"sent_at":null,"text":"hi","edited":false,"#
                + #""author":"Ann","reply_to":null,"tags":["a","b"]},"#
                + #"{"type":"picture","id":2,"sent_at":"2026-11-21T10:30:00.5Z","#
                + #""url":"https://a/b.png","text":null,"author":null,"reply_to":1,"tags":[]},"#
                + #"{"type":"sticker","id":3,"sent_at":null,"url":"https://a/c.png","text":null,"#
                + #""pack":"cats","author":null,"reply_to":9,"tags":[]}]"#)
    }

    @Test func `the entity of the query does not count`() throws {
        let all = try JSONDocument(try json("Message", .nested)).root
        let pictures = try JSONDocument(try json("PictureMessage", .nested)).root
        #expect(pictures.count == 2)
        #expect(pictures.elements?.map(\.source) == all.elements?.dropFirst().map(\.source))
        #expect(
            try inbox.store.json(TextMessage.all, relationships: .omitted)
                == Data(
                    #"[{"type":"text","id":1,"sent_at":null,"text":"hi","edited":false}]"#.utf8))
    }

    @Test func `linked objects are written as what they are`() throws {
        let picture = try JSONDocument(try json("PictureMessage", .nested)).root.elements?.first
        let reply = try #require(picture?["reply_to"])
        #expect(reply["text"]?.string == "hi")
        #expect(reply["type"]?.string == "text")
        let author = try #require(reply["author"])
        #expect(author.keys == ["name", "pinned"])
        // Nothing but its identity is known of the message that the sticker replies to.
        #expect(try json("Sticker", .nested).contains(#""reply_to":9"#))
    }

    @Test(arguments: [ExportedRelationships.identities, .nested])
    func `makes the same objects in another store`(relationships: ExportedRelationships) throws {
        let copy = try Inbox.fixture()
        for entity in ["Message", "Sender", "Topic"] {
            try copy.insert(entity, json(entity, relationships))
        }
        for sql in [
            #"SELECT * FROM Message ORDER BY id"#, #"SELECT name FROM Sender ORDER BY 1"#,
            #"SELECT source, position FROM "Message.tags" ORDER BY 1, 2"#,
        ] { #expect(try copy.rows(sql) == inbox.rows(sql)) }
        for entity in ["Message", "Sender", "Topic"] {
            #expect(
                try json(entity, relationships, in: copy) == json(entity, relationships),
                "\(entity)")
        }
    }

    @Test func `siblings that share a column keep to their owner's lists`() throws {
        func message(_ name: String, _ inverse: String) -> EntityDescription {
            EntityDescription(
                name: name, parent: "Letter",
                relationships: [
                    RelationshipDescription(
                        "chat", to: "Chat", isOptional: true, key: "chat", inverse: inverse)
                ])
        }
        func list(_ name: String, of destination: String) -> RelationshipDescription {
            RelationshipDescription(
                name, to: destination, isToMany: true, key: name, inverse: "chat")
        }
        let fixture = try StoreFixture(
            .numbered(
                "Chat",
                relationships: [list("texts", of: "Text"), list("pictures", of: "Picture")]),
            EntityDescription(
                name: "Letter", identity: ["id"], attributes: [.required("id", .integer)],
                mapper: EntityMapper(key: "kind", values: ["t": "Text", "p": "Picture"])),
            message("Text", "texts"), message("Picture", "pictures"))
        let chats = #"[{"id":1,"texts":[7],"pictures":[8]},{"id":2,"texts":[],"pictures":[9]}]"#
        try fixture.insert("Chat", chats)
        #expect(try json("Chat", .identities, in: fixture) == chats)
        let copy = try StoreFixture(fixture.store.model)
        try copy.insert("Chat", json("Chat", .nested, in: fixture))
        #expect(try json("Chat", .identities, in: copy) == chats)
    }

    @Test func `of several values the first stands for an entity, and the higher mapper's`() throws
    {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Base", isAbstract: true, identity: ["id"],
                attributes: [.required("id", .integer)],
                mapper: EntityMapper(
                    key: "meta.kind", values: ["2": "Low", "1": "Low", "x": "Middle"])),
            EntityDescription(
                name: "Middle", parent: "Base",
                mapper: EntityMapper(key: "meta.kind", values: ["deep": "Low"])),
            EntityDescription(
                name: "Low", parent: "Middle",
                attributes: [AttributeDescription("size", .integer, key: "meta.size")],
                mapper: EntityMapper(key: "own", values: ["low": "Low"])))
        try fixture.insert(
            "Base", #"[{"id":1,"meta":{"kind":2,"size":7}},{"id":2,"meta":{"kind":"x"}}]"#)
        let expected =
            #"[{"meta":{"kind":"1","size":7},"own":"low","id":1},{"meta":{"kind":"x"},"id":2}]"#
        #expect(try json("Base", .nested, in: fixture) == expected)
        let copy = try StoreFixture(fixture.store.model)
        try copy.insert("Base", expected)
        #expect(try json("Base", .nested, in: copy) == expected)
    }

    @Test func `an attribute at the mapper's key path has its own value, or the entity's`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Base", identity: ["id"],
                attributes: [.required("id", .integer), .optional("type")],
                mapper: EntityMapper(key: "type", values: ["leaf": "Leaf"])),
            EntityDescription(name: "Leaf", parent: "Base"))
        try fixture.insert(
            "Base",
            #"[{"id":1,"type":"leaf"},{"id":2,"type":"leaf"},{"id":3,"type":"other"},{"id":4}]"#)
        try fixture.insert("Base", #"[{"id":1,"type":"changed"},{"id":2,"type":null}]"#)
        #expect(
            try json("Base", .nested, in: fixture)
                == #"[{"type":"changed","id":1},{"type":"leaf","id":2},{"id":3,"type":"other"},"#
                + #"{"id":4,"type":null}]"#)
    }

    @Test func `an identity that only the sub-entity has is written with its kind`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Base", attributes: [.optional("note")],
                mapper: EntityMapper(key: "kind", values: ["leaf": "Leaf"])),
            EntityDescription(
                name: "Leaf", parent: "Base", identity: ["code"],
                attributes: [.required("code")]),
            .numbered(
                "Box",
                relationships: [
                    RelationshipDescription(
                        "contents", to: "Base", isToMany: true, isOrdered: true, key: "contents")
                ]))
        try fixture.insert(
            "Box", #"{"id":1,"contents":[{"kind":"leaf","code":"c","note":"n"},{"note":"m"}]}"#)
        let expected = #"[{"id":1,"contents":[{"kind":"leaf","code":"c"},{"note":"m"}]}]"#
        #expect(try json("Box", .identities, in: fixture) == expected)
        try fixture.insert("Box", expected)
        #expect(try fixture.rows("SELECT count(*) FROM Base WHERE code = 'c'") == ["1"])
    }

    @Test func `an identity that extends the parent's is written whole, with its kind`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Post", identity: ["id"], attributes: [.required("id", .integer)],
                mapper: EntityMapper(key: "type", values: ["reply": "Reply"])),
            EntityDescription(
                name: "Reply", parent: "Post", identity: ["thread"],
                attributes: [.required("thread")]),
            .numbered(
                "Board",
                relationships: [
                    RelationshipDescription(
                        "posts", to: "Post", isToMany: true, isOrdered: true, key: "posts")
                ]))
        let boards = #"[{"id":1,"posts":[1,{"type":"reply","id":1,"thread":"a"}]}]"#
        for _ in 1...2 {
            try fixture.insert("Board", boards)
            #expect(try json("Board", .identities, in: fixture) == boards)
        }
        #expect(try fixture.rows("SELECT count(*) FROM Post") == ["2"])
    }
}
