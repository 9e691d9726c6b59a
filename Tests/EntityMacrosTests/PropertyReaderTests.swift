import Testing

@Suite struct PropertyReaderTests {
    @Test func `reads var and let, one by one and several in a line`() {
        expectDescriptions(
            of: "let id: Int; var a: Int, b = true; var c, d: String; var e = true, f: Int",
            attributes: [
                "\"id\", Int.self, key: \"id\"",
                "\"a\", Int.self, key: \"a\"",
                "\"b\", Bool.self, key: \"b\", default: true",
                "\"c\", String.self, key: \"c\"",
                "\"d\", String.self, key: \"d\"",
                "\"e\", Bool.self, key: \"e\", default: true",
                "\"f\", Int.self, key: \"f\"",
            ])
    }

    @Test func `reads properties with observers`() {
        expectDescriptions(
            of: "var a: Int { didSet { print(a) } }; var b = 1 { willSet {} didSet {} }",
            attributes: [
                "\"a\", Int.self, key: \"a\"", "\"b\", Int.self, key: \"b\", default: 1",
            ])
    }

    @Test func `ignores what is static or computed`() {
        expectDescriptions(
            of: """
                var id: Int
                    static let shared = [1]
                    static var count: [Int] = []
                    var double: [Int] { [id, id] }
                    var triple: [Int] { get { [] } set {} }
                    func f() {}
                    enum State {
                        case open
                    }
                    typealias Key = Int
                """,
            attributes: ["\"id\", Int.self, key: \"id\""])
    }

    @Test func `refuses a tuple of properties`() {
        expectRefusal(
            """
            @Entity struct Thing {
                var (a, b) = (1, 2)
            }
            """,
            .at(
                2, 9,
                "'@Entity' cannot take properties apart from a tuple; declare them one by one"))
    }

    @Test(arguments: ["lazy", "weak", "unowned", "unowned(unsafe)"])
    func `refuses storage that is no plain value`(modifier: String) {
        expectRefusal(
            """
            @Entity struct Thing {
                \(modifier) var x: Int = 1
            }
            """,
            .at(
                2, 5,
                "'x' is '\(modifier.prefix { $0 != "(" })'; an entity holds plain values",
                fixes: [
                    "remove '\(modifier)'": """
                    @Entity struct Thing {
                        var x: Int = 1
                    }
                    """
                ]))
    }

    @Test func `refuses a let that has its value already`() {
        expectRefusal(
            """
            @Entity struct Thing {
                var id: Int
                let kind: String = "thing"
            }
            """,
            .at(
                3, 5, "'kind' always has the same value, so it cannot be read from the store",
                fixes: [
                    "make it a 'var'": """
                    @Entity struct Thing {
                        var id: Int
                        var kind: String = "thing"
                    }
                    """,
                    "make it 'static'": """
                    @Entity struct Thing {
                        var id: Int
                        static let kind: String = "thing"
                    }
                    """,
                ]))
    }

    @Test func `refuses stored properties that may not be there`() {
        expectRefusal(
            """
            @Entity struct Thing {
                var id: Int
                #if DEBUG
                var trace: String
                static let on = true
                var isOn: Bool { true }
                #else
                func trace() {}
                let other: Int
                #endif
            }
            """,
            .at(4, 5, "'@Entity' cannot see stored properties inside '#if'"),
            .at(9, 5, "'@Entity' cannot see stored properties inside '#if'"))
    }

    @Test func `refuses attributes of a property inside a condition`() {
        expectRefusal(
            """
            @Entity struct Thing {
                #if DEBUG
                @Larder.Identity
                #endif
                var id: Int
                #if swift(>=5)
                @Larder.Attribute("full_name")
                #endif
                var name: String?
            }
            """,
            .at(2, 5, "'@Entity' cannot see the attributes of 'id' inside '#if'"),
            .at(6, 5, "'@Entity' cannot see the attributes of 'name' inside '#if'"))
    }

    @Test func `hides the column of a property whose type only the struct can see`() {
        expectExpansion(
            """
            @Entity struct Thing {
                private enum State: String, AttributeValue {
                    case open
                }
                private var state: State?
                static let entityName = "Thing"
                static let entityDescription = description
                init(row: EntityRow) throws {}
                func write(to values: inout EntityValues) {}
            }
            """,
            """
            struct Thing {
                private enum State: String, AttributeValue {
                    case open
                }
                private var state: State?
                static let entityName = "Thing"
                static let entityDescription = description
                init(row: EntityRow) throws {}
                func write(to values: inout EntityValues) {}

                nonisolated struct Columns: LarderObjectStore.EntityColumns {
                    private let columnPath: LarderObjectStore.ColumnPath

                    init(path: LarderObjectStore.ColumnPath) {
                        columnPath = path
                    }

                    private var state: LarderObjectStore.Column<State?> { .init(columnPath, "state") }
                }

                typealias ObjectID = LarderObjectStore.IdentityValues
            }

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {}
            """)
    }
}
