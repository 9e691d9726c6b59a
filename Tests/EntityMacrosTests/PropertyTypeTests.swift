import Testing

@Suite struct PropertyTypeTests {
    @Test(arguments: ["Int", "Foundation.URL", "Schema.State", "Box<Int>", "Other.One<Int>", "One"])
    func `takes any named type as an attribute's`(type: String) {
        expectDescriptions(of: "var x: \(type)", attributes: ["\"x\", \(type).self, key: \"x\""])
    }

    @Test(arguments: ["Int?", "Optional<Int>", "Swift.Optional<Int>"])
    func `takes both spellings of an optional`(type: String) {
        expectDescriptions(of: "var x: \(type)", attributes: ["\"x\", \(type).self, key: \"x\""])
    }

    @Test func `sees through parentheses`() {
        expectDescriptions(of: "var x: (Int)?", attributes: ["\"x\", (Int)?.self, key: \"x\""])
        expectDescriptions(of: "var x: ((Int))", attributes: ["\"x\", Int.self, key: \"x\""])
        expectDescriptions(
            of: "var x: (One<User>)?",
            relationships: ["\"x\", to: User.entityName, isOptional: true, key: \"x\""])
    }

    @Test(arguments: ["One<User>", "Larder.One<User>", "LarderObjectStore.One<User>"])
    func `takes a link to one object`(type: String) {
        expectDescriptions(
            of: "var x: \(type)", relationships: ["\"x\", to: User.entityName, key: \"x\""])
        for optional in ["\(type)?", "Optional<\(type)>"] {
            expectDescriptions(
                of: "var x: \(optional)",
                relationships: ["\"x\", to: User.entityName, isOptional: true, key: \"x\""])
        }
    }

    @Test(arguments: ["Many<Schema.Label>", "Larder.Many<Schema.Label>"])
    func `takes links to many objects`(type: String) {
        expectDescriptions(
            of: "var x: \(type)",
            relationships: [
                "\"x\", to: Schema.Label.entityName, isToMany: true, isOrdered: true, key: \"x\""
            ])
    }

    @Test func `refuses an optional Many`() {
        expectUnsupported(
            "Many<Label>?", "'x' cannot be optional; a 'Many' without links is empty",
            replacement: "Many<Label>")
    }

    @Test(arguments: ["Int??", "Optional<Int?>", "Optional<Int>?", "(Int?)?"])
    func `refuses an optional of an optional`(type: String) {
        let inner = ["Optional<Int>?": "Optional<Int>"][type] ?? "Int?"
        expectUnsupported(
            type, "'x' is optional twice, but the store knows one kind of nothing",
            replacement: inner)
    }

    @Test func `refuses an implicitly unwrapped optional`() {
        expectUnsupported(
            "Int!", "'x' is implicitly unwrapped; an entity's optional is spelled with '?'",
            replacement: "Int?")
    }

    @Test(arguments: ["[Label]", "[Schema.Label]", "Array<Label>", "Set<Label>"])
    func `offers Many for an array of objects`(type: String) {
        let many = type.contains("Schema") ? "Many<Schema.Label>" : "Many<Label>"
        let message =
            "'x' cannot be of type '\(type)'; a relationship to many objects is '\(many)'"
        expectUnsupported(type, message, replacement: many)
        expectUnsupported(type + "?", message, replacement: many)
    }

    @Test func `offers Data for an array of bytes`() {
        expectUnsupported(
            "[UInt8]", "'x' cannot be of type '[UInt8]'; bytes are 'Data'", replacement: "Data")
    }

    @Test(arguments: ["[String]", "Set<Int>", "[Foundation.URL]", "[[Label]]", "[(Int, Int)]"])
    func `refuses an array of values`(type: String) {
        expectUnsupported(
            type,
            "'x' cannot be of type '\(type)'; an attribute holds one value; make the elements an "
                + "entity and relate to it with 'Many'")
    }

    @Test(arguments: [
        ("[String: Int]", "give each value a property of its own, or an entity"),
        ("Dictionary<String, Int>", "give each value a property of its own, or an entity"),
        ("(Int, Int)", "give each element a property of its own"),
        ("() -> Void", "a function cannot be stored"),
        ("(() -> Void)?", "a function cannot be stored"),
        ("@Sendable () -> Void", "a function cannot be stored"),
        ("any Codable", "name one type that conforms to 'AttributeValue'"),
        ("some Codable", "name one type that conforms to 'AttributeValue'"),
        ("A & B", "name one type that conforms to 'AttributeValue'"),
        ("Int.Type", "name one type that conforms to 'AttributeValue'"),
    ])
    func `refuses what is more than a value`(type: String, advice: String) {
        let named = type == "(() -> Void)?" ? "() -> Void" : type
        expectUnsupported(type, "'x' cannot be of type '\(named)'; \(advice)")
    }

    @Test func `points at the type of the property that is wrong`() {
        expectRefusal(
            """
            @Entity struct Thing {
                var id: Int
                var names: [String: String], pair: (Int, Int)
            }
            """,
            .at(
                3, 16,
                "'names' cannot be of type '[String: String]'; give each value a property of its "
                    + "own, or an entity"),
            .at(
                3, 40,
                "'pair' cannot be of type '(Int, Int)'; give each element a property of its own"))
    }

    private func expectUnsupported(
        _ type: String, _ message: String, replacement: String? = nil,
        location: SourceLocation = #_sourceLocation
    ) {
        func source(_ type: String) -> String {
            """
            @Entity struct Thing {
                var x: \(type)
            }
            """
        }
        let fixes: KeyValuePairs =
            replacement.map { ["use '\($0)'": source($0)] } ?? [:] as KeyValuePairs<String, String>
        expectRefusal(source(type), .at(2, 12, message, fixes: fixes), location: location)
    }
}
