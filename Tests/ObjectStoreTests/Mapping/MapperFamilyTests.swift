import CLarderSQLite
import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct MapperFamilyTests {
    private let text =
        #"{"id":1,"type":"text","text":"hi","author":{"name":"Ann"},"tags":["a","b"]}"#
    private let picture =
        #"{"id":2,"type":"picture","url":"https://a/b.png","author":{"name":"Ann"}}"#

    private func rows(_ fixture: StoreFixture) throws -> [String] {
        try fixture.rows(#"SELECT id, "$entity", text, url, isEdited FROM Message ORDER BY id"#)
    }

    // MARK: Inserting

    @Test func `the mapper picks the entity of a new object`() throws {
        let fixture = try Inbox.fixture()
        let report = try fixture.insert("Message", "[\(text),\(picture)]")
        #expect(
            try rows(fixture) == [
                "1|TextMessage|hi|NULL|0", "2|PictureMessage|NULL|https://a/b.png|NULL",
            ])
        #expect(report["TextMessage"].inserted == 1)
        #expect(report["PictureMessage"].inserted == 1)
        #expect(report["Message"] == .init())
    }

    @Test func `numbers and booleans pick as they are spelled`() throws {
        let base = EntityDescription(
            name: "Base", identity: ["id"], attributes: [.required("id", .integer)],
            mapper: EntityMapper(key: "meta.kind", values: ["1": "One", "true": "Two"]))
        let fixture = try StoreFixture(
            base, EntityDescription(name: "One", parent: "Base"),
            EntityDescription(name: "Two", parent: "Base"))
        try fixture.insert(
            "Base",
            #"""
            [{"id":1,"meta":{"kind":1}},{"id":2,"meta":{"kind":true}},{"id":3,"meta":{"kind":[]}},
             {"id":4,"meta":7},{"id":5},{"id":6,"meta":{"kind":null}},{"id":7,"meta":{"kind":"x"}}]
            """#)
        #expect(
            try fixture.rows(#"SELECT id, "$entity" FROM Base"#) == [
                "1|One", "2|Two", "3|Base", "4|Base", "5|Base", "6|Base", "7|Base",
            ])
    }

    @Test(
        arguments: [
            (#"{"id":1,"text":"x"}"#, nil), (#"{"id":1,"type":null}"#, nil),
            (#"{"id":1,"type":"poll"}"#, "poll"), (#"{"id":1,"type":{}}"#, nil),
        ] as [(String, String?)])
    func `a new object of an abstract entity needs an answer`(json: String, value: String?) throws {
        let fixture = try Inbox.fixture()
        let error = fixture.mappingError("Message", "[\(text.replacing("1", with: "9")),\(json)]")
        #expect(error?.entity == "Message")
        #expect(error?.path == "$[1]")
        #expect(error?.reason == .abstract(value: value))
        #expect(try rows(fixture) == [])
    }

    @Test func `what an entity must have is required of its objects alone`() throws {
        let fixture = try Inbox.fixture()
        let missing = fixture.mappingError("Message", #"{"id":1,"type":"text"}"#)
        #expect(missing?.entity == "TextMessage")
        #expect(missing?.attribute == "text")
        #expect(missing?.reason == .missing)
        let null = fixture.mappingError("Message", #"{"id":1,"type":"picture","url":null}"#)
        #expect(null?.attribute == "url")
        #expect(null?.reason == .null)
        #expect(try rows(fixture) == [])
    }

    @Test func `a sub-entity is inserted by its own name, without the mapper`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert("TextMessage", #"{"id":1,"type":"picture","text":"hi"}"#)
        #expect(try rows(fixture) == ["1|TextMessage|hi|NULL|0"])
    }

    @Test func `a default belongs to its entity`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert(
            "Message",
            #"[{"id":1,"type":"sticker","url":"u"},{"id":2,"type":"sticker","url":"u","pack":"x"}]"#
        )
        try fixture.insert("Message", "[\(text.replacing(#""id":1"#, with: #""id":3"#))]")
        #expect(
            try fixture.rows("SELECT id, pack FROM Message ORDER BY id") == [
                "1|basic", "2|x", "3|NULL",
            ])
    }

    // MARK: Updating

    @Test func `an update without the value that picks reaches the concrete object`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert("Message", "[\(text),\(picture)]")
        let report = try fixture.insert("Message", #"[{"id":1,"text":"new"},{"id":2,"text":"t"}]"#)
        #expect(
            try rows(fixture) == [
                "1|TextMessage|new|NULL|0", "2|PictureMessage|t|https://a/b.png|NULL",
            ])
        #expect(report["TextMessage"].updated == 1)
        #expect(report["PictureMessage"].updated == 1)
    }

    @Test func `an object never changes its entity`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert("Message", text)
        let report = try fixture.insert(
            "Message", #"{"id":1,"type":"picture","url":"u","text":"b"}"#)
        #expect(try rows(fixture) == ["1|TextMessage|b|NULL|0"])
        #expect(report["TextMessage"].updated == 1)
        let error = fixture.mappingError("PictureMessage", #"{"id":1,"url":"u"}"#)
        #expect(error?.reason == .otherEntity("TextMessage"))
        #expect(error?.entity == "PictureMessage")
        #expect(fixture.mappingError("PictureMessage", "1")?.reason == .otherEntity("TextMessage"))
    }

    @Test func `nothing is written where nothing changes`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert("Message", "[\(text),\(picture)]")
        let report = try fixture.insert("Message", "[\(text),\(text),\(picture)]")
        #expect(report["TextMessage"] == .init(0, 0, 1))
        #expect(report["PictureMessage"] == .init(0, 0, 1))
    }

    @Test func `an object of a sub-entity's sub-entity is one of all above it`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert("Message", #"{"id":1,"type":"sticker","url":"u"}"#)
        try fixture.insert("PictureMessage", #"{"id":1,"url":"v"}"#)
        #expect(try rows(fixture) == ["1|Sticker|NULL|v|NULL"])
        #expect(try fixture.store.fetch(PictureMessage.all).count == 1)
        #expect(try fixture.store.fetch(Sticker.all).map(\.url.absoluteString) == ["v"])
    }

    // MARK: References

    @Test func `a reference is open until an object says what it is`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert("Sender", #"{"name":"Ann","messages":[1,2]}"#)
        #expect(try rows(fixture).first == "1|Message|NULL|NULL|NULL")
        #expect(try fixture.store.fetch(Message.all).isEmpty)
        let report = try fixture.insert("Message", #"[{"id":1,"type":"text","text":"hi"}]"#)
        #expect(try rows(fixture).first == "1|TextMessage|hi|NULL|0")
        #expect(report["TextMessage"].updated == 1)
        #expect(try fixture.store.fetch(Message.all).map(\.kind) == ["TextMessage"])
        let messages = try fixture.store.fetch(Sender.all)[0].messages.fetch()
        #expect(messages.map(\.id) == [1])
    }

    @Test func `a reference in the same document counts as the object that fills it`() throws {
        let fixture = try Inbox.fixture()
        let report = try fixture.insert(
            "Message",
            #"[{"id":2,"type":"text","text":"re","reply_to":1},{"id":1,"type":"text","text":"hi"}]"#
        )
        #expect(report["TextMessage"] == .init(2))
        #expect(report["Message"] == .init())
    }

    @Test func `a reference to a sub-entity settles an open one`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert("Sender", #"{"name":"Ann","messages":[1]}"#)
        try fixture.insert("Sender", #"{"name":"Ann","pinned":1}"#)
        #expect(try rows(fixture) == ["1|TextMessage|NULL|NULL|NULL"])
        #expect(
            fixture.mappingError("Message", #"{"id":1,"type":"picture","url":"u"}"#)?.reason
                == .otherEntity("TextMessage"))
    }

    @Test func `a reference to an abstract entity of nothing but an identity is no object`() throws
    {
        var item = EntityDescription.numbered("Item")
        item.isAbstract = true
        func link(_ name: String, to entity: String) -> RelationshipDescription {
            RelationshipDescription(name, to: entity, isOptional: true, key: name)
        }
        let fixture = try StoreFixture(
            item,
            EntityDescription(name: "Text", parent: "Item", attributes: [.required("text")]),
            EntityDescription(name: "Mark", parent: "Item"),
            .numbered(
                "Board",
                relationships: [
                    link("item", to: "Item"), link("text", to: "Text"), link("mark", to: "Mark"),
                ]))
        func found() throws -> [Int] {
            try ["Item", "Text", "Mark"].map { try fixture.store.count(DynamicQuery($0)) }
        }
        try fixture.insert("Board", #"{"id": 1, "item": 1}"#)
        #expect(try found() == [0, 0, 0])
        // What it turns out to be says whether there is more to come.
        try fixture.insert("Board", #"{"id": 1, "text": 1}"#)
        #expect(try found() == [0, 0, 0])
        #expect(try fixture.store.fetch(DynamicQuery("Text")).isEmpty)
        try fixture.insert("Board", #"{"id": 2, "item": 2}"#)
        try fixture.insert("Board", #"{"id": 2, "mark": 2}"#)
        #expect(try found() == [1, 0, 1])
        try fixture.insert("Text", #"{"id": 1, "text": "x"}"#)
        #expect(try found() == [2, 1, 1])
    }

    @Test func `an object without an answer is refused where only a reference is known`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert("Sender", #"{"name":"Ann","messages":[1]}"#)
        #expect(
            fixture.mappingError("Message", #"{"id":1,"sent_at":null}"#)?.reason
                == .abstract(value: nil))
    }

    @Test func `of a concrete entity only what is known of nothing can still become another`()
        throws
    {
        let base = EntityDescription(
            name: "Base", identity: ["id"],
            attributes: [.required("id", .integer), .optional("note")],
            mapper: EntityMapper(key: "type", values: ["sub": "Sub"]))
        let fixture = try StoreFixture(base, EntityDescription(name: "Sub", parent: "Base"))
        try fixture.insert("Base", #"[1,{"id":2,"note":"known"}]"#)
        try fixture.insert("Base", #"[{"id":1,"type":"sub"},{"id":2,"type":"sub"}]"#)
        #expect(try fixture.rows(#"SELECT id, "$entity" FROM Base"#) == ["1|Sub", "2|Base"])
        #expect(fixture.mappingError("Sub", #"{"id":2}"#)?.reason == .otherEntity("Base"))
    }

    @Test func `an object that stands inside itself is one`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert(
            "Message",
            #"{"id":1,"type":"text","text":"a","reply_to":{"id":1,"type":"text","text":"b"}}"#)
        try fixture.insert("Message", #"{"id":2,"type":"text","text":"a","reply_to":2}"#)
        #expect(
            try fixture.rows("SELECT id, text, replyTo FROM Message ORDER BY id") == [
                "1|a|1", "2|a|2",
            ])
    }

    // MARK: Relationships

    @Test func `a relationship to an entity takes objects of those below it`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert("Sender", #"{"name":"Ann","messages":[\#(text),\#(picture)]}"#)
        #expect(
            try fixture.rows(#"SELECT id, "$entity", author FROM Message ORDER BY id"#) == [
                "1|TextMessage|1", "2|PictureMessage|1",
            ])
        let author = try fixture.store.fetch(Sender.all)[0]
        #expect(try author.messages.fetch().map(\.kind) == ["TextMessage", "PictureMessage"])
        try fixture.insert("Sender", #"{"name":"Ann","messages":[2]}"#)
        #expect(try author.messages.fetch().map(\.id) == [2])
        #expect(try author.messages.count == 1)
    }

    @Test func `inherited relationships are kept with the entity that has them`() throws {
        let fixture = try Inbox.fixture()
        try fixture.insert("TextMessage", text)
        #expect(try fixture.rows(#"SELECT count(*) FROM "Message.tags""#) == ["2"])
        let message = try fixture.store.fetch(TextMessage.all)[0]
        #expect(try message.tags.fetch().map(\.name) == ["a", "b"])
        #expect(try message.author?.fetch().name == "Ann")
    }

    // MARK: Identities

    @Test func `an identity that only sub-entities have is one of each`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Thing", isAbstract: true, attributes: [.required("id", .integer)],
                mapper: EntityMapper(key: "type", values: ["user": "User", "repo": "Repo"])),
            EntityDescription(name: "User", parent: "Thing", identity: ["id"]),
            EntityDescription(
                name: "Repo", parent: "Thing", identity: ["id"], attributes: [.optional("name")]))
        let json = #"[{"id":1,"type":"user"},{"id":1,"type":"repo","name":"a"}]"#
        try fixture.insert("Thing", json)
        try fixture.insert("Thing", json.replacing(#""a""#, with: #""b""#))
        #expect(
            try fixture.rows(#"SELECT "$id", id, "$entity", name FROM Thing"#) == [
                "1|1|User|NULL", "2|1|Repo|b",
            ])
    }

    private func posts() throws -> StoreFixture {
        try StoreFixture(
            EntityDescription(
                name: "Post", identity: ["id"], attributes: [.required("id", .integer)],
                mapper: EntityMapper(key: "type", values: ["reply": "Reply"])),
            EntityDescription(
                name: "Reply", parent: "Post", identity: ["thread"],
                attributes: [.required("thread"), .optional("text")]))
    }

    @Test func `a sub-entity may extend an identity`() throws {
        let fixture = try posts()
        let json = #"""
            [{"id":1,"type":"reply","thread":"a","text":"x"},
             {"id":1,"type":"reply","thread":"b","text":"x"},{"id":2}]
            """#
        try fixture.insert("Post", json)
        try fixture.insert("Post", json.replacing(#""x""#, with: #""y""#))
        #expect(
            try fixture.rows(#"SELECT id, "$entity", thread, text FROM Post"#) == [
                "1|Reply|a|y", "1|Reply|b|y", "2|Post|NULL|NULL",
            ])
    }

    @Test func `an extended identity is another one, in whichever order they come`() throws {
        let (post, reply) = (#"{"id":1}"#, #"{"id":1,"type":"reply","thread":"a"}"#)
        for json in ["[\(post),\(reply)]", "[\(reply),\(post)]"] {
            let fixture = try posts()
            try fixture.insert("Post", json)
            let report = try fixture.insert("Post", json)
            #expect(report["Post"].unchanged == 1 && report["Reply"].unchanged == 1)
            #expect(
                try fixture.rows(#"SELECT id, "$entity", thread FROM Post ORDER BY 2"#) == [
                    "1|Post|NULL", "1|Reply|a",
                ])
        }
    }

    @Test func `nobody stands in for who extends an identity in a list that is made again`() throws
    {
        let store = try Store.inMemory(
            entities: Leaflet.self, Memo.self, Translation.self)
        let json = #"[{"key":"a"},{"type":"translation","key":"a","language":"en"}]"#
        let document = try JSONDocument(json)
        var skeleton = ImportSkeleton()
        _ = try store.write { context in
            try context.receive([Leaflet].self, from: document.root, as: nil) { parts, _ in
                skeleton = parts
            }
        }
        try store.delete(Translation.all)
        let kept = skeleton
        let again = try store.read {
            try $0.replay(
                [Leaflet].self, by: kept, from: document.root, options: DecodingOptions())
        }
        #expect(again.value.map(\.key) == ["a"] && again.missingCount == 1)
    }

    @Test func `the identity of a parent finds nobody who extends it`() throws {
        let fixture = try StoreFixture(entities: Leaflet.self, Memo.self, Translation.self)
        try fixture.insert(
            "Leaflet",
            #"""
            [{"type":"translation","key":"a","language":"en"},{"key":"a"},
             {"type":"translation","key":"c","language":"en"},{"type":"memo","key":"b"}]
            """#)
        let store = fixture.store
        #expect(try store.find(Leaflet.self, id: "a") != nil)
        #expect(try store.find("Leaflet", id: "a")?.entityName == "Leaflet")
        #expect(try store.find(Leaflet.self, id: "b") != nil)
        #expect(try store.find(Memo.self, id: "b") != nil)
        #expect(try store.find(Memo.self, id: "a") == nil)
        #expect(try store.find(Leaflet.self, id: "c") == nil)
        #expect(try store.find("Leaflet", id: "c") == nil)
        #expect(try store.find(Translation.self, id: "a", "en")?.language == "en")
        #expect(try store.find("Translation", id: "c", "en") != nil)
        #expect(try store.count(Leaflet.all) == 4)
    }

    @Test func `the row of an identity is found by its index, be it extended or not`() throws {
        let plan = try StorePlan(
            Model(entities: Leaflet.self, Memo.self, Translation.self))
        let connection = try StoreFile(path: nil).open(for: plan).connection
        defer { withExtendedLifetime(connection) {} }
        let numbers = RowNumbers(plan: plan, connection: connection)
        func statements<Object: Entity>(_ type: Object.Type) throws -> [Statement] {
            let entity = try plan.entity(type.entityName)
            return [
                try FamilyStatements(plan: entity, connection: connection, numbers: numbers).find(),
                try ObjectStatements(type, plan: entity, connection: connection).find(),
            ]
        }
        for statement in try statements(Leaflet.self) + statements(Memo.self)
            + statements(Translation.self)
        {
            let sql = String(cString: sqlite3_sql(statement.pointer))
            let steps = try connection.allRows("EXPLAIN QUERY PLAN \(sql)").map { "\($0)" }
            #expect(steps.count == 1 && steps[0].contains("$identity"), "\(sql): \(steps)")
            #expect(!steps.contains { $0.contains("SCAN") }, "\(sql): \(steps)")
        }
    }

    @Test func `objects without an identity are new each time`() throws {
        let fixture = try StoreFixture(
            EntityDescription(
                name: "Event", attributes: [.required("name")],
                mapper: EntityMapper(key: "type", values: ["a": "Sub"])),
            EntityDescription(name: "Sub", parent: "Event"))
        let json = #"[{"name":"x","type":"a"},{"name":"x"}]"#
        try fixture.insert("Event", json)
        let report = try fixture.insert("Event", json)
        #expect(report["Sub"].inserted == 1)
        #expect(
            try fixture.rows(#"SELECT "$entity" FROM Event"#) == ["Sub", "Event", "Sub", "Event"])
    }

    @Test func `an object that loses its owner counts as one of its own entity`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "Node",
                relationships: [
                    RelationshipDescription(
                        "up", to: "Node", isOptional: true, key: "up", inverse: "down"),
                    RelationshipDescription(
                        "down", to: "Node", isToMany: true, key: "down", inverse: "up"),
                ]),
            EntityDescription(name: "Leaf", parent: "Node"))
        try fixture.insert("Leaf", #"{"id": 2, "up": 1}"#)
        let report = try fixture.insert("Node", #"{"id": 1, "down": []}"#)
        #expect(report["Leaf"] == .init(0, 1))
        #expect(report["Node"] == .init(0, 1, unlinked: 1))
    }

    @Test func `links count with the entity that a reference turns out to be of`() throws {
        let fixture = try StoreFixture(
            .numbered(
                "Node",
                relationships: [
                    RelationshipDescription("peer", to: "Node", isOptional: true, key: "peer"),
                    RelationshipDescription("leaves", to: "Leaf", isToMany: true, key: "leaves"),
                    RelationshipDescription("all", to: "Node", isToMany: true, key: "all"),
                ]),
            EntityDescription(name: "Leaf", parent: "Node"))
        let report = try fixture.insert(
            "Node",
            #"{"id": 1, "peer": 2, "leaves": [{"id": 2}], "all": [{"id": 2, "all": [{"id": 3}]}]}"#)
        #expect(report["Node"].linked == 2)
        #expect(report["Leaf"].linked == 1)
        #expect(try fixture.rows(#"SELECT id, "$entity" FROM Node"#).contains("2|Leaf"))
    }

    @Test func `what is to lead to one sub-entity never turns another into it`() throws {
        func fixture() throws -> StoreFixture {
            var account = EntityDescription.numbered("Account")
            account.isAbstract = true
            account.mapper = EntityMapper(key: "type", values: ["p": "Person", "r": "Robot"])
            return try StoreFixture(
                account,
                EntityDescription(
                    name: "Person", parent: "Account", attributes: [.required("name")]),
                EntityDescription(
                    name: "Robot", parent: "Account", attributes: [.required("maker")]),
                .numbered(
                    "Post",
                    relationships: [
                        RelationshipDescription(
                            "author", to: "Person", isOptional: true, key: "author"),
                        RelationshipDescription("by", to: "Account", isOptional: true, key: "by"),
                    ]))
        }
        let robot = #"{"id": 7, "type": "r", "maker": "m"}"#
        for documents in [
            [("Post", #"{"id": 1, "author": 7}"#), ("Account", robot)],
            [("Account", robot), ("Post", #"{"id": 1, "author": 7}"#)],
            [("Post", #"{"id": 1, "author": 7, "by": \#(robot)}"#)],
        ] {
            let fixture = try fixture()
            let errors = documents.compactMap { fixture.mappingError($0.0, $0.1) }
            #expect(errors.count == 1)
            #expect(
                try fixture.rows(
                    "SELECT maker FROM Account WHERE maker IS NULL AND \"$reference\" IS NULL")
                    == [])
        }
    }

    @Test func `an entity in the middle goes by the mapper above it, for what is below it`() throws
    {
        var media = EntityDescription.numbered("Media")
        media.mapper = EntityMapper(
            key: "type", values: ["p": "Photo", "g": "Gif", "s": "Sound"])
        let fixture = try StoreFixture(
            media,
            EntityDescription(name: "Photo", parent: "Media", attributes: [.required("url")]),
            EntityDescription(
                name: "Gif", parent: "Photo", attributes: [.required("fps", .integer)]),
            EntityDescription(name: "Sound", parent: "Media"),
            .numbered(
                "User",
                relationships: [
                    RelationshipDescription("avatar", to: "Photo", isOptional: true, key: "avatar")
                ]))
        try fixture.insert(
            "User", #"{"id": 1, "avatar": {"type": "g", "id": 2, "url": "u", "fps": 9}}"#)
        try fixture.insert("Photo", #"{"type": "p", "id": 3, "url": "v"}"#)
        // What is no photo is not said to be one by the mapper.
        try fixture.insert("Photo", #"{"type": "s", "id": 4, "url": "w"}"#)
        let rows = #"SELECT id, "$entity", url, fps FROM Media ORDER BY id"#
        #expect(try fixture.rows(rows) == ["2|Gif|u|9", "3|Photo|v|NULL", "4|Photo|w|NULL"])
        let json = try fixture.store.json(DynamicQuery("Photo"))
        let copy = try StoreFixture(fixture.store.model)
        _ = try copy.store.import("Photo", from: json)
        #expect(try copy.rows(rows).first == "2|Gif|u|9")
    }

    @Test func `a bare identity leaves open which of the entities below it is of`() throws {
        func fixture() throws -> StoreFixture {
            var media = EntityDescription.numbered("Media")
            media.mapper = EntityMapper(key: "type", values: ["photo": "Photo"])
            return try StoreFixture(
                media,
                EntityDescription(name: "Photo", parent: "Media", attributes: [.required("url")]),
                .numbered(
                    "Post",
                    relationships: [
                        RelationshipDescription(
                            "media", to: "Media", isOptional: true, key: "media")
                    ]))
        }
        let photo = #"{"type": "photo", "id": 5, "url": "u"}"#
        let post = #"{"id": 1, "media": 5}"#
        let first = try fixture()
        try first.insert("Post", post)
        try first.insert("Media", photo)
        let second = try fixture()
        try second.insert("Media", photo)
        try second.insert("Post", post)
        let all = #"SELECT id, "$entity", url, "$reference" FROM Media"#
        #expect(try first.rows(all) == ["5|Photo|u|NULL"])
        #expect(try second.rows(all) == ["5|Photo|u|NULL"])
    }
}

/// A text that a key tells apart, and translations that a language does as well.
@Entity(
    mapper: EntityMapper(key: "type", values: ["memo": "Memo", "translation": "Translation"]))
private struct Leaflet {
    @Identity var key: String
}

@Entity(parent: Leaflet.self) private struct Memo {
    @Inherited var key: String
}

@Entity(parent: Leaflet.self) private struct Translation {
    @Inherited var key: String
    @Identity var language: String
}
