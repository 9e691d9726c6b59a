import SwiftSyntax
import SwiftSyntaxBuilder
import Testing

@testable import LarderEntityMacros

@Suite struct EntityExpansionRowsTests {
    @Test func `without the memberwise initializer each property is set by itself`() {
        expectExpansion(
            """
            @Entity struct Thing {
                var x: Int
                var labels: Many<Label>
                var owner: One<Owner>?
                init(x: Int) { self.x = x }
                static let entityDescription = d
                struct Columns {}; typealias ObjectID = Int
                func write(to values: inout LarderObjectStore.EntityValues) throws {}
            }
            """,
            """
            struct Thing {
                var x: Int
                var labels: Many<Label>
                var owner: One<Owner>?
                init(x: Int) { self.x = x }
                static let entityDescription = d
                struct Columns {}; typealias ObjectID = Int
                func write(to values: inout LarderObjectStore.EntityValues) throws {}

                nonisolated static var entityName: Swift.String { "Thing" }
            }

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.x = try row.attribute(0)
                    self.labels = row.many("labels")
                    self.owner = try row.one(0)
                }
            }
            """)
    }

    @Test func `labels have backticks only where they need them`() {
        let members = """
            struct Thing {
                var `in`: Int
                var `inout`: Int
                static let entityName = n
                static let entityDescription = d
                struct Columns {}; typealias ObjectID = Int
                func write(to values: inout LarderObjectStore.EntityValues) throws {}
            }
            """
        expectExpansion(
            "@Entity \(members)",
            """
            \(members)

            extension Thing: nonisolated LarderObjectStore.Importable, nonisolated LarderObjectStore.Entity {
                nonisolated init(row: LarderObjectStore.EntityRow) throws {
                    self.init(
                        in: try row.attribute(0),
                        `inout`: try row.attribute(1))
                }
            }
            """)
    }
}
