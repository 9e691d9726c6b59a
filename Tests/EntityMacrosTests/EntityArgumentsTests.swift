import Testing

@Suite struct EntityArgumentsTests {
    @Test(arguments: ["nil", "\"Thing\"", "keys: .verbatim", "nil, keys: .verbatim"])
    func `says the same by its defaults as by nothing`(arguments: String) {
        expectName("\"Thing\"", arguments)
    }

    @Test func `takes any text as the name`() {
        expectName("\"a \\\"quoted\\\" name\"", "#\"a \"quoted\" name\"#")
    }

    @Test(arguments: ["\"\"", "\"a\\(b)\"", "Names.thing"])
    func `refuses a name that is no plain text`(name: String) {
        expectRefusal(
            """
            @Entity(\(name)) struct Thing {
                var x: Int
            }
            """, marker: "@Entity(\(name)) ",
            .at(
                1, 9, "the name of an entity must be a plain string literal that is not empty"))
    }

    @Test(arguments: ["style", ".camelCase", "KeyStyle(rawValue: x)"])
    func `refuses a style of keys that is not spelled out`(style: String) {
        expectRefusal(
            """
            @Entity(keys: \(style)) struct Thing {
                var x: Int
            }
            """, marker: "@Entity(keys: \(style)) ",
            .at(1, 15, "'keys' must be spelled '.verbatim' or '.snakeCase'"))
    }

    @Test(arguments: ["isKept", "!false", "nil"])
    func `refuses a choice to keep when objects were fetched that is not spelled out`(
        choice: String
    ) {
        expectRefusal(
            """
            @Entity(fetchedAt: \(choice)) struct Thing {
                var x: Int
            }
            """, marker: "@Entity(fetchedAt: \(choice)) ",
            .at(1, 20, "'fetchedAt' must be spelled 'true' or 'false'"))
    }

    @Test func `refuses a property of the name that queries have for when it was fetched`() {
        expectRefusal(
            """
            @Entity(fetchedAt: true) struct Thing {
                var fetchedAt: Int
            }
            """, marker: "@Entity(fetchedAt: true) ",
            .at(
                1, 20,
                "'Thing' has a property 'fetchedAt', the name that queries have for a column of it"
            ))
    }

    private func expectName(
        _ literal: String, _ arguments: String, location: SourceLocation = #_sourceLocation
    ) {
        let body = """
                var x: Int
                static let entityDescription = description
                struct Columns {}; typealias ObjectID = Int
                init(row: EntityRow) {}
                func write(to values: inout EntityValues) {}
            """
        expectExpansion(
            """
            @Entity(\(arguments)) struct Thing {
            \(body)
            }
            """,
            """
            struct Thing {
            \(body)

                nonisolated static var entityName: Swift.String { \(literal) }
            }

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {}
            """, location: location)
    }
}
