public import Foundation

/// Turns one of Foundation's predicates into a condition of a query.
struct PredicateTranslator {
    let entity: EntityDescription
    /// The predicate's own variable, which stands for the object.
    private let object: PredicateExpressions.VariableID
    private let name: (AnyKeyPath) -> String?
    /// The expressions that the variables of closures stand for.
    private var variables: [PredicateExpressions.VariableID: QueryExpression] = [:]

    init<Object: Entity>(
        _ type: Object.Type, variable: PredicateExpressions.Variable<Object>
    ) {
        entity = type.entityDescription
        object = variable.key
        let inherited = type.inheritedProperties.filter(\.hasColumn).map(\.name)
        let names = Set(
            entity.attributes.map(\.name) + entity.toOneRelationships.map(\.name) + inherited)
        name = { keyPath in
            (keyPath as? PartialKeyPath<Object>).flatMap { Object.propertyName(of: $0) }
                .flatMap { names.contains($0) ? $0 : nil }
        }
    }

    /// A part of the predicate as a part of a query.
    func expression<Part: PredicateExpression>(
        _ part: Part
    ) throws(PredicateTranslationError) -> QueryExpression {
        guard let term = part as? any PredicateTerm else {
            throw error(part, "there is nothing like it in a query")
        }
        return try term.expression(self)
    }

    /// The translation of a closure's body, whose variable stands for something else.
    func expression<Part: PredicateExpression>(
        _ part: Part, where variable: PredicateExpressions.VariableID, is value: QueryExpression
    ) throws(PredicateTranslationError) -> QueryExpression {
        var inner = self
        inner.variables[variable] = value
        return try inner.expression(part)
    }

    /// Returns the expression that a variable stands for; nil for the object.
    func value(
        of variable: PredicateExpressions.VariableID
    ) throws(PredicateTranslationError) -> QueryExpression? {
        if variable == object { return nil }
        if let value = variables[variable] { return value }
        throw PredicateTranslationError(
            entity: entity.name, part: "Variable", reason: "it stands for nothing in the query")
    }

    /// The column of one of the object's properties.
    func column(_ keyPath: AnyKeyPath) throws(PredicateTranslationError) -> QueryExpression {
        guard let name = name(keyPath) else {
            throw failure(
                "KeyPath",
                "\(text(of: keyPath)) is no attribute or to-one relationship whose name Swift tells"
            )
        }
        return .column(ColumnPath(), name)
    }

    /// A key path in an error's words: where Swift has no name it has an address, which says nothing.
    func text(of keyPath: AnyKeyPath) -> String {
        keyPath.debugDescription.replacing(/\s0x[0-9a-f]+/, with: "")
    }

    /// The value of a part that does not depend on the object, nil where it does.
    func constant<Part: PredicateExpression>(_ part: Part) -> Part.Output? {
        try? part.evaluate(PredicateBindings())
    }

    /// A value as a query has it.
    func value<Part>(
        _ value: some Any, of part: Part
    ) throws(PredicateTranslationError) -> QueryExpression {
        guard let value = value as? any AttributeValue else {
            throw error(part, "no attribute holds values of type \(type(of: value))")
        }
        return .value(value.keptValue)
    }

    /// Returns the error of a part that can't be translated.
    func error<Part>(_ part: Part, _ reason: String) -> PredicateTranslationError {
        let name = String(describing: Part.self).prefix { $0 != "<" }
        return failure(String(name.split(separator: ".").last ?? name), reason)
    }

    private func failure(_ part: String, _ reason: String) -> PredicateTranslationError {
        PredicateTranslationError(entity: entity.name, part: part, reason: reason)
    }
}

extension Entity {
    /// The name of the stored property at a key path, as it is found without help of the type.
    ///
    /// Swift knows the names of properties that are simply stored, not of those with observers.
    static func describedName(of keyPath: PartialKeyPath<Self>) -> String? {
        let text = keyPath.debugDescription
        guard let dot = text.lastIndex(of: ".") else { return nil }
        let name = String(text[text.index(after: dot)...])
        return name.contains("<") || name.contains(" ") ? nil : name
    }
}

/// A part of one of Foundation's predicates that no query can ask.
public struct PredicateTranslationError: Error, Hashable, Sendable {
    /// The entity that the predicate is over.
    public let entity: String
    /// The kind of part, as Foundation names it, such as `SequenceContainsWhere` or `KeyPath`.
    public let part: String
    /// The reason why no query can ask it.
    public let reason: String

    init(entity: String, part: String, reason: String) {
        self.entity = entity
        self.part = part
        self.reason = reason
    }
}

extension PredicateTranslationError: CustomStringConvertible {
    /// The entity, the part and the reason in one line.
    public var description: String {
        "a predicate over \(entity) can't be asked of a store: \(part): \(reason)"
    }
}

extension Query {
    /// Keeps the objects that one of Foundation's predicates is true of too.
    ///
    ///     try Issue.all.where(#Predicate { $0.comments > 3 && $0.title.contains("crash") })
    ///
    /// What a query can ask: comparisons, `&&`, `||`, `!`, `if`, arithmetic, `contains` of a list or
    /// range of constants, `contains`, `starts(with:)` and `isEmpty` of strings, `nil`, `??`, `?.`
    /// and `!`. Text is compared by its Unicode scalars, capital and small letters differ. Values
    /// behind `!` that are empty make the predicate false instead of failing. Relationships can
    /// only be compared with `nil`; `Query.where` with columns follows them.
    ///
    /// - Throws: `PredicateTranslationError` that names what can't be asked.
    public func `where`(_ predicate: Predicate<Object>) throws(PredicateTranslationError) -> Query {
        let translator = PredicateTranslator(Object.self, variable: predicate.variable)
        let condition = Condition(expression: try translator.expression(predicate.expression))
        return self.where { _ in condition }
    }
}

extension Entity {
    /// The objects that one of Foundation's predicates is true of; `Query.where` says which
    /// can be asked.
    ///
    /// - Throws: `PredicateTranslationError` that names what can't be asked.
    public static func `where`(
        _ predicate: Predicate<Self>
    ) throws(PredicateTranslationError) -> Query<Self> {
        try all.where(predicate)
    }
}
