import Testing

@testable import LarderObjectStore

/// Objects of families that go or become one, and others that can't be without them.
struct MigratorReferencesTests {
    private let fixture: MigrationFixture

    init() throws { fixture = try MigrationFixture() }

    private func message(_ identity: String = "id", _ names: String...) -> EntityDescription {
        EntityDescription(
            name: "Message", isAbstract: true, identity: [identity],
            attributes: [.required("id"), .required("code")],
            mapper: EntityMapper(
                key: "kind", values: Dictionary(uniqueKeysWithValues: names.map { ($0, $0) })))
    }

    private func sub(_ name: String) -> EntityDescription {
        EntityDescription(name: name, parent: "Message", attributes: [.optional("text")])
    }

    private func comment(to destination: String = "Message") -> EntityDescription {
        .numbered(
            "Comment",
            relationships: [RelationshipDescription("about", to: destination, key: "about")])
    }

    private var allowingAll: MigrationOptions {
        var options = MigrationOptions()
        options.allowedLosses = .all
        return options
    }

    private func check(_ entities: EntityDescription...) throws {
        let store = try Store(at: fixture.path, model: Model(name: "Test", entities: entities))
        #expect(try store.checkIntegrity().description == "ok")
        for entity in entities { _ = try store.fetch(DynamicQuery(entity.name)) }
    }

    @Test func `what must lead to an object of a removed sub-entity becomes a reference`() throws {
        try fixture.make(
            message("id", "Text", "Picture"), sub("Text"), sub("Picture"), comment(),
            inserting: [
                "Comment": #"""
                [{"id": 1, "about": {"kind": "Text", "id": "1", "code": "a"}},
                 {"id": 2, "about": {"kind": "Picture", "id": "2", "code": "b"}}]
                """#
            ])
        let after = (message("id", "Text"), sub("Text"), comment())
        #expect(
            try fixture.refusal(after.0, after.1, after.2) == [
                "Comment.about: objects without what is required now (1)",
                "Picture: the entity is removed with its objects (1)",
            ])
        var options = MigrationOptions()
        options.allowedLosses = [.entity("Picture")]
        #expect(
            try fixture.refusal(after.0, after.1, after.2, options: options)
                == ["Comment.about: objects without what is required now (1)"])
        try fixture.migrate(after.0, after.1, after.2, options: allowingAll)
        #expect(
            try fixture.rows("SELECT id, about, \"$reference\" FROM Comment ORDER BY id")
                == ["1|1|NULL", "2|NULL|1"])
        try check(after.0, after.1, after.2)
    }

    @Test func `objects of two sub-entities can become one`() throws {
        let objects = #"""
            [{"kind": "Text", "id": "1", "code": "x"}, {"kind": "Picture", "id": "2", "code": "x"},
             {"kind": "Text", "id": "3", "code": "x"}, {"kind": "Picture", "id": "4", "code": "y"}]
            """#
        try fixture.make(
            message("id", "Text", "Picture"), sub("Text"), sub("Picture"), comment(to: "Picture"),
            inserting: [
                "Message": objects,
                "Comment": #"[{"id": 1, "about": "2"}, {"id": 2, "about": "4"}]"#,
            ])
        let after = (
            message("code", "Text", "Picture"), sub("Text"), sub("Picture"), comment(to: "Picture")
        )
        #expect(
            try fixture.refusal(after.0, after.1, after.2, after.3) == [
                "Comment.about: objects without what is required now (1)",
                "Message: objects that are the same under the new identity (2)",
            ])
        try fixture.migrate(after.0, after.1, after.2, after.3, options: allowingAll)
        #expect(
            try fixture.rows("SELECT \"$entity\", id, code FROM Message ORDER BY id")
                == ["Text|3|x", "Picture|4|y"])
        // A text is no picture.
        #expect(
            try fixture.rows("SELECT about IS NULL, \"$reference\" FROM Comment ORDER BY id")
                == ["1|1", "0|NULL"])
        try check(after.0, after.1, after.2, after.3)
    }

    @Test func `an identity that changes with the parent is looked at`() throws {
        let objects = #"[{"id": "1", "code": "x"}, {"id": "2", "code": "x"}]"#
        try fixture.make(message("id", "Text"), sub("Text"), inserting: ["Text": objects])
        var (root, text) = (message("code", "Text"), sub("Text"))
        root.name = "Item"
        text.parent = "Item"
        #expect(
            try fixture.refusal(root, text)
                == ["Text: objects that are the same under the new identity (1)"])
    }

    @Test func `references of two sub-entities that become one are not lost silently`() throws {
        func album() -> EntityDescription {
            .numbered(
                "Album",
                relationships: [
                    RelationshipDescription("texts", to: "Text", isToMany: true, key: "texts"),
                    RelationshipDescription(
                        "pictures", to: "Picture", isToMany: true, key: "pictures"),
                    RelationshipDescription("cover", to: "Picture", isOptional: true, key: "cover"),
                ])
        }
        func own(_ name: String) -> EntityDescription {
            EntityDescription(
                name: name, parent: "Item", identity: ["id"],
                attributes: [.required("id", .integer), .optional("text")])
        }
        func shared(_ name: String) -> EntityDescription {
            EntityDescription(name: name, parent: "Item", attributes: [.optional("text")])
        }
        let before = EntityDescription(
            name: "Item", isAbstract: true, attributes: [.optional("title")])
        let after = EntityDescription(
            name: "Item", isAbstract: true, identity: ["id"],
            attributes: [.required("id", .integer), .optional("title")])
        try fixture.make(
            before, own("Text"), own("Picture"), album(),
            inserting: [
                "Album": #"[{"id":1,"texts":[1,2],"pictures":[2,3],"cover":3},{"id":2,"cover":1}]"#
            ])
        // The texts 1 and 2 are the pictures 1 and 2 from now on, one of which each has to go.
        #expect(
            try fixture.refusal(after, shared("Text"), shared("Picture"), album())
                == ["Item: objects that are the same under the new identity (2)"])
    }

    @Test(arguments: [false, true])
    func `an entity between others can give them an identity in common`(_ isBetween: Bool) throws {
        func own(_ name: String) -> EntityDescription {
            EntityDescription(
                name: name, parent: "Item", identity: ["id"],
                attributes: [.required("id", .integer), .optional("text")])
        }
        func shared(_ name: String, _ parent: String) -> EntityDescription {
            EntityDescription(name: name, parent: parent, attributes: [.optional("more")])
        }
        let item = EntityDescription(
            name: "Item", isAbstract: true, attributes: [.optional("title")])
        try fixture.make(
            item, own("Text"), own("Picture"),
            inserting: [
                "Text": #"[{"id": 1, "text": "t"}, {"id": 2}]"#,
                "Picture": #"[{"id": 1, "text": "p"}, {"id": 3}]"#,
            ])
        let after =
            isBetween
            ? [item, own("File"), shared("Text", "File"), shared("Picture", "File")]
            : [item, own("Text"), shared("Picture", "Text")]
        let model = try Model(name: "Test", entities: after)
        let refusal = try #require(
            #expect(throws: MigrationError.self) { try Store(at: fixture.path, model: model) })
        #expect(
            refusal.losses.contains {
                $0.description.hasSuffix("objects that are the same under the new identity (1)")
            })
        var configuration = Store.Configuration()
        configuration.migration.allowedLosses = .all
        let store = try Store(at: fixture.path, model: model, configuration: configuration)
        #expect(try store.checkIntegrity().description == "ok")
        #expect(try fixture.rows("SELECT id FROM Item ORDER BY 1") == ["1", "2", "3"])
    }

    @Test func `what a step inserts at the end without what is required is a reference`() throws {
        let doc = EntityDescription.numbered("Doc")
        let project = EntityDescription.numbered("Project", .required("name"))
        try fixture.make(doc, inserting: ["Doc": #"[{"id":1}]"#])
        var options = MigrationOptions()
        options.version = 1
        options.steps = [
            Migration(from: 0, to: 1) { context in
                context.atEnd {
                    try context.execute("INSERT INTO Project (id, name) VALUES (7, NULL), (8, 'a')")
                }
            }
        ]
        try fixture.migrate(doc, project, options: options)
        #expect(
            try fixture.rows(#"SELECT id, "$reference" FROM Project"#) == ["7|1", "8|NULL"])
    }

    @Test(arguments: [false, true])
    func `what steps fill by SQL at the end is an object`(_ isRelationship: Bool) throws {
        let project = EntityDescription.numbered("Project")
        let before = EntityDescription.numbered("Doc", .optional("title"))
        var after = before
        if isRelationship {
            after.relationships = [
                RelationshipDescription("project", to: "Project", key: "project")
            ]
        } else {
            after.attributes.append(.required("code"))
        }
        try fixture.make(before, project, inserting: ["Doc": #"[{"id":1},{"id":2},{"id":3}]"#])
        let part = isRelationship ? ModelPart.relationship("Doc.project") : .attribute("Doc.code")
        var options = MigrationOptions()
        options.version = 1
        options.steps = [
            Migration(from: 0, to: 1, resolving: [part]) { context in
                context.atEnd {
                    try context.execute("INSERT INTO Project (id) VALUES (7)")
                    try context.execute(
                        "UPDATE Doc SET \(isRelationship ? "project" : "code") = 7 WHERE id < 3")
                }
            }
        ]
        try fixture.migrate(after, project, options: options)
        #expect(
            try fixture.rows(#"SELECT id, "$reference" FROM Doc"#) == ["1|NULL", "2|NULL", "3|1"])
    }

    @Test(arguments: [false, true])
    func `links to an entity can lead to its parent from now on`(_ isRenumbered: Bool) throws {
        func doc(to destination: String) -> EntityDescription {
            .numbered(
                "Doc",
                relationships: [
                    RelationshipDescription("author", to: destination, key: "author"),
                    RelationshipDescription(
                        "readers", to: destination, isToMany: true, isOrdered: true, key: "readers"),
                ])
        }
        let person = EntityDescription(
            name: "Person", identity: ["id"],
            attributes: [.required("id", .integer), .required("name")])
        try fixture.make(
            person, doc(to: "Person"),
            inserting: [
                "Doc": #"""
                [{"id": 1, "author": {"id": 5, "name": "Ann"}, "readers": [{"id": 4, "name": "Bob"}, 5]},
                 {"id": 2, "author": 7, "readers": [5, 8, 4]}]
                """#
            ])
        let account = EntityDescription(
            name: "Account", isAbstract: true, identity: ["id"],
            attributes: [.required("id", isRenumbered ? .string : .integer)])
        try fixture.migrate(
            account,
            EntityDescription(name: "Person", parent: "Account", attributes: [.required("name")]),
            doc(to: "Account"))
        let authors = """
            SELECT d.id, a.id, a."$entity", a."$reference" FROM Doc d
            JOIN Account a ON d.author = a.\(isRenumbered ? "rowid" : "id") ORDER BY 1
            """
        #expect(try fixture.rows(authors) == ["1|5|Person|NULL", "2|7|Person|1"])
        let readers = """
            SELECT l.source, a.id FROM "Doc.readers" l
            JOIN Account a ON l.target = a.\(isRenumbered ? "rowid" : "id") ORDER BY 1, position
            """
        #expect(try fixture.rows(readers) == ["1|4", "1|5", "2|5", "2|8", "2|4"])
    }

    @Test(arguments: [false, true])
    func `links to what has moved out from below their destination are told`(
        _ isRenumbered: Bool
    ) throws {
        func account(_ type: AttributeType) -> EntityDescription {
            EntityDescription(
                name: "Account", identity: ["id"], attributes: [.required("id", type)],
                mapper: EntityMapper(key: "kind", values: ["p": "Person", "a": "Admin"]))
        }
        let person = EntityDescription(
            name: "Person", parent: "Account", attributes: [.required("name")])
        let doc = EntityDescription.numbered(
            "Doc",
            relationships: [
                RelationshipDescription("author", to: "Person", isOptional: true, key: "author"),
                RelationshipDescription("owner", to: "Person", key: "owner"),
                RelationshipDescription("readers", to: "Person", isToMany: true, key: "readers"),
            ])
        try fixture.make(
            account(.integer), person, EntityDescription(name: "Admin", parent: "Person"), doc,
            inserting: [
                "Account": #"""
                [{"id": 4, "kind": "p", "name": "Bob"}, {"id": 5, "kind": "a", "name": "Ann"}]
                """#,
                "Doc": #"""
                [{"id": 1, "author": 5, "owner": 4, "readers": [4, 5]},
                 {"id": 2, "author": 4, "owner": 5}]
                """#,
            ])
        let admin = EntityDescription(
            name: "Admin", parent: "Account", attributes: [.required("name")])
        let after = (account(isRenumbered ? .string : .integer), person, admin, doc)
        #expect(
            try fixture.refusal(after.0, after.1, after.2, after.3) == [
                "Doc.owner: objects without what is required now (1)",
                "Doc.author: links to objects of another entity (1)",
                "Doc.owner: links to objects of another entity (1)",
                "Doc.readers: links to objects of another entity (1)",
            ])
        try fixture.migrate(after.0, after.1, after.2, after.3, options: allowingAll)
        let row = isRenumbered ? "rowid" : "id"
        #expect(
            try fixture.rows(
                """
                SELECT d.id, a.id, o.id, d."$reference" FROM Doc d
                LEFT JOIN Account a ON d.author = a.\(row)
                LEFT JOIN Account o ON d.owner = o.\(row) ORDER BY 1
                """) == ["1|NULL|4|NULL", "2|4|NULL|1"])
        #expect(
            try fixture.rows(
                #"SELECT l.source, a.id FROM "Doc.readers" l JOIN Account a ON l.target = a.\#(row)"#
            )
                == ["1|4"])
        try check(after.0, after.1, after.2, after.3)
    }

    @Test func `what an entity that becomes abstract leaves is a reference`() throws {
        func media(isAbstract: Bool) -> EntityDescription {
            EntityDescription(
                name: "Media", isAbstract: isAbstract, identity: ["id"],
                attributes: [.required("id", .integer)],
                mapper: EntityMapper(key: "kind", values: ["photo": "Photo"]))
        }
        let photo = EntityDescription(
            name: "Photo", parent: "Media", attributes: [.required("url")])
        let post = EntityDescription.numbered(
            "Post",
            relationships: [
                RelationshipDescription("photo", to: "Photo", isOptional: true, key: "photo")
            ])
        try fixture.make(
            media(isAbstract: false), photo, post, inserting: ["Media": #"[{"id":5}]"#])
        try fixture.migrate(media(isAbstract: true), photo, post, options: allowingAll)
        #expect(
            try fixture.rows(#"SELECT id, "$entity", "$reference" FROM Media"#) == ["5|Media|1"])
        // It may turn out to be one of another entity, of which nothing has arrived.
        try fixture.make(
            media(isAbstract: true), photo, post, inserting: ["Post": #"[{"id":9,"photo":5}]"#])
        #expect(
            try fixture.rows(#"SELECT id, "$entity", "$reference" FROM Media"#) == ["5|Photo|1"])
    }

    @Test func `a reference becomes an object where its identity is all that there is left`() throws
    {
        let post = EntityDescription.numbered(
            "Post",
            relationships: [
                RelationshipDescription("tags", to: "Tag", isToMany: true, key: "tags")
            ])
        try fixture.make(
            .numbered("Tag", .required("name")), post,
            inserting: ["Post": #"[{"id":1,"tags":[7,8]}]"#])
        try fixture.migrate(.numbered("Tag"), post, options: allowingAll)
        #expect(try fixture.rows(#"SELECT id, "$reference" FROM Tag"#) == ["7|NULL", "8|NULL"])
    }
}
