import Testing

@Suite struct PropertyMarkersTests {
    @Test func `passes an attribute's arguments on`() {
        expectDescriptions(
            of: """
                @Attribute("a.b", .iso8601, indexed: true, searchable: false) var a: Date
                    @Attribute(.unix, renamedFrom: "old") var b: Date
                    @Attribute(nil, Transformer.number) var c: Int
                    @Attribute(indexed: isFast) var d: Int
                    @Attribute("e") var e: Int
                    @Attribute var f: Int
                """,
            attributes: [
                "\"a\", Date.self, key: \"a.b\", transformer: .iso8601, isIndexed: true, "
                    + "isSearchable: false",
                "\"b\", Date.self, key: \"b\", transformer: .unix, renamedFrom: \"old\"",
                "\"c\", Int.self, key: \"c\", transformer: Transformer.number",
                "\"d\", Int.self, key: \"d\", isIndexed: isFast",
                "\"e\", Int.self, key: \"e\"",
                "\"f\", Int.self, key: \"f\"",
            ])
    }

    @Test func `passes a relationship's arguments on`() {
        expectDescriptions(
            of: """
                @Relationship("json_key", inverse: "issues", delete: .cascade) var a: One<User>
                    @Relationship(ordered: false, policy: .union) var b: Many<Label>
                    @Relationship(renamedFrom: "old", mapped: false) var c: Many<Label>
                """,
            relationships: [
                "\"a\", to: User.entityName, key: \"json_key\", inverse: \"issues\", "
                    + "deleteRule: .cascade",
                "\"b\", to: Label.entityName, isToMany: true, isOrdered: false, key: \"b\", "
                    + "policy: .union",
                "\"c\", to: Label.entityName, isToMany: true, isOrdered: true, key: nil, "
                    + "renamedFrom: \"old\"",
            ])
    }

    @Test func `knows markers by their qualified names`() {
        // Only a marker that is read can be refused for its argument.
        expectRefusal(
            """
            @Entity struct Thing {
                @Larder.Attribute("") var x: Int
            }
            """,
            .at(2, 23, "the key path \"\" has an empty step"))
    }

    @Test(arguments: ["Attribute", "Identity"])
    func `refuses a marker that stands twice`(marker: String) {
        expectRefusal(
            """
            @Entity struct Thing {
                @\(marker) @\(marker) var x: Int
            }
            """,
            .at(
                2, 7 + marker.count, "'x' has more than one '@\(marker)'",
                fixes: [
                    "remove this '@\(marker)'": """
                    @Entity struct Thing {
                        @\(marker) var x: Int
                    }
                    """
                ]))
    }

    @Test func `refuses an attribute's marker on a relationship`() {
        expectRefusal(
            """
            @Entity struct Thing {
                @Attribute("key") var x: One<User>
            }
            """,
            .at(
                2, 5, "'x' is a relationship; '@Attribute' applies to attributes",
                fixes: [
                    "use '@Relationship'": """
                    @Entity struct Thing {
                        @Relationship("key") var x: One<User>
                    }
                    """
                ]))
    }

    @Test func `does not offer the other marker for arguments that it has not`() {
        expectRefusal(
            """
            @Entity struct Thing {
                @Attribute(.unix) var x: One<User>
                @Attribute(indexed: true) var y: Many<User>
            }
            """,
            .at(2, 5, "'x' is a relationship; '@Attribute' applies to attributes"),
            .at(3, 5, "'y' is a relationship; '@Attribute' applies to attributes"))
    }

    @Test func `refuses a relationship's marker on an attribute`() {
        expectRefusal(
            """
            @Entity struct Thing {
                @Relationship("key", mapped: true) var x: Int
            }
            """,
            .at(
                2, 5, "'x' is an attribute; '@Relationship' applies to 'One' and 'Many'",
                fixes: [
                    "use '@Attribute'": """
                    @Entity struct Thing {
                        @Attribute("key", mapped: true) var x: Int
                    }
                    """
                ]))
    }

    @Test(arguments: [
        ("[Book]", ", such as 'Many<Book>'"), ("[Book]?", ", such as 'Many<Book>'"),
        ("Array<Book>", ", such as 'Many<Book>'"), ("[String]", ""), ("Book", ""),
    ])
    func `says how an array of objects is spelled`(type: String, example: String) {
        expectRefusal(
            """
            @Entity struct Thing {
                @Relationship(inverse: "thing") var x: \(type)
            }
            """,
            .at(
                2, 5, "'x' is an attribute; '@Relationship' applies to 'One' and 'Many'\(example)"))
    }

    @Test(arguments: ["One<User>", "One<User>?", "Many<User>"])
    func `refuses a relationship as identity`(type: String) {
        expectRefusal(
            """
            @Entity struct Thing {
                @Identity var x: \(type)
            }
            """,
            .at(
                2, 5, "'x' is a relationship; an object is identified by its attributes",
                fixes: [
                    "remove '@Identity'": """
                    @Entity struct Thing {
                        var x: \(type)
                    }
                    """
                ]))
    }

    @Test func `refuses order and policy on a link to one object`() {
        expectRefusal(
            """
            @Entity struct Thing {
                @Relationship(ordered: true, policy: .set) var x: One<User>
            }
            """,
            .at(2, 19, "'ordered' applies to a 'Many'; 'x' links to one object"),
            .at(2, 34, "'policy' applies to a 'Many'; 'x' links to one object"))
    }

    @Test(arguments: ["@Published", "@State", "@Other.Attribute", "@available(*, deprecated)"])
    func `refuses attributes that it does not know`(attribute: String) {
        let name = attribute.prefix { $0 != "(" }
        expectRefusal(
            """
            @Entity struct Thing {
                \(attribute) var x: Int
            }
            """,
            .at(
                2, 5,
                "'\(name)' on 'x' is not known to '@Entity', which must know how the property is "
                    + "stored",
                fixes: [
                    "remove '\(name)'": """
                    @Entity struct Thing {
                        var x: Int
                    }
                    """
                ]))
    }

    @Test func `allows an attribute that changes no storage`() {
        expectDescriptions(
            of: "@usableFromInline var x: Int", attributes: ["\"x\", Int.self, key: \"x\""])
    }
}
