public import Foundation

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
