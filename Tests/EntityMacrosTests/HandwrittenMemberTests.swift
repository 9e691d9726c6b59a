import Testing

@Suite struct HandwrittenMemberTests {
    @Test(arguments: [
        "static let entityName = \"Other\"", "static var entityName: String { \"Other\" }",
        "static let other = 1, entityName = \"Other\"",
    ])
    func `leaves out a name`(member: String) {
        expectExpansion(
            thing(
                member, "struct Columns {}; typealias ObjectID = Int",
                "static let entityDescription = d"),
            thing(
                marker: "", member, "struct Columns {}; typealias ObjectID = Int",
                "static let entityDescription = d")
                + conformance)
    }

    @Test(arguments: [
        "struct Columns {}; typealias ObjectID = Int",
        "typealias Columns = Other; struct ObjectID {}",
        "class Columns {}; typealias ObjectID = Int",
    ])
    func `leaves out columns in any shape`(member: String) {
        expectExpansion(
            thing("static let entityName = n", member, "static let entityDescription = d"),
            thing(
                marker: "", "static let entityName = n", member,
                "static let entityDescription = d") + conformance)
    }

    @Test func `leaves out an initializer only where it is the one for rows`() {
        let members = [
            "static let entityName = n", "static let entityDescription = d",
            "struct Columns {}; typealias ObjectID = Int",
        ]
        func source(_ marker: String, _ initializer: String) -> String {
            """
            \(marker)struct Thing {
                var x: Int
                \(members.joined(separator: "\n    "))
                \(initializer)
            }
            """
        }
        let byHand = "init(row other: LarderObjectStore.EntityRow) throws { x = 1 }"
        expectExpansion(
            source("@Entity ", byHand),
            source("", byHand)
                + conformance.replacing(/\ {4}nonisolated init[^}]*}\n\n/, with: ""))
        for other in [
            "init(row: EntityRow, x: Int) {}", "init(_ row: EntityRow) {}", "init() {}",
            "init(row: Int) {}",
        ] {
            // Any initializer takes the place of the memberwise one.
            expectExpansion(
                source("@Entity ", other),
                source("", other)
                    + conformance.replacing(
                        /self.init\(\n *x: try row.attribute\(0\)\)/,
                        with: "self.x = try row.attribute(0)"))
        }
    }

    @Test func `leaves out what writes only where it is the one for values`() {
        func source(_ marker: String, _ function: String) -> String {
            """
            \(marker)struct Thing {
                var x: Int
                static let entityName = n
                static let entityDescription = d
                struct Columns {}; typealias ObjectID = Int
                \(function)
            }
            """
        }
        let byHand = "func write(to values: inout LarderObjectStore.EntityValues) throws {}"
        expectExpansion(
            source("@Entity ", byHand),
            source("", byHand)
                + conformance.replacing(/\n\n    nonisolated func[^}]*}/, with: ""))
        for other in [
            "func write() {}", "func write(into values: Int) {}", "func save(to x: Int) {}",
            "func write(to url: URL) {}", "func write(to text: inout String) {}",
        ] {
            expectExpansion(source("@Entity ", other), source("", other) + conformance)
        }
    }

    @Test func `takes properties of values for what they are`() {
        expectExpansion(
            thing(
                "var entityName: String", "static let entityDescription = d",
                "struct Columns {}; typealias ObjectID = Int"),
            """
            struct Thing {
                var x: Int
                var entityName: String
                static let entityDescription = d
                struct Columns {}; typealias ObjectID = Int

                nonisolated static var entityName: Swift.String { "Thing" }
            }

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        x: try row.attribute(0),
                        entityName: try row.attribute(1))
                }

                nonisolated func write(to values: inout LarderObjectStore.EntityValues) throws {
                    try values.attribute(0, self.x)
                    try values.attribute(1, self.entityName)
                }
            }
            """)
    }

    private let conformance = """


        extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
            nonisolated init(row: LarderObjectStore.EntityRow) throws {
                self.init(
                    x: try row.attribute(0))
            }

            nonisolated func write(to values: inout LarderObjectStore.EntityValues) throws {
                try values.attribute(0, self.x)
            }
        }
        """

    private func thing(marker: String = "@Entity ", _ members: String...) -> String {
        """
        \(marker)struct Thing {
            var x: Int
            \(members.joined(separator: "\n    "))
        }
        """
    }
}
