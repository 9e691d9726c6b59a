extension RecordQuery {
    /// The query with its names looked up.
    ///
    /// - Throws: `StoreError` for a name that the model does not have, `ExpressionError` for a
    ///   mistake in a text.
    func description(in plan: StorePlan) throws -> QueryDescription {
        let entity = try plan.entity(known: entityName)
        var description = QueryDescription(entity: entityName)
        for condition in conditions {
            let added =
                switch condition {
                case .text(let text): try description.condition(text, in: plan)
                case .value(let path, let value): try Self.equality(path, value, of: entity, plan)
                }
            description.condition = description.condition.map { .joined($0, .and, added) } ?? added
        }
        for order in orders {
            description.sortKeys +=
                try order.map { try description.sortKeys($0, in: plan) } ?? [.relevance]
        }
        description.rowKind = rowKind
        description.search = search
        description.maximumCount = maximumCount
        description.skippedCount = skippedCount
        return description
    }

    private static func equality(
        _ path: String, _ value: SQLValue, of entity: EntityPlan, _ plan: StorePlan
    ) throws -> QueryExpression {
        var place = ExpressionPath(entity: entity)
        for step in path.split(separator: ".", omittingEmptySubsequences: false) {
            guard place.follow(String(step), in: plan) else {
                throw StoreError(
                    .unknownEntity, "\(path) leads nowhere: expected \(place.expectation)")
            }
        }
        guard place.isWhole else {
            throw StoreError(
                .unknownEntity, "\(path) ends too early: expected \(place.expectation)")
        }
        if value == .null { return place.linked(.infix(place.expression, "IS", .value(.null))) }
        guard let attribute = place.comparedAttribute,
            let value = Self.value(value, of: attribute.type)
        else {
            throw StoreError(
                .unexpectedValue,
                "\(path) can't be such a value"
                    + (place.comparedAttribute.map { ": expected \($0.type.plainName)" } ?? ""))
        }
        let column = place.comparedExpression.ordered(as: attribute.type)
        return place.linked(.infix(column, "IS", .value(value)))
    }

    /// The value as a column of the type keeps it; whole numbers are numbers of other types too.
    private static func value(_ value: SQLValue, of type: AttributeType) -> SQLValue? {
        var value = value
        if case .integer(let number) = value {
            switch type {
            case .double: value = .real(Double(number))
            case .decimal: value = .text(String(number))
            case .integer, .boolean, .string, .date, .url, .uuid, .data, .json: break
            }
        }
        return type.keeps(value) ? value : nil
    }
}

extension StorePlan {
    /// The plan of an entity that is asked for by its name alone.
    func entity(known name: String) throws(StoreError) -> EntityPlan {
        if let plan = entities.first(where: { $0.name == name }) { return plan }
        throw StoreError(
            .unknownEntity,
            "the store's model \(model.name) has no entity \(name);"
                + " it has \(entities.map(\.name).shortList)")
    }
}
