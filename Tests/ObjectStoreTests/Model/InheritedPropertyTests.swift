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

    private struct Narrow: Entity {
        static let entityName = "Narrow"
        static let parentType: (any Entity.Type)? = Ancestor.self
        static let entityDescription = EntityDescription(name: "Narrow", parent: "Base")
        static let inheritedProperties: [InheritedProperty] = [
            .attribute("size", Int8.self), .attribute("size", Int64.self),
            .attribute("size", UInt32?.self),
        ]
        typealias Columns = InheritedPropertyTests.Columns
        init(row: EntityRow) throws {}
    }

    @Test func `whole numbers are read as no narrower type than they are inherited as`() {
        #expect(
            Model.problems(Narrow.self) == [
                "entities.Narrow.size: size is read as a whole number from -128 to 127, but"
                    + " inherited as any whole number",
                "entities.Narrow.size: size is read as a whole number from 0 to 4294967295, but"
                    + " inherited as any whole number",
            ])
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
