import Foundation
import Testing

@testable import LarderObjectStore

@Suite struct InheritedPropertyTests {
    private struct Columns: EntityColumns { init(path: ColumnPath) {} }

    private struct Wrong: Entity {
        static let entityName = "Wrong"
        static let parentType: (any Entity.Type)? = Ancestor.self
        static let entityDescription = EntityDescription(name: "Wrong", parent: "Base")
        static let inheritedProperties: [InheritedProperty] = [
            .attribute("name", String.self), .attribute("size", Int?.self),
            .attribute("size", String.self), .attribute("none", Int.self),
            .attribute("one", Int.self), .one("one", to: "Base"),
            .one("one", to: "Orphan", isOptional: true), .one("many", to: "Base"),
            .many("many", to: "Orphan"), .many("one", to: "Base"), .many("many", to: "Base"),
        ]
        typealias Columns = InheritedPropertyTests.Columns
        init(row: EntityRow) throws {}
    }

    @Test func `types read what they inherit as it is`() {
        #expect(
            Model.problems(Wrong.self) == [
                "entities.Wrong.name: name may be empty where it is inherited from, so it must be"
                    + " optional here",
                "entities.Wrong.size: size is read as string, but inherited as integer",
                "entities.Wrong.none: Base has no attribute none to inherit",
                "entities.Wrong.one: Base has no attribute one to inherit",
                "entities.Wrong.one: one may be empty where it is inherited from, so it must be"
                    + " optional here",
                "entities.Wrong.one: one is read as Orphan, but inherited as Base",
                "entities.Wrong.many: Base has no to-one relationship many to inherit",
                "entities.Wrong.many: many is read as Orphan, but inherited as Base",
                "entities.Wrong.one: Base has no to-many relationship one to inherit",
            ])
    }
}
