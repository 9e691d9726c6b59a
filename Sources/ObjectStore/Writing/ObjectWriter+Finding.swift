extension ObjectWriter {
    /// The row of an identity, its values in the order of the entity's identity.
    func find(_ identity: [SQLValue], in entity: EntityPlan) throws -> Int64? {
        try find(ordered: ordered(identity, of: entity), in: entity)
    }

    /// The row of an identity, its values in the order of the columns.
    func find(ordered identity: [SQLValue], in entity: EntityPlan) throws -> Int64? {
        guard !identity.isEmpty else { return nil }
        let values = ObjectRow(identity: identity, of: entity)
        guard !entity.family.isAlone else { return try rows.find(values) }
        let known = try rows.findInFamily(values)
        return known.flatMap {
            entity.family.descendants.contains($0.entity.index) ? $0.row : nil
        }
    }

    /// An identity in the order of the columns.
    func ordered(_ identity: [SQLValue], of entity: EntityPlan) throws -> [SQLValue] {
        let names = entity.description.identity
        guard !names.isEmpty, names.count == identity.count else {
            throw WritingError(entity: entity.name, reason: .notIdentifiable)
        }
        return try entity.identifying.columns.map { column in
            let attribute = entity.description.attributes[column]
            let value = names.firstIndex(of: attribute.name).map { identity[$0] } ?? .null
            guard attribute.type.keeps(value) else {
                throw WritingError(
                    entity: entity.name, attribute: attribute.name,
                    reason: .unfit("expected \(attribute.type.plainName)"))
            }
            return value
        }
    }

    /// Throws where an attribute does not take a value.
    func checkIsAllowed(_ value: SQLValue, in column: Int, of entity: EntityPlan) throws {
        let attribute = entity.description.attributes[column]
        let allowed = attribute.allowedValues
        guard allowed.contains(value) else {
            throw WritingError(
                entity: entity.name, attribute: attribute.name,
                reason: .unfit("expected \(allowed.expectation ?? attribute.type.plainName)"))
        }
    }

    func unknown(_ name: String, of entity: EntityPlan) -> StoreError {
        StoreError(.unknownEntity, "\(entity.name) has no \(name) in the store's model")
    }
}
