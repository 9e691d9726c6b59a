@testable import LarderObjectStore

/// What entities inherit from.
struct Ancestor: Entity {
    static let entityName = "Base"
    static let entityDescription = EntityDescription(
        name: "Base",
        attributes: [.optional("name"), .required("size", .integer)],
        relationships: [
            RelationshipDescription("one", to: "Base", isOptional: true, key: "one"),
            RelationshipDescription("many", to: "Base", isToMany: true, key: "many"),
        ])

    struct Columns: EntityColumns { init(path: ColumnPath) {} }

    init(row: EntityRow) throws {}
}
