import Foundation

/// A question to a store about the objects of an entity that is known by its name only.
///
///     DynamicQuery("Issue").where("state = 'open'").where("user.login", is: name)
///         .sorted("-createdAt")
///         .limit(20)
///
/// The names are looked up where the query is used. Without an order objects come as they were
/// inserted. Objects that have not arrived are not found; ``references()`` finds the references to them.
public struct DynamicQuery: Sendable {
    /// A predicate on objects.
    enum Condition: Sendable {
        case text(String)
        case value(path: String, SQLValue)
    }

    /// The name of the entity.
    public let entityName: String

    private(set) var conditions: [Condition] = []
    /// Orders as text, nil for that of relevance.
    private(set) var orders: [String?] = []
    /// The words that the searchable attributes must hold.
    private(set) var search: SearchText?
    private(set) var maximumCount: Int?
    private(set) var skippedCount: Int?
    private(set) var rowKind = EntityPlan.RowKind.object

    /// All objects of an entity.
    public init(_ entityName: String) { self.entityName = entityName }

    /// Keeps the objects that fulfil a condition too, such as `title like '%crash%'`.
    ///
    /// See `Query.where(_:in:)` for what a condition may say. Text that others have given does not
    /// belong into it: `where(_:is:)` is for that.
    public func `where`(_ condition: String) -> DynamicQuery {
        changed { $0.conditions.append(.text(condition)) }
    }

    /// Keeps the objects whose attribute has a value too, nil for an empty one.
    ///
    /// Of an attribute that holds data or JSON it can only be asked whether it is nil.
    ///
    /// - Parameter path: The attribute's name, or a dotted path over relationships to one; over a
    ///   to-many relationship one of the objects has to have the value. A path that ends at a to-one
    ///   relationship stands for the identity of the object there.
    public func `where`(_ path: String, is value: some AttributeValue) -> DynamicQuery {
        changed { $0.conditions.append(.value(path: path, value.keptValue)) }
    }

    /// Keeps the objects whose searchable attributes hold all words of a text too; see
    /// ``Query/matching(_:by:)``.
    public func matching(_ text: String, by matching: WordMatching = .wholeWords) -> DynamicQuery {
        let added = SearchText(text, matching)
        return changed { $0.search = $0.search.map { $0.joined(with: added) } ?? added }
    }

    /// Sorts what `matching` finds by how well it matches, best first, within the orders that were
    /// asked for before.
    public func sortedByRelevance() -> DynamicQuery {
        changed { $0.orders.append(nil) }
    }

    /// Sorts by attributes, such as `user.login, -createdAt`, within the orders that were asked for
    /// before; a minus sorts descending.
    public func sorted(_ order: String) -> DynamicQuery {
        changed { $0.orders.append(order) }
    }

    /// Keeps the first objects, at most this many; a negative number keeps none.
    public func limit(_ count: Int) -> DynamicQuery {
        changed { $0.maximumCount = max(count, 0) }
    }

    /// Leaves out the first objects, this many.
    public func offset(_ count: Int) -> DynamicQuery {
        changed { $0.skippedCount = max(count, 0) }
    }

    /// Finds references to objects that have not arrived, instead of objects: dynamic
    /// objects that are not complete.
    public func references() -> DynamicQuery {
        changed { $0.rowKind = .reference }
    }

    private func changed(_ change: (inout DynamicQuery) -> Void) -> DynamicQuery {
        var query = self
        change(&query)
        return query
    }
}

extension DynamicQuery: CustomStringConvertible {
    /// The query in words, with a question mark for each value that is bound.
    public var description: String {
        var parts = [rowKind == .reference ? "references to \(entityName)" : entityName]
        if search != nil { parts.append("matching ?") }
        if !conditions.isEmpty {
            let texts = conditions.map { condition in
                switch condition {
                case .text(let text): "(\(text))"
                case .value(let path, _): "(\(path) IS ?)"
                }
            }
            parts.append("where \(texts.joined(separator: " AND "))")
        }
        if !orders.isEmpty {
            parts.append("sorted by \(QueryDescription.list(orders.map { $0 ?? "relevance" }))")
        }
        if let maximumCount { parts.append("limit \(maximumCount)") }
        if let skippedCount { parts.append("offset \(skippedCount)") }
        return parts.joined(separator: " ")
    }
}

extension DynamicQuery {
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
        guard let attribute = place.comparedAttribute else {
            throw StoreError(
                .unexpectedValue, "\(path) can't be compared with a value: expected nil")
        }
        guard let value = Self.value(value, of: attribute.type) else {
            throw StoreError(
                .unexpectedValue,
                "\(path) can't be such a value: expected \(attribute.type.plainName)")
        }
        let column = place.comparedExpression.ordered(as: attribute.type)
        return place.linked(
            .infix(column, "IS", .value(attribute.allowedValues.nearest(to: value))))
    }

    /// The value as a column of the type keeps it; whole numbers are numbers of other types too, and
    /// text may be a UUID, a URL or a decimal number.
    private static func value(_ value: SQLValue, of type: AttributeType) -> SQLValue? {
        var value = value
        if case .integer(let number) = value {
            switch type {
            case .double: value = .real(Double(number))
            case .decimal: value = .text(String(number))
            case .integer, .boolean, .string, .date, .url, .uuid, .data, .json: break
            }
        }
        if type == .decimal, case .text(let text) = value {
            guard let number = Decimal(spellingInString: text) else { return nil }
            value = number.sqlValue
        }
        return type.keeps(value) ? type.spelled(value) : nil
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

extension QueryDescription {
    /// A question for the object that values identify, in the order of the entity's identity.
    ///
    /// - Throws: `StoreError` where the entity is identified by another number or type of values.
    init(of plan: EntityPlan, id values: [SQLValue]) throws(StoreError) {
        try plan.checkIdentity(values)
        self.init(entity: plan.name)
        let spelled = zip(plan.description.identity, values).map { name, value in
            guard let attribute = plan.description.attribute(named: name) else { return value }
            return attribute.allowedValues.nearest(to: attribute.type.spelled(value))
        }
        condition = .identity(ColumnPath(), spelled)
        maximumCount = 1
    }
}
