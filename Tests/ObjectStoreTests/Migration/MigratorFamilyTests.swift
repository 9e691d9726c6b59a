import Foundation
import Testing

@testable import LarderObjectStore

/// Models whose entities inherit, brought to other models.
struct MigratorFamilyTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private let json =
        #"[{"id":1,"kind":"text","text":"a"},{"id":2,"kind":"picture","text":"p","url":"u"},{"id":3}]"#

    private func message(
        _ attributes: AttributeDescription..., isAbstract: Bool = false,
        values: [String: String] = ["text": "Text", "picture": "Picture"]
    ) -> EntityDescription {
        EntityDescription(
            name: "Message", isAbstract: isAbstract, identity: ["id"],
            attributes: [.required("id", .integer)] + attributes,
            mapper: values.isEmpty ? nil : EntityMapper(key: "kind", values: values))
    }

    private func sub(
        _ name: String, of parent: String = "Message", _ attributes: AttributeDescription...,
        relationships: [RelationshipDescription] = [], renamedFrom: String? = nil
    ) -> EntityDescription {
        EntityDescription(
            name: name, parent: parent, attributes: attributes, relationships: relationships,
            renamedFrom: renamedFrom)
    }

    private var text: EntityDescription { sub("Text", .optional("text")) }
    private var picture: EntityDescription { sub("Picture", .required("url"), .optional("text")) }

    /// A family and an entity whose to-one and to-many relationships lead to it.
    private func makeLinked() throws {
        try fixture.make(message(), text, picture, reader(), inserting: ["Message": json])
        try fixture.make(
            message(), text, picture, reader(),
            inserting: ["Reader": #"[{"id":7,"last":2,"all":[2,1]}]"#])
    }

    private func reader(_ destination: String = "Message") -> EntityDescription {
        .numbered(
            "Reader",
            relationships: [
                RelationshipDescription("last", to: destination, isOptional: true, key: "last"),
                RelationshipDescription(
                    "all", to: destination, isToMany: true, isOrdered: true, key: "all"),
            ])
    }

    private func messages(_ columns: String) throws -> [String] {
        try fixture.rows("SELECT id, \"$entity\", \(columns) FROM Message ORDER BY id")
    }

    private var rootPage: [String] {
        get throws {
            try fixture.rows("SELECT rootpage FROM sqlite_schema WHERE name = 'Message'")
        }
    }

    // MARK: Growing

    @Test func `an entity gets its first sub-entity without being written anew`() throws {
        try fixture.make(message(values: [:]), inserting: ["Message": #"[{"id":1},{"id":2}]"#])
        let page = try rootPage
        try fixture.migrate(message(values: ["text": "Text"]), text)
        #expect(try messages("text") == ["1|Message|NULL", "2|Message|NULL"])
        #expect(try rootPage == page)
        try fixture.make(
            message(values: ["text": "Text"]), text,
            inserting: ["Message": #"[{"id":4,"kind":"text","text":"a"}]"#])
        #expect(try messages("text").last == "4|Text|a")
    }

    @Test func `a new sub-entity and new attributes are columns more`() throws {
        try fixture.make(
            message(values: ["text": "Text"]), text,
            inserting: ["Message": #"[{"id":1,"kind":"text","text":"a"},3]"#])
        let page = try rootPage
        try fixture.migrate(
            message(.optional("title")), sub("Text", .optional("text"), .optional("color")), picture
        )
        #expect(
            try messages("text, title, color, url") == [
                "1|Text|a|NULL|NULL|NULL", "3|Message|NULL|NULL|NULL|NULL",
            ])
        #expect(try rootPage == page)
    }

    @Test func `a new attribute with a default is given to the objects that have it`() throws {
        try fixture.make(message(), text, picture, inserting: ["Message": json])
        var stars = AttributeDescription.required("stars", .integer)
        stars.defaultValue = .integer(3)
        try fixture.migrate(message(), sub("Text", .optional("text"), stars), picture)
        #expect(
            try messages("text, stars") == [
                "1|Text|a|3", "2|Picture|p|NULL", "3|Message|NULL|NULL",
            ])
        var mark = AttributeDescription.required("mark")
        mark.defaultValue = .string("x")
        try fixture.migrate(message(mark), sub("Text", .optional("text"), stars), picture)
        #expect(try messages("mark") == ["1|Text|x", "2|Picture|x", "3|Message|x"])
    }

    @Test func `what a parent requires from now on is asked of all below it`() throws {
        try fixture.make(message(), text, picture, inserting: ["Message": json])
        #expect(
            try fixture.refusal(message(.required("title")), text, picture)
                == ["Message.title: objects without what is required now (3)"])
        #expect(
            try fixture.refusal(
                message(), sub("Text", .required("text"), .required("more")), picture)
                == ["Text.more: objects without what is required now (1)"])
        var options = MigrationOptions()
        options.version = 1
        options.steps = [
            Migration(from: 0, to: 1) { context in
                try context.map("Message") { old, new in
                    try new.set("title", "no. \(try old.value("id") ?? 0)")
                }
            }
        ]
        try fixture.migrate(message(.required("title")), text, picture, options: options)
        #expect(
            try messages("title") == ["1|Text|no. 1", "2|Picture|no. 2", "3|Message|no. 3"])
    }

    @Test func `a step goes through the objects of one sub-entity`() throws {
        try fixture.make(message(), text, picture, inserting: ["Message": json])
        var options = MigrationOptions()
        options.version = 1
        options.steps = [
            Migration(from: 0, to: 1) { context in
                try context.map("Text") { old, new in
                    try new.set("title", try old.value("text") ?? "")
                }
            }
        ]
        let (new, rest) = (message(.required("title"), isAbstract: true), picture)
        let losses = try fixture.refusal(new, text, rest, options: options)
        #expect(
            losses == [
                "Message: objects of an entity that has none of its own now (1)",
                "Message.title: objects without what is required now (2)",
            ])
    }

    // MARK: Renaming

    @Test func `a sub-entity and attributes of a family get other names`() throws {
        try makeLinked()
        var note = AttributeDescription.optional("note")
        note.renamedFrom = "text"
        var address = AttributeDescription.required("address")
        address.renamedFrom = "url"
        let values = ["text": "Words", "picture": "Picture"]
        try fixture.migrate(
            message(values: values), sub("Words", note, renamedFrom: "Text"),
            sub("Picture", address, .optional("text")), reader())
        #expect(
            try messages("note, address, text") == [
                "1|Words|a|NULL|NULL", "2|Picture|NULL|u|p", "3|Message|NULL|NULL|NULL",
            ])
        #expect(
            try fixture.rows("SELECT target FROM \"Reader.all\" ORDER BY position") == ["2", "1"])
    }

    @Test func `the parent gets another name, and the table with it`() throws {
        try makeLinked()
        var post = message()
        post.name = "Post"
        post.renamedFrom = "Message"
        try fixture.migrate(
            post, sub("Text", of: "Post", .optional("text")),
            sub("Picture", of: "Post", .required("url"), .optional("text")), reader("Post"))
        #expect(
            try fixture.rows("SELECT id, \"$entity\", text FROM Post ORDER BY id") == [
                "1|Text|a", "2|Picture|p", "3|Post|NULL",
            ])
        #expect(try fixture.rows("SELECT last FROM Reader") == ["2"])
        #expect(
            try fixture.rows("SELECT target FROM \"Reader.all\" ORDER BY position") == ["2", "1"])
    }

    @Test func `attributes go up to the parent and down from it`() throws {
        try fixture.make(message(), text, picture, inserting: ["Message": json])
        try fixture.migrate(
            message(.optional("text")), sub("Text"), sub("Picture", .required("url")))
        #expect(try messages("text") == ["1|Text|a", "2|Picture|p", "3|Message|NULL"])
        #expect(
            try fixture.refusal(message(), text, sub("Picture", .required("url")))
                == ["Message.text: the attribute is removed with its values (1)"])
        try fixture.migrate(message(), text, picture)
        #expect(try messages("text") == ["1|Text|a", "2|Picture|p", "3|Message|NULL"])
    }

    @Test func `a table of links takes the name of an index`() throws {
        func entities(isToMany: Bool) -> [EntityDescription] {
            let subs = ["Text", "Picture"].map { name in
                let isOwn = isToMany && name == "Picture"
                return EntityDescription(
                    name: name, parent: "Message",
                    relationships: [
                        RelationshipDescription(
                            "chat", to: "Chat", isToMany: isOwn, isOptional: !isOwn, key: "chat",
                            inverse: isOwn ? nil : "\(name)s")
                    ])
            }
            let inverses = (isToMany ? ["Text"] : ["Text", "Picture"]).map { name in
                RelationshipDescription(
                    "\(name)s", to: name, isToMany: true, key: "\(name)s", inverse: "chat")
            }
            return [message(), .numbered("Chat", relationships: inverses)] + subs
        }
        let (before, after) = (entities(isToMany: false), entities(isToMany: true))
        try fixture.make(
            before[0], before[1], before[2], before[3],
            inserting: [
                "Message": #"[{"id":1,"kind":"text","chat":7},{"id":2,"kind":"picture","chat":7}]"#
            ])
        try fixture.migrate(after[0], after[1], after[2], after[3])
        #expect(try messages("chat") == ["1|Text|7", "2|Picture|NULL"])
        #expect(try fixture.rows("SELECT source, target FROM \"Picture.chat\"") == ["2|7"])
    }

    // MARK: Losing

    @Test func `a removed sub-entity is lost with its objects and the links to them`() throws {
        try makeLinked()
        let values = ["text": "Text"]
        #expect(
            try fixture.refusal(message(values: values), text, reader())
                == ["Picture: the entity is removed with its objects (1)"])
        var options = MigrationOptions()
        options.allowedLosses = [.entity("Picture")]
        try fixture.migrate(message(values: values), text, reader(), options: options)
        #expect(try messages("text") == ["1|Text|a", "3|Message|NULL"])
        #expect(try fixture.rows("SELECT last FROM Reader") == ["NULL"])
        #expect(try fixture.rows("SELECT target FROM \"Reader.all\"") == ["1"])
    }

    @Test func `a sub-entity without columns of its own is removed too`() throws {
        let all = [message(values: ["text": "Text"]), sub("Text")]
        try fixture.make(all[0], all[1], inserting: ["Message": #"[{"id":1,"kind":"text"},2]"#])
        try fixture.make(all[0], all[1], sub("Other"))
        #expect(
            try fixture.refusal(message(values: [:]))
                == ["Text: the entity is removed with its objects (1)"])
        var options = MigrationOptions()
        options.allowedLosses = .all
        try fixture.migrate(message(values: [:]), sub("Other"), options: options)
        #expect(try fixture.rows("SELECT id, \"$entity\" FROM Message") == ["2|Message"])
        try fixture.migrate(message(values: [:]))
        #expect(try fixture.rows("SELECT id FROM Message") == ["2"])
    }

    @Test func `an attribute that a sibling still has is lost to the one that has it not`() throws {
        try fixture.make(message(), text, picture, inserting: ["Message": json])
        let bare = sub("Text")
        #expect(
            try fixture.refusal(message(), bare, picture)
                == ["Text.text: the attribute is removed with its values (1)"])
        var options = MigrationOptions()
        options.allowedLosses = [.attribute("Text.text")]
        try fixture.migrate(message(), bare, picture, options: options)
        #expect(try messages("text") == ["1|Text|NULL", "2|Picture|p", "3|Message|NULL"])
    }

    @Test func `an entity that comes into a family would lose its objects`() throws {
        try fixture.make(
            message(values: [:]), .numbered("Text", .optional("text")),
            inserting: ["Message": #"[{"id":1}]"#, "Text": #"[{"id":1,"text":"a"}]"#])
        let values = ["text": "Text"]
        #expect(
            try fixture.refusal(message(values: values), text)
                == ["Text: the entity is removed with its objects (1)"])
        var options = MigrationOptions()
        options.version = 1
        options.steps = [
            Migration(from: 0, to: 1, resolving: [.entity("Text")]) { context in
                let rows = try context.rows("SELECT id + 10, text FROM Text")
                context.atEnd {
                    for row in rows {
                        try context.execute(
                            "INSERT INTO Message (\"$entity\", id, text) VALUES ('Text', ?, ?)",
                            row[0], row[1])
                    }
                }
            }
        ]
        try fixture.migrate(message(values: values), text, options: options)
        #expect(try messages("text") == ["1|Message|NULL", "11|Text|a"])
    }

    @Test func `an entity without objects comes into a family, and leaves it`() throws {
        try fixture.make(
            message(values: [:]), .numbered("Text", .optional("text")),
            inserting: ["Message": #"[{"id":1}]"#])
        try fixture.migrate(message(values: ["text": "Text"]), text)
        try fixture.migrate(message(values: [:]), .numbered("Text", .optional("text")))
        #expect(try fixture.rows("SELECT id FROM Message") == ["1"])
    }

    // MARK: Other parents

    @Test func `an entity gets a parent and keeps its objects`() throws {
        try fixture.make(
            .numbered("Text", .optional("text")), reader("Text"),
            inserting: ["Text": #"[{"id":1,"text":"a"},{"id":2}]"#])
        try fixture.make(
            .numbered("Text", .optional("text")), reader("Text"),
            inserting: ["Reader": #"[{"id":7,"last":2,"all":[2,1]}]"#])
        let parent = message(.optional("title"), isAbstract: true)
        try fixture.migrate(parent, text, picture, reader("Text"))
        #expect(try messages("text, title") == ["1|Text|a|NULL", "2|Text|NULL|NULL"])
        #expect(try fixture.rows("SELECT last FROM Reader") == ["2"])
        #expect(
            try fixture.rows("SELECT target FROM \"Reader.all\" ORDER BY position") == ["2", "1"])
        #expect(
            try fixture.refusal(
                message(.required("title"), isAbstract: true), text, picture, reader("Text"))
                == ["Message.title: objects without what is required now (2)"])
    }

    @Test func `a parent goes, and each sub-entity has its own table`() throws {
        try fixture.make(
            message(isAbstract: true), text, picture,
            inserting: ["Message": #"[{"id":1,"kind":"text"},{"id":2,"kind":"picture","url":"u"}]"#]
        )
        try fixture.migrate(
            .numbered("Text", .optional("text")),
            .numbered("Picture", .required("url"), .optional("text")))
        #expect(try fixture.rows("SELECT id FROM Text") == ["1"])
        #expect(try fixture.rows("SELECT id, url FROM Picture") == ["2|u"])
    }

    @Test func `an entity between two others comes and goes`() throws {
        try fixture.make(message(), text, picture, inserting: ["Message": json])
        let visual = sub("Visual", .optional("width", .integer))
        try fixture.migrate(
            message(), text, visual,
            sub("Picture", of: "Visual", .required("url"), .optional("text")))
        #expect(try messages("url, width").dropFirst().first == "2|Picture|u|NULL")
        try fixture.migrate(message(), text, picture)
        #expect(try messages("url").dropFirst().first == "2|Picture|u")
    }

    @Test func `a concrete parent with objects does not become abstract by itself`() throws {
        try fixture.make(
            message(.optional("note")), text, picture,
            inserting: ["Message": #"[{"id":1,"note":"n"},{"id":2,"kind":"text"}]"#])
        #expect(
            try fixture.refusal(message(.optional("note"), isAbstract: true), text, picture)
                == ["Message: objects of an entity that has none of its own now (1)"])
    }

    // MARK: Identities

    @Test func `a family gets another identity, and links follow`() throws {
        func parent(_ identity: String) -> EntityDescription {
            EntityDescription(
                name: "Message", identity: [identity],
                attributes: [.required("id", .integer), .required("code")],
                mapper: EntityMapper(key: "kind", values: ["text": "Text", "picture": "Picture"]))
        }
        let objects =
            #"[{"id":1,"code":"x","kind":"text"},{"id":2,"code":"y","kind":"picture","url":"u"}]"#
        try fixture.make(
            parent("code"), text, picture, reader(),
            inserting: ["Message": objects, "Reader": #"[{"id":7,"last":"y","all":["y","x"]}]"#])
        try fixture.migrate(parent("id"), text, picture, reader())
        #expect(try messages("code") == ["1|Text|x", "2|Picture|y"])
        try fixture.migrate(parent("code"), text, picture, reader())
        try fixture.make(
            parent("code"), text, picture, reader(),
            inserting: ["Message": #"[{"id":1,"code":"z","kind":"text"}]"#])
        #expect(
            try fixture.rows("SELECT m.code FROM Reader JOIN Message AS m ON last = m.\"$id\"") == [
                "y"
            ])
        #expect(
            try fixture.refusal(parent("id"), text, picture, reader())
                == ["Message: objects that are the same under the new identity (1)"])
    }

    @Test func `names that SQL knows are names like others`() throws {
        let root = EntityDescription(
            name: "sel\"ect", identity: ["order by"],
            attributes: [.required("order by", .integer)],
            mapper: EntityMapper(key: "k", values: ["x": "it's"]))
        let sub = EntityDescription(
            name: "it's", parent: "sel\"ect", attributes: [.optional("💥"), .optional("group")])
        try fixture.make(
            root, sub, inserting: ["sel\"ect": #"[{"order by":1,"k":"x","💥":"b"}]"#])
        var other = sub
        other.name = "it''s"
        other.renamedFrom = "it's"
        var renamed = root
        renamed.mapper = EntityMapper(key: "k", values: ["x": "it''s"])
        try fixture.migrate(renamed, other)
        #expect(
            try fixture.rows("SELECT \"$entity\", \"💥\" FROM \"sel\"\"ect\"") == ["it''s|b"])
    }
}
