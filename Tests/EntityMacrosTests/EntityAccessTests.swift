import SwiftSyntax
import Testing

@testable import LarderEntityMacros

@Suite struct EntityAccessTests {
    @Test func `orders the levels`() {
        let levels: [EntityAccess] = [.private, .fileprivate, .internal, .package, .public]
        #expect(levels.shuffled().sorted() == levels)
    }

    @Test(arguments: ["public", "package"])
    func `is spelled out on members of what other modules see`(level: String) {
        expectMembers(of: "\(level) ", have: "\(level) ")
    }

    @Test(arguments: ["", "internal ", "fileprivate ", "private "])
    func `is left to the type for members of what other modules do not see`(level: String) {
        expectMembers(of: level, have: "")
    }

    @Test(arguments: [("public ", "package ", "package "), ("package ", "public ", "package ")])
    func `gives a column the lower of two levels`(
        structure: String, property: String, column: String
    ) {
        expectColumn(of: "\(property)var x: Int", in: structure, has: column)
    }

    @Test(arguments: [
        ("var x: Int", ""), ("internal var x: Int", ""),
        ("public private(set) var x: Int", "public "),
        ("private(set) var x: Int", ""), ("private var x: Int", "fileprivate "),
        ("fileprivate var x: Int", "fileprivate "), ("private let x: Int", "fileprivate "),
    ])
    func `gives a column the level at which its property is read`(
        property: String, column: String
    ) {
        expectColumn(of: property, in: "public ", has: column)
    }

    @Test(arguments: [("public ", "public "), ("package ", "package "), ("", ""), ("private ", "")])
    func `is that of the extension around the struct`(surroundings: String, members: String) {
        let body = handwritten
        expectExpansion(
            """
            \(surroundings)extension Schema {
                @Entity struct Thing {
                    var x: Int
                    \(body)
                    struct Columns {}; typealias ObjectID = Int
                }
                @Entity internal struct Other {
                    var x: Int
                    \(body)
                    struct Columns {}; typealias ObjectID = Int
                }
            }
            """,
            """
            \(surroundings)extension Schema {
                struct Thing {
                    var x: Int
                    \(body)
                    struct Columns {}; typealias ObjectID = Int

                    \(members)nonisolated static var entityName: Swift.String { "Thing" }
                }
                internal struct Other {
                    var x: Int
                    \(body)
                    struct Columns {}; typealias ObjectID = Int

                    nonisolated static var entityName: Swift.String { "Other" }
                }
            }

            extension Schema.Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                \(members)nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        x: try row.attribute(0))
                }

                \(members)nonisolated func write(to values: inout LarderObjectStore.EntityValues) throws {
                    try values.attribute(0, self.x)
                }
            }

            extension Schema.Other: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        x: try row.attribute(0))
                }

                nonisolated func write(to values: inout LarderObjectStore.EntityValues) throws {
                    try values.attribute(0, self.x)
                }
            }
            """)
    }

    private let handwritten = "static let entityDescription = description"

    private func expectMembers(
        of structure: String, have level: String,
        location: Testing.SourceLocation = #_sourceLocation
    ) {
        expectExpansion(
            """
            @Entity \(structure)struct Thing {
                fileprivate var x: Int
                \(handwritten)
            }
            """,
            """
            \(structure)struct Thing {
                fileprivate var x: Int
                \(handwritten)

                \(level)nonisolated static var entityName: Swift.String { "Thing" }

                \(level)nonisolated struct Columns: LarderObjectStore.EntityColumns {
                    private let columnPath: LarderObjectStore.ColumnPath

                    \(level)init(path: LarderObjectStore.ColumnPath) {
                        columnPath = path
                    }

                    fileprivate var x: LarderObjectStore.Column<Int> { .init(columnPath, "x") }
                }

                \(level)typealias ObjectID = LarderObjectStore.IdentityValues
            }

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                \(level)nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        x: try row.attribute(0))
                }

                \(level)nonisolated func write(to values: inout LarderObjectStore.EntityValues) throws {
                    try values.attribute(0, self.x)
                }
            }
            """, location: location)
    }

    private func expectColumn(
        of property: String, in structure: String, has level: String,
        location: Testing.SourceLocation = #_sourceLocation
    ) {
        let body = """
                \(property)
                \(handwritten)
                static let entityName = "Thing"
                init(row: EntityRow) throws {}
                func write(to values: inout EntityValues) {}
            """
        expectExpansion(
            """
            @Entity \(structure)struct Thing {
            \(body)
            }
            """,
            """
            \(structure)struct Thing {
            \(body)

                \(structure)nonisolated struct Columns: LarderObjectStore.EntityColumns {
                    private let columnPath: LarderObjectStore.ColumnPath

                    \(structure)init(path: LarderObjectStore.ColumnPath) {
                        columnPath = path
                    }

                    \(level)var x: LarderObjectStore.Column<Int> { .init(columnPath, "x") }
                }

                \(structure)typealias ObjectID = LarderObjectStore.IdentityValues
            }

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {}
            """, location: location)
    }
}
