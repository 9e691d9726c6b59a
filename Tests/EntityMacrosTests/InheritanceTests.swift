import Testing

@Suite struct InheritanceTests {
    @Test func `writes parent, inherited properties and what reads and hands them over`() {
        expectExpansion(
            """
            @Entity(parent: Message.self, renamedFrom: "Text") struct TextMessage {
                @Inherited var id: Int
                var text: String
                @Inherited var author: One<User>?
                @Inherited var tags: Many<Tag>
                @Inherited var sentAt: Date?
                var thread: One<Thread>
            }
            """,
            """
            struct TextMessage {
                var id: Int
                var text: String
                var author: One<User>?
                var tags: Many<Tag>
                var sentAt: Date?
                var thread: One<Thread>

                nonisolated static var entityName: Swift.String { "TextMessage" }

                nonisolated static var parentType: (any LarderObjectStore.Entity.Type)? { Message.self }

                nonisolated static let inheritedProperties: [LarderObjectStore.InheritedProperty] = [
                    .attribute("id", Int.self),
                    .one("author", to: User.entityName, isOptional: true),
                    .many("tags", to: Tag.entityName),
                    .attribute("sentAt", Date?.self),
                ]

                nonisolated static let entityDescription = LarderObjectStore.EntityDescription(
                    name: Self.entityName,
                    parent: Message.entityName,
                    identity: [],
                    attributes: [
                        LarderObjectStore.AttributeDescription("text", String.self, key: "text"),
                    ],
                    relationships: [
                        LarderObjectStore.RelationshipDescription("thread", \
            to: Thread.entityName, key: "thread"),
                    ],
                    renamedFrom: "Text"
                )

                nonisolated struct Columns: LarderObjectStore.EntityColumns {
                    private let columnPath: LarderObjectStore.ColumnPath

                    init(path: LarderObjectStore.ColumnPath) {
                        columnPath = path
                    }

                    var id: LarderObjectStore.Column<Int> { .init(columnPath, "id") }
                    var text: LarderObjectStore.Column<String> { .init(columnPath, "text") }
                    var author: LarderObjectStore.ToOneColumn<User> { .init(columnPath, "author") }
                    var tags: LarderObjectStore.ToManyColumn<Tag> { .init(columnPath, "tags") }
                    var sentAt: LarderObjectStore.Column<Date?> { .init(columnPath, "sentAt") }
                    var thread: LarderObjectStore.ToOneColumn<Thread> { .init(columnPath, "thread") }
                }

                typealias ObjectID = Message.ObjectID
            }

            extension TextMessage: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        id: try row.attribute(inherited: 0),
                        text: try row.attribute(0),
                        author: try row.one(inherited: 1),
                        tags: row.many("tags"),
                        sentAt: try row.attribute(inherited: 2),
                        thread: try row.one(0))
                }

                nonisolated func write(to values: inout LarderObjectStore.EntityValues) throws {
                    try values.attribute(inherited: 0, self.id)
                    try values.attribute(0, self.text)
                    try values.one(inherited: 1, self.author)
                    try values.many("tags", self.tags)
                    try values.attribute(inherited: 2, self.sentAt)
                    try values.one(0, self.thread)
                }
            }
            """)
    }

    @Test func `passes on what the description says of a family`() {
        let body = """
                var x: Int
                struct Columns {}; typealias ObjectID = Int
                init(row: EntityRow) {}
                func write(to values: inout EntityValues) {}
            """
        expectExpansion(
            """
            @Entity(abstract: true, mapper: .init(key: "type", values: [:]), transformer: .flat) \
            struct Thing {
            \(body)
            }
            """,
            """
            struct Thing {
            \(body)

                nonisolated static var entityName: Swift.String { "Thing" }

                nonisolated static let entityDescription = LarderObjectStore.EntityDescription(
                    name: Self.entityName,
                    isAbstract: true,
                    identity: [],
                    attributes: [
                        LarderObjectStore.AttributeDescription("x", Int.self, key: "x"),
                    ],
                    relationships: [],
                    mapper: .init(key: "type", values: [:]),
                    transformer: .flat
                )
            }

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {}
            """)
    }

    @Test func `leaves out parent and inherited properties that are written by hand`() {
        let body = """
                @Inherited var x: Int
                static let parentType: (any Entity.Type)? = Other.self
                static var inheritedProperties: [InheritedProperty] { [] }
                static let entityDescription = description
                static let entityName = "Thing"
                struct Columns {}; typealias ObjectID = Int
                init(row: EntityRow) {}
                func write(to values: inout EntityValues) {}
            """
        expectExpansion(
            """
            @Entity(parent: Other.self) struct Thing {
            \(body)
            }
            """,
            """
            struct Thing {
            \(body.replacing("@Inherited ", with: ""))
            }

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {}
            """)
    }

    // MARK: Refusals

    @Test func `refuses to inherit without a parent`() {
        expectRefusal(
            """
            @Entity struct Thing {
                @Inherited var x: Int
            }
            """,
            .at(
                2, 5, "'x' has nothing to be inherited from; name a 'parent' in '@Entity'",
                fixes: [
                    "remove '@Inherited'": """
                    @Entity struct Thing {
                        var x: Int
                    }
                    """
                ]))
    }

    @Test(arguments: [("Identity", "Int"), ("Attribute", "Int"), ("Relationship", "One<User>")])
    func `refuses to say of a property what its parent says`(marker: String, type: String) {
        expectRefusal(
            """
            @Entity(parent: Other.self) struct Thing {
                @Inherited @\(marker) var x: \(type)
            }
            """,
            .at(
                2, 16,
                "'x' is inherited with all that is said of it; '@\(marker)' is the parent's",
                fixes: [
                    "remove '@\(marker)'": """
                    @Entity(parent: Other.self) struct Thing {
                        @Inherited var x: \(type)
                    }
                    """
                ]))
    }

    @Test func `refuses a default of what is inherited, but not nil`() {
        expectRefusal(
            """
            @Entity(parent: Other.self) struct Thing {
                @Inherited var x: Int = 1
                @Inherited var y: Int? = nil
            }
            """,
            .at(
                2, 29, "'x' is inherited, and its default is the parent's",
                fixes: [
                    "remove the default": """
                    @Entity(parent: Other.self) struct Thing {
                        @Inherited var x: Int
                        @Inherited var y: Int? = nil
                    }
                    """
                ]))
    }

    @Test func `refuses a parent that is not spelled as a type`() {
        expectRefusal(
            """
            @Entity(parent: Message) struct Thing {
                var x: Int
            }
            """,
            .at(
                1, 17, "'parent' must be spelled as a type, such as 'Message.self'",
                fixes: [
                    "use 'Message.self'": """
                    @Entity(parent: Message.self) struct Thing {
                        var x: Int
                    }
                    """
                ]))
        expectRefusal(
            """
            @Entity(parent: Types.message) struct Thing {
                var x: Int
            }
            """,
            .at(1, 17, "'parent' must be spelled as a type, such as 'Message.self'"))
    }

    @Test func `refuses a struct as its own parent`() {
        expectRefusal(
            """
            @Entity(parent: Thing.self) struct Thing {
                var x: Int
            }
            """,
            .at(1, 17, "entity 'Thing' cannot inherit from itself"))
    }

    @Test(arguments: ["[]", "[\"a\"]", "Tags.none"])
    func `refuses a default of what is kept as JSON`(value: String) {
        expectRefusal(
            """
            @Entity struct Thing {
                var x: [String] = \(value)
            }
            """,
            .at(
                2, 23, "'x' is kept as JSON, which has no default in the model",
                fixes: [
                    "remove the default": """
                    @Entity struct Thing {
                        var x: [String]
                    }
                    """
                ]))
    }
}
