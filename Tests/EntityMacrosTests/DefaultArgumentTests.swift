import Testing

@Suite struct DefaultArgumentTests {
    @Test(arguments: [
        ("false", "Bool"), ("0", "Int"), ("-1", "Int"), ("0x1F", "Int"), ("1.5", "Double"),
        ("-2.5e3", "Double"), ("\"text\"", "String"), ("#\"a \"quoted\" text\"#", "String"),
        ("\"line\\nbreak\"", "String"),
    ])
    func `infers the type of a literal and passes it on`(value: String, type: String) {
        expectDescriptions(
            of: "var x = \(value)",
            attributes: ["\"x\", \(type).self, key: \"x\", default: \(value)"])
    }

    @Test func `passes literals of a given type on`() {
        expectDescriptions(
            of: "var price: Decimal = 1.5",
            attributes: [
                "\"price\", Decimal.self, key: \"price\", default: 1.5"
            ])
        expectDescriptions(
            of: "var note: String? = \"none\"",
            attributes: [
                "\"note\", String?.self, key: \"note\", default: \"none\""
            ])
    }

    @Test func `has no default for nil`() {
        expectDescriptions(
            of: "var note: String? = nil", attributes: ["\"note\", String?.self, key: \"note\""])
    }

    @Test func `passes named constants on under their type's name`() {
        expectDescriptions(
            of: "var state: State = .open",
            attributes: [
                "\"state\", State.self, key: \"state\", default: State.open"
            ])
        expectDescriptions(
            of: "var state: State? = .open",
            attributes: [
                "\"state\", State?.self, key: \"state\", default: State.open"
            ])
        expectDescriptions(
            of: "var state: Optional<State> = Schema.State.open",
            attributes: [
                "\"state\", Optional<State>.self, key: \"state\", default: Schema.State.open"
            ])
    }

    @Test func `passes a default along with the marker's arguments`() {
        expectDescriptions(
            of: "@Attribute(\"at\", .unix, indexed: true) var count: Int = 3",
            attributes: [
                "\"count\", Int.self, key: \"at\", transformer: .unix, default: 3, isIndexed: true"
            ])
    }

    @Test func `ignores the value of a relationship`() {
        expectDescriptions(
            of: "var user: One<User>? = nil; var labels: Many<Label> = Many()",
            relationships: [
                "\"user\", to: User.entityName, isOptional: true, key: \"user\"",
                "\"labels\", to: Label.entityName, isToMany: true, isOrdered: true, key: \"labels\"",
            ])
    }

    @Test(arguments: [
        "Date()", ".now", "Date.now", ".init()", "1 + 1", "\"\\(name) x\"", "make().x", "{ 1 }()",
        "[1]", "!true", "a", "State.open.next()", ".make(1)", "!0",
    ])
    func `refuses what may be another value each time`(value: String) {
        expectRefusal(
            """
            @Entity struct Thing {
                var x: Date = \(value)
            }
            """,
            .at(
                2, 19,
                "the default of 'x' is part of the model, so it must be a literal or a named constant",
                fixes: [
                    "remove the default": """
                    @Entity struct Thing {
                        var x: Date
                    }
                    """
                ]))
    }

    @Test(arguments: [
        ("Date()", "Date"), ("State.open", "State"), ("Date.now", "Date"), ("make()", "<#Type#>"),
        ("1 + 1", "<#Type#>"), ("[1]", "<#Type#>"), ("[Label]()", "<#Type#>"),
        ("nil", "<#Type#>"), ("\"\\(a)\"", "<#Type#>"),
    ])
    func `asks for a type where no literal tells it`(value: String, likely: String) {
        expectRefusal(
            """
            @Entity struct Thing {
                var x = \(value)
            }
            """,
            .at(
                2, 9, "'x' needs a type annotation; '@Entity' sees the type of literals only",
                fixes: [
                    "add a type annotation": """
                    @Entity struct Thing {
                        var x: \(likely) = \(value)
                    }
                    """
                ]))
    }
}
