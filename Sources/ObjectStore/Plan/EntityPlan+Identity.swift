extension EntityPlan {
    /// Throws where values, in the order of the entity's identity, can't identify an object of it.
    func checkIdentity(_ values: [SQLValue]) throws(StoreError) {
        let identity = description.identity
        guard values.count == identity.count, !values.isEmpty else {
            throw StoreError(
                .unexpectedValue,
                "\(name) is identified by \(identity.count) values, not by \(values.count)")
        }
        for (attribute, value) in zip(identity, values) {
            guard let type = description.attribute(named: attribute)?.type, !type.keeps(value)
            else { continue }
            throw StoreError(
                .unexpectedValue,
                "\(name) is identified by \(attribute): expected \(type.plainName)")
        }
    }
}
