import Testing

@Suite struct EntityDeclarationTests {
    @Test(arguments: [("class", "a class"), ("actor", "an actor")])
    func `offers a struct for what is referred to`(keyword: String, kind: String) {
        expectRefusal(
            """
            @Entity public \(keyword) Thing {
                @Identity var id: Int
            }
            """,
            .at(
                1, 16, "'@Entity' applies to a struct; 'Thing' is \(kind)",
                fixes: [
                    "make it a struct": """
                    @Entity public struct Thing {
                        @Identity var id: Int
                    }
                    """
                ]))
    }

    @Test func `refuses an enum`() {
        expectRefusal(
            """
            @Entity enum Thing {
                static let x = 1
            }
            """,
            .at(1, 9, "'@Entity' applies to a struct; 'Thing' is an enum"))
    }

    @Test func `refuses an extension`() {
        expectRefusal(
            """
            @Entity extension Thing {
                static let x = 1
            }
            """,
            .at(1, 9, "'@Entity' applies to a struct; 'Thing' is an extension"))
    }

    @Test func `refuses a protocol`() {
        expectRefusal(
            """
            @Entity protocol Thing {
                var id: Int { get }
            }
            """,
            .at(1, 9, "'@Entity' applies to a struct; 'Thing' is a protocol"))
    }

    @Test func `refuses a generic struct`() {
        expectRefusal(
            """
            @Entity struct Thing<Value: AttributeValue> {
                var value: Value
            }
            """,
            .at(1, 21, "an entity describes one table, so 'Thing' cannot be generic"))
    }

    @Test func `refuses a struct inside a generic type, however deep`() {
        expectRefusal(
            """
            struct Box<Value> {
                enum Schema {
                    @Entity struct Thing {
                        var id: Int
                    }
                }
            }
            """,
            .at(3, 24, "entity 'Thing' cannot be nested in 'Box', which is generic"))
    }

    @Test func `refuses a nested struct that is private`() {
        expectRefusal(
            """
            enum Schema {
                @Entity private struct Thing {
                    var id: Int
                }
            }
            """,
            .at(
                2, 13,
                "entity 'Thing' is nested, so 'private' hides it from its own conformance",
                fixes: [
                    "use 'fileprivate'": """
                    enum Schema {
                        @Entity fileprivate struct Thing {
                            var id: Int
                        }
                    }
                    """
                ]))
    }

    @Test func `refuses a struct without a stored property`() {
        expectRefusal(
            """
            @Entity struct Thing {
                static let x = 1
                var y: Int { 1 }
            }
            """,
            .at(1, 16, "entity 'Thing' has no stored property, so there is nothing to store"))
    }

    @Test func `refuses an enum in the place of the columns`() {
        expectRefusal(
            """
            @Entity struct Thing {
                var id: Int
                enum Columns: Int {
                    case first, second
                }
            }
            """,
            .at(
                3, 10,
                "'Columns' is what conditions on 'Thing' are made of, so an enum needs another name"
            ))
    }

    @Test func `refuses to be marked twice`() {
        expectRefusal(
            """
            @Entity @Entity("Other") struct Thing {
                var x: Int
            }
            """,
            .at(1, 1, "'Thing' has more than one '@Entity'"),
            .at(1, 9, "'Thing' has more than one '@Entity'"))
    }

    @Test func `does not call a struct empty whose property is refused`() {
        expectRefusal(
            """
            @Entity struct Thing {
                var x: () -> Void
            }
            """,
            .at(2, 12, "'x' cannot be of type '() -> Void'; a function cannot be stored"))
    }

    @Test func `reports all problems at once`() {
        expectRefusal(
            """
            @Entity(keys: style) struct Thing<Value> {
                @Identity var user: One<User>
                var x: Int?? = .now
            }
            """,
            .at(1, 34, "an entity describes one table, so 'Thing' cannot be generic"),
            .at(1, 15, "'keys' must be spelled '.verbatim' or '.snakeCase'"),
            .at(
                2, 5, "'user' is a relationship; an object is identified by its attributes",
                fixes: [
                    "remove '@Identity'": """
                    @Entity(keys: style) struct Thing<Value> {
                        var user: One<User>
                        var x: Int?? = .now
                    }
                    """
                ]),
            .at(
                3, 12, "'x' is optional twice, but the store knows one kind of nothing",
                fixes: [
                    "use 'Int?'": """
                    @Entity(keys: style) struct Thing<Value> {
                        @Identity var user: One<User>
                        var x: Int? = .now
                    }
                    """
                ]))
    }
}
