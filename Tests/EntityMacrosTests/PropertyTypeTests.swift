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

    @Test(arguments: [
        "[String]", "Array<Int>", "[[Double]]", "[Address]", "[String]?", "[String?]",
        "[String: Int]", "Dictionary<String, Address>", "[String: [Int]]", "[String: Int]?",
    ])
    func `takes arrays and dictionaries as attributes, which are kept as JSON`(type: String) {
        expectDescriptions(of: "var x: \(type)", attributes: ["\"x\", \(type).self, key: \"x\""])
    }

    @Test(arguments: [
        ("[UInt8]", "Data", "bytes are 'Data'"), ("Array<UInt8>", "Data", "bytes are 'Data'"),
        ("Set<Int>", "[Int]", "JSON has arrays only"),
        ("ContiguousArray<Label>", "[Label]", "JSON has arrays only"),
        ("[Int: String]", "[String: String]", "the keys of JSON are strings"),
        ("Dictionary<UUID, Int>", "[String: Int]", "the keys of JSON are strings"),
        ("Character", "String", "the store has 'String'"),
        ("Substring", "String", "the store has 'String'"),
        ("CGFloat", "Double", "the store has 'Double'"),
        ("Foundation.NSDate", "Date", "the store has 'Date'"),
        ("NSURL", "URL", "the store has 'URL'"),
        ("UInt64", "Int64", "the store has integers of 64 bits with a sign"),
        ("UInt", "Int64", "the store has integers of 64 bits with a sign"),
        ("[Character]", "[String]", "the store has 'String'"),
        ("[String: Substring]", "[String: String]", "the store has 'String'"),
    ])
    func `offers the type that holds the same`(
        type: String, replacement: String, advice: String
    ) {
        expectUnsupported(
            type, "'x' cannot be of type '\(type)'; \(advice)", replacement: replacement)
    }

    @Test(arguments: [
        ("(Int, Int)", "give each element a property of its own"),
        ("() -> Void", "a function cannot be stored"),
        ("(() -> Void)?", "a function cannot be stored"),
        ("@Sendable () -> Void", "a function cannot be stored"),
        ("any Codable", "name one type that conforms to 'AttributeValue'"),
        ("some Codable", "name one type that conforms to 'AttributeValue'"),
        ("Any", "name one type that conforms to 'AttributeValue'"),
        ("AnyObject", "name one type that conforms to 'AttributeValue'"),
        ("Codable", "name one type that conforms to 'AttributeValue'"),
        ("A & B", "name one type that conforms to 'AttributeValue'"),
        ("Int.Type", "name one type that conforms to 'AttributeValue'"),
        ("Void", "there is nothing to store"), ("Never", "there is nothing to store"),
        ("[(Int, Int)]", "give each element a property of its own"),
        ("[String: Any]", "name one type that conforms to 'AttributeValue'"),
        ("[() -> Void]", "a function cannot be stored"),
    ])
    func `refuses what is no value or more than one`(type: String, advice: String) {
        let named = type == "(() -> Void)?" ? "() -> Void" : type
        expectUnsupported(type, "'x' cannot be of type '\(named)'; \(advice)")
    }

    @Test func `points at the type of the property that is wrong`() {
        expectRefusal(
            """
            @Entity struct Thing {
                var id: Int
                var names: Set<String>, pair: (Int, Int)
            }
            """,
            .at(
                3, 16,
                "'names' cannot be of type 'Set<String>'; JSON has arrays only",
                fixes: [
                    "use '[String]'": """
                    @Entity struct Thing {
                        var id: Int
                        var names: [String], pair: (Int, Int)
                    }
                    """
                ]),
            .at(
                3, 35,
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
