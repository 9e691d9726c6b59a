import Testing

@Suite struct EntityMacroTests {
    @Test func `writes name, description, columns and initializer`() {
        expectExpansion(
            """
            @Entity struct Issue {
                @Identity var id: Int
                var title: String
                var body: String?
                @Attribute("created_at", .iso8601) var createdAt: Date
                var locked = false
                var user: One<User>
                var milestone: One<Milestone>?
                var labels: Many<Label>
            }
            """,
            """
            struct Issue {
                var id: Int
                var title: String
                var body: String?
                var createdAt: Date
                var locked = false
                var user: One<User>
                var milestone: One<Milestone>?
                var labels: Many<Label>

                nonisolated static var entityName: Swift.String { "Issue" }

                nonisolated static let entityDescription = LarderObjectStore.EntityDescription(
                    name: Self.entityName,
                    identity: ["id"],
                    attributes: [
                        LarderObjectStore.AttributeDescription("id", Int.self, key: "id"),
                        LarderObjectStore.AttributeDescription("title", String.self, key: "title"),
                        LarderObjectStore.AttributeDescription("body", String?.self, key: "body"),
                        LarderObjectStore.AttributeDescription("createdAt", Date.self, \
            key: "created_at", transformer: .iso8601),
                        LarderObjectStore.AttributeDescription("locked", Bool.self, key: "locked", \
            default: false),
                    ],
                    relationships: [
                        LarderObjectStore.RelationshipDescription("user", to: User.entityName, \
            key: "user"),
                        LarderObjectStore.RelationshipDescription("milestone", \
            to: Milestone.entityName, isOptional: true, key: "milestone"),
                        LarderObjectStore.RelationshipDescription("labels", to: Label.entityName, \
            isToMany: true, isOrdered: true, key: "labels"),
                    ]
                )

                nonisolated struct Columns: LarderObjectStore.EntityColumns {
                    private let columnPath: LarderObjectStore.ColumnPath

                    init(path: LarderObjectStore.ColumnPath) {
                        columnPath = path
                    }

                    var id: LarderObjectStore.Column<Int> { .init(columnPath, "id") }
                    var title: LarderObjectStore.Column<String> { .init(columnPath, "title") }
                    var body: LarderObjectStore.Column<String?> { .init(columnPath, "body") }
                    var createdAt: LarderObjectStore.Column<Date> { .init(columnPath, "createdAt") }
                    var locked: LarderObjectStore.Column<Bool> { .init(columnPath, "locked") }
                    var user: LarderObjectStore.ToOneColumn<User> { .init(columnPath, "user") }
                    var milestone: LarderObjectStore.ToOneColumn<Milestone> \
            { .init(columnPath, "milestone") }
                    var labels: LarderObjectStore.ToManyColumn<Label> { .init(columnPath, "labels") }
                }

                typealias ObjectID = Int
            }

            extension Issue: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        id: try row.attribute(0),
                        title: try row.attribute(1),
                        body: try row.attribute(2),
                        createdAt: try row.attribute(3),
                        locked: try row.attribute(4),
                        user: try row.one(0),
                        milestone: try row.one(1),
                        labels: row.many("labels"))
                }

                nonisolated func write(to values: inout LarderObjectStore.EntityValues) throws {
                    try values.attribute(0, self.id)
                    try values.attribute(1, self.title)
                    try values.attribute(2, self.body)
                    try values.attribute(3, self.createdAt)
                    try values.attribute(4, self.locked)
                    try values.one(0, self.user)
                    try values.one(1, self.milestone)
                    try values.many("labels", self.labels)
                }
            }
            """)
    }

    @Test func `takes name, style of keys and earlier name from its arguments`() {
        expectExpansion(
            """
            @Entity("Ticket", keys: .snakeCase, renamedFrom: "Bug") struct Issue {
                @Identity var nodeID: Int
                @Attribute("htmlURL") var htmlURL: URL
                var assignedTo: One<User>
            }
            """,
            """
            struct Issue {
                var nodeID: Int
                var htmlURL: URL
                var assignedTo: One<User>

                nonisolated static var entityName: Swift.String { "Ticket" }

                nonisolated static let entityDescription = LarderObjectStore.EntityDescription(
                    name: Self.entityName,
                    identity: ["nodeID"],
                    attributes: [
                        LarderObjectStore.AttributeDescription("nodeID", Int.self, key: "node_id"),
                        LarderObjectStore.AttributeDescription("htmlURL", URL.self, key: "htmlURL"),
                    ],
                    relationships: [
                        LarderObjectStore.RelationshipDescription("assignedTo", \
            to: User.entityName, key: "assigned_to"),
                    ],
                    renamedFrom: "Bug"
                )

                nonisolated struct Columns: LarderObjectStore.EntityColumns {
                    private let columnPath: LarderObjectStore.ColumnPath

                    init(path: LarderObjectStore.ColumnPath) {
                        columnPath = path
                    }

                    var nodeID: LarderObjectStore.Column<Int> { .init(columnPath, "nodeID") }
                    var htmlURL: LarderObjectStore.Column<URL> { .init(columnPath, "htmlURL") }
                    var assignedTo: LarderObjectStore.ToOneColumn<User> \
            { .init(columnPath, "assignedTo") }
                }

                typealias ObjectID = Int
            }

            extension Issue: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        nodeID: try row.attribute(0),
                        htmlURL: try row.attribute(1),
                        assignedTo: try row.one(0))
                }

                nonisolated func write(to values: inout LarderObjectStore.EntityValues) throws {
                    try values.attribute(0, self.nodeID)
                    try values.attribute(1, self.htmlURL)
                    try values.one(0, self.assignedTo)
                }
            }
            """)
    }

    @Test func `gives members the level of the struct and columns that of their properties`() {
        expectExpansion(
            """
            @Entity public struct Label {
                public private(set) var name: String
                package var color: String
                var note: String
                private var hidden: Bool
            }
            """,
            """
            public struct Label {
                public private(set) var name: String
                package var color: String
                var note: String
                private var hidden: Bool

                public nonisolated static var entityName: Swift.String { "Label" }

                public nonisolated static let entityDescription = LarderObjectStore.EntityDescription(
                    name: Self.entityName,
                    identity: [],
                    attributes: [
                        LarderObjectStore.AttributeDescription("name", String.self, key: "name"),
                        LarderObjectStore.AttributeDescription("color", String.self, key: "color"),
                        LarderObjectStore.AttributeDescription("note", String.self, key: "note"),
                        LarderObjectStore.AttributeDescription("hidden", Bool.self, key: "hidden"),
                    ],
                    relationships: []
                )

                public nonisolated struct Columns: LarderObjectStore.EntityColumns {
                    private let columnPath: LarderObjectStore.ColumnPath

                    public init(path: LarderObjectStore.ColumnPath) {
                        columnPath = path
                    }

                    public var name: LarderObjectStore.Column<String> { .init(columnPath, "name") }
                    package var color: LarderObjectStore.Column<String> { .init(columnPath, "color") }
                    var note: LarderObjectStore.Column<String> { .init(columnPath, "note") }
                    fileprivate var hidden: LarderObjectStore.Column<Bool> \
            { .init(columnPath, "hidden") }
                }

                public typealias ObjectID = Swift.Never
            }

            extension Label: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                public nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        name: try row.attribute(0),
                        color: try row.attribute(1),
                        note: try row.attribute(2),
                        hidden: try row.attribute(3))
                }

                public nonisolated func write(to values: inout LarderObjectStore.EntityValues) throws {
                    try values.attribute(0, self.name)
                    try values.attribute(1, self.color)
                    try values.attribute(2, self.note)
                    try values.attribute(3, self.hidden)
                }
            }
            """)
    }

    @Test func `keeps backticks in code and drops them in names`() {
        expectExpansion(
            """
            @Entity struct `Any` {
                var `default`: Bool
                var columnPath: String
            }
            """,
            """
            struct `Any` {
                var `default`: Bool
                var columnPath: String

                nonisolated static var entityName: Swift.String { "Any" }

                nonisolated static let entityDescription = LarderObjectStore.EntityDescription(
                    name: Self.entityName,
                    identity: [],
                    attributes: [
                        LarderObjectStore.AttributeDescription("default", Bool.self, key: "default"),
                        LarderObjectStore.AttributeDescription("columnPath", String.self, \
            key: "columnPath"),
                    ],
                    relationships: []
                )

                nonisolated struct Columns: LarderObjectStore.EntityColumns {
                    private let _columnPath: LarderObjectStore.ColumnPath

                    init(path: LarderObjectStore.ColumnPath) {
                        _columnPath = path
                    }

                    var `default`: LarderObjectStore.Column<Bool> { .init(_columnPath, "default") }
                    var columnPath: LarderObjectStore.Column<String> \
            { .init(_columnPath, "columnPath") }
                }

                typealias ObjectID = Swift.Never
            }

            extension `Any`: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        default: try row.attribute(0),
                        columnPath: try row.attribute(1))
                }

                nonisolated func write(to values: inout LarderObjectStore.EntityValues) throws {
                    try values.attribute(0, self.`default`)
                    try values.attribute(1, self.columnPath)
                }
            }
            """)
    }

    @Test func `leaves out what is written by hand`() {
        expectExpansion(
            """
            @Entity struct Label {
                var name: String
                static let entityName = "Tag"
                static var entityDescription: EntityDescription { described() }
                struct Columns: EntityColumns {}; typealias ObjectID = Int
                init(row: EntityRow) throws { name = "" }
                func write(to values: inout EntityValues) {}
            }
            """,
            """
            struct Label {
                var name: String
                static let entityName = "Tag"
                static var entityDescription: EntityDescription { described() }
                struct Columns: EntityColumns {}; typealias ObjectID = Int
                init(row: EntityRow) throws { name = "" }
                func write(to values: inout EntityValues) {}
            }

            extension Label: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {}
            """)
    }

    @Test func `nests a struct's conformance under the type it stands in`() {
        expectExpansion(
            """
            public extension Schema {
                @Entity struct Label {
                    var name: String
                    struct Columns: EntityColumns {}; typealias ObjectID = Int
                    static let entityDescription = description
                }
            }
            """,
            """
            public extension Schema {
                struct Label {
                    var name: String
                    struct Columns: EntityColumns {}; typealias ObjectID = Int
                    static let entityDescription = description

                    public nonisolated static var entityName: Swift.String { "Label" }
                }
            }

            extension Schema.Label: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                public nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        name: try row.attribute(0))
                }

                public nonisolated func write(to values: inout LarderObjectStore.EntityValues) throws {
                    try values.attribute(0, self.name)
                }
            }
            """)
    }
}
