import LarderObjectStore

/// Short spellings of descriptions for tests whose entities are only met once.
extension EntityDescription {
    /// An entity with the identity `id`, a whole number.
    static func numbered(
        _ name: String, _ attributes: AttributeDescription...,
        relationships: [RelationshipDescription] = []
    ) -> EntityDescription {
        EntityDescription(
            name: name, identity: ["id"],
            attributes: [AttributeDescription("id", .integer, key: "id")] + attributes,
            relationships: relationships)
    }
}

extension AttributeDescription {
    /// A required attribute whose key is its name.
    static func required(
        _ name: String, _ type: AttributeType = .string, _ transformer: Transformer? = nil
    ) -> AttributeDescription {
        AttributeDescription(name, type, key: name, transformer: transformer)
    }

    /// An optional attribute whose key is its name.
    static func optional(
        _ name: String, _ type: AttributeType = .string, _ transformer: Transformer? = nil
    ) -> AttributeDescription {
        AttributeDescription(
            name, type, isOptional: true, key: name, transformer: transformer)
    }
}

extension ImportReport.Counts {
    /// Counts for comparing.
    init(
        _ inserted: Int = 0, _ updated: Int = 0, _ unchanged: Int = 0, linked: Int = 0,
        unlinked: Int = 0, deleted: Int = 0
    ) {
        self.init()
        self.inserted = inserted
        self.updated = updated
        self.unchanged = unchanged
        self.linked = linked
        self.unlinked = unlinked
        self.deleted = deleted
    }
}
