import Foundation

/// Text is compared by its Unicode scalars: letters of either case differ, and so do letters that
/// are spelled by other scalars although they look the same.
extension PredicateExpressions.CollectionContainsCollection: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        guard Base.Output.self == String.self, Other.Output.self == String.self else {
            throw translator.error(self, "of collections only strings can be searched")
        }
        let part = try translator.expression(other)
        let place = QueryExpression.function("instr", [try translator.expression(base), part])
        return .infix(place, ">", .value(.integer(0)))
    }
}

extension PredicateExpressions.SequenceStartsWith: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        guard Base.Output.self == String.self, Prefix.Output.self == String.self else {
            throw translator.error(self, "of sequences only strings can be searched")
        }
        return .function(
            TextFunction.hasPrefix,
            [try translator.expression(base), try translator.expression(prefix)])
    }
}
