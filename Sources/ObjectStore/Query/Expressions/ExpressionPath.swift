import Foundation

/// A path such as `user.login`, followed through a model step by step.
struct ExpressionPath {
    enum End {
        /// Nowhere yet: the path is empty, or ends with a to-many relationship.
        case entity
        case attribute(AttributeDescription)
        /// When the object was last fetched.
        case fetchedAt
        case toOne(String)
    }

    /// The steps over to-many relationships, the last one first.
    struct Links {
        let owner: ColumnPath
        let relationship: String
        let each: ColumnPath
    }

    private var entity: EntityPlan
    private var place = ColumnPath()
    private var links: [Links] = []
    private(set) var end = End.entity
    /// The entity that the last to-one relationship leads to.
    private var destination: EntityPlan?

    init(entity: EntityPlan) { self.entity = entity }

    /// Goes to an attribute or a relationship; false where there is none of that name.
    mutating func follow(_ name: String, in plan: StorePlan) -> Bool {
        if valueType != nil { return false }
        if case .toOne(let relationship) = end, let destination {
            place = place.appending(relationship)
            entity = destination
            end = .entity
        }
        if let attribute = entity.description.attribute(named: name) {
            end = .attribute(attribute)
            return true
        }
        if entity.keepsFetchTimes, name == Self.fetchedAt.name {
            end = .fetchedAt
            return true
        }
        if let relationship = entity.toMany.first(where: { $0.name == name }) {
            let each = place.appending(each: name, level: 0)
            links.append(Links(owner: place, relationship: name, each: each))
            place = each
            entity = plan.entities[relationship.destination]
            return true
        }
        guard let column = entity.columnNames.firstIndex(of: name),
            entity.columns[column].destination >= 0
        else { return false }
        destination = plan.entities[entity.columns[column].destination]
        end = .toOne(name)
        return true
    }

    /// The moment of fetching, as it is compared.
    private static let fetchedAt = AttributeDescription(
        "fetchedAt", .date, isOptional: true, key: nil)

    /// The type of the value that the path ends at, nil where that is an object or nothing yet.
    var valueType: AttributeType? {
        switch end {
        case .attribute(let attribute): attribute.type
        case .fetchedAt: Self.fetchedAt.type
        case .entity, .toOne: nil
        }
    }

    /// Whether the path ends at a column.
    var isWhole: Bool {
        if case .entity = end { false } else { true }
    }

    /// The last to-many relationship of the path.
    var toMany: Links? { links.last }

    /// The column at the path's end.
    var expression: QueryExpression {
        switch end {
        case .attribute(let attribute): .column(place, attribute.name)
        case .fetchedAt: .fetchedAt(place)
        case .toOne(let relationship): .column(place, relationship)
        case .entity: .row(place)
        }
    }

    /// The attribute that values are compared with: the one at the end, or the one that identifies
    /// the object there; nil where it takes more than one, or can't be compared.
    var comparedAttribute: AttributeDescription? {
        switch end {
        case .entity:
            return nil
        case .attribute(let attribute):
            return attribute.type == .json || attribute.type == .data ? nil : attribute
        case .fetchedAt:
            return Self.fetchedAt
        case .toOne:
            guard let destination, let column = destination.referringColumn else { return nil }
            return destination.description.attributes[column]
        }
    }

    /// The column of `comparedAttribute`.
    var comparedExpression: QueryExpression {
        guard case .toOne(let relationship) = end, let attribute = comparedAttribute else {
            return expression
        }
        return .column(place.appending(relationship), attribute.name)
    }

    /// A condition on the end as one on the beginning: that it holds for one of the objects, or
    /// more, that are linked on the way.
    func linked(_ condition: QueryExpression) -> QueryExpression {
        links.reversed().reduce(condition) { condition, links in
            .links(
                LinkExpression(
                    owner: links.owner, relationship: links.relationship, each: links.each,
                    condition: condition, result: .exists))
        }
    }

    /// The steps that could come next in words, for an error.
    var expectation: String {
        if case .attribute(let attribute) = end { return "nothing behind \(attribute.name)" }
        if case .fetchedAt = end { return "nothing behind \(Self.fetchedAt.name)" }
        let entity = if case .toOne = end, let destination { destination } else { entity }
        let names = (entity.columnNames + entity.toMany.map(\.name)).sorted()
        return "an attribute or a relationship of \(entity.name)"
            + " (\(names.prefix(20).joined(separator: ", "))\(names.count > 20 ? ", …" : ""))"
    }
}

/// A value in the text of an expression.
struct ExpressionValue {
    private let token: ExpressionToken
    private let isNegative: Bool

    init(_ token: ExpressionToken, isNegative: Bool) {
        self.token = token
        self.isNegative = isNegative
    }

    /// The value as a column of the type holds it, nil where it is none of this type.
    func sqlValue(of type: AttributeType) -> SQLValue? {
        switch type {
        case .integer: number.flatMap { Int64($0) }.map(SQLValue.integer) ?? real
        case .double: real
        case .decimal: decimal
        case .boolean: boolean
        case .string: string.map(SQLValue.text)
        // As JSON's are kept.
        case .url: string.map { URL(string: $0)?.sqlValue ?? .text($0) }
        case .uuid: string.flatMap(UUID.init).map { .text($0.uuidString) }
        case .date: date
        case .data, .json: nil
        }
    }

    /// Returns the form of a value of the type in words, for an error.
    static func expectation(of type: AttributeType) -> String {
        switch type {
        case .integer, .double: "a number"
        case .decimal: "a decimal number"
        case .boolean: "true or false"
        case .string, .url: "a string in single quotes"
        case .uuid: "a UUID in single quotes"
        case .date: "a date as in ISO 8601 in single quotes"
        case .data, .json: "is null or is not null"
        }
    }

    private var number: String? {
        token.kind == .number ? (isNegative ? "-" : "") + token.text : nil
    }

    private var string: String? { token.kind == .string && !isNegative ? token.text : nil }

    private var real: SQLValue? { number.flatMap { Double($0) }.map(SQLValue.real) }

    private var decimal: SQLValue? {
        (number ?? string).flatMap { Decimal(spellingInString: $0) }.map { .text($0.description) }
    }

    private var boolean: SQLValue? {
        if isNegative { return nil }
        if token.isWord("true") || number == "1" { return .integer(1) }
        if token.isWord("false") || number == "0" { return .integer(0) }
        return nil
    }

    private var date: SQLValue? {
        guard var text = string else { return nil }
        return text.withUTF8 { ISO8601.date($0) }.map(SQLValue.real)
    }
}
