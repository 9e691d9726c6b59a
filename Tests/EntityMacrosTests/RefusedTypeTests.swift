import Testing

@Suite struct RefusedTypeTests {
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

    @Test func `takes a type of the app's that has the name of another`() {
        for type in ["Comic.Character", "[Comic.Character]", "Comics.Comic.UInt"] {
            expectDescriptions(
                of: "var x: \(type)", attributes: ["\"x\", \(type).self, key: \"x\""])
        }
        expectDescriptions(
            of: "var x: [Character]; typealias Character = String",
            attributes: ["\"x\", [Character].self, key: \"x\""])
        expectUnsupported(
            "Swift.Character", "'x' cannot be of type 'Swift.Character'; the store has 'String'",
            replacement: "String")
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
}
