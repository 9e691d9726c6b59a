import Testing

@Suite struct KeyPathArgumentTests {
    @Test func `is the name unless said otherwise`() {
        expectDescriptions(
            of: "var createdAt: Date; @Attribute(.unix) var closedAt: Date",
            attributes: [
                "\"createdAt\", Date.self, key: \"createdAt\"",
                "\"closedAt\", Date.self, key: \"closedAt\", transformer: .unix",
            ])
    }

    @Test func `follows the entity's style of keys unless said otherwise`() {
        expectDescriptions(
            of: """
                var createdAt: Date
                    @Attribute("closedAt") var closedAt: Date
                    @Attribute(mapped: false) var isRead: Bool
                    var lastEditor: One<User>
                    @Relationship(ordered: false) var nodeIDs: Many<Node>
                """,
            keys: ".snakeCase",
            attributes: [
                "\"createdAt\", Date.self, key: \"created_at\"",
                "\"closedAt\", Date.self, key: \"closedAt\"",
                "\"isRead\", Bool.self, key: nil",
            ],
            relationships: [
                "\"lastEditor\", to: User.entityName, key: \"last_editor\"",
                "\"nodeIDs\", to: Node.entityName, isToMany: true, isOrdered: false, "
                    + "key: \"node_ids\"",
            ])
    }

    @Test(arguments: [".verbatim", "KeyStyle.verbatim"])
    func `is the name where the style is verbatim`(keys: String) {
        expectDescriptions(
            of: "var createdAt: Date", keys: keys,
            attributes: ["\"createdAt\", Date.self, key: \"createdAt\""])
    }

    @Test func `takes quotes and unusual letters`() {
        expectDescriptions(
            of: "@Attribute(#\"a \"b\" ü\"#) var x: Int",
            attributes: ["\"x\", Int.self, key: \"a \\\"b\\\" ü\""])
    }

    @Test(arguments: ["", ".", "a.", ".a", "a..b"])
    func `refuses an empty step`(path: String) {
        expectRefusal(
            """
            @Entity struct Thing {
                @Attribute("\(path)") var x: Int
            }
            """,
            .at(2, 16, "the key path \"\(path)\" has an empty step"))
    }

    @Test(arguments: ["\"a\\(b)\"", "\"a\\n\""])
    func `refuses a key path that is not plain text`(literal: String) {
        let message = "a key path must be a plain string literal"
        expectRefusal(
            """
            @Entity struct Thing {
                @Relationship(\(literal)) var x: One<User>
            }
            """, marker: "@Relationship(\(literal)) ", .at(2, 19, message))
    }

    @Test func `refuses a key path that is a constant`() {
        expectRefusal(
            """
            @Entity struct Thing {
                @Attribute(Keys.x, .unix) var x: Int
            }
            """,
            .at(2, 16, "a key path must be a plain string literal"))
    }

    @Test func `refuses a mapping that is not spelled out`() {
        expectRefusal(
            """
            @Entity struct Thing {
                @Attribute(mapped: isMapped) var x: Int
            }
            """,
            .at(2, 24, "'mapped' of 'x' must be spelled 'true' or 'false'"))
    }

    @Test func `refuses a key path for what is not mapped`() {
        expectRefusal(
            """
            @Entity struct Thing {
                @Attribute("y", mapped: false) var x: Int
            }
            """,
            .at(2, 16, "'x' has a key path, but 'mapped: false' keeps it out of the JSON"))
    }

    @Test func `refuses two properties on one key path`() {
        expectRefusal(
            """
            @Entity(keys: .snakeCase) struct Thing {
                var createdAt: Date
                @Attribute("created_at", .unix) var made: Date
                var userID: Int
                @Relationship("user_id") var user: One<User>
                @Attribute("user_id") var reporter: Int
            }
            """,
            .at(3, 16, "'made' and 'createdAt' are both read from the key path \"created_at\""),
            .at(5, 19, "'user' and 'userID' are both read from the key path \"user_id\""),
            .at(6, 16, "'reporter' and 'userID' are both read from the key path \"user_id\""))
    }

    @Test func `allows several properties that are not mapped`() {
        expectDescriptions(
            of: "@Attribute(mapped: false) var a: Int; @Attribute(mapped: false) var b: Int",
            attributes: ["\"a\", Int.self, key: nil", "\"b\", Int.self, key: nil"])
    }
}
