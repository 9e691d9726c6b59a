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
        let prefix = try translator.expression(prefix)
        // SQLite counts up to the first NUL only.
        let length =
            if case .value(.text(let text)) = prefix {
                QueryExpression.value(.integer(Int64(text.unicodeScalars.count)))
            } else {
                QueryExpression.function("length", [prefix])
            }
        let start = QueryExpression.function(
            "substr", [try translator.expression(base), .value(.integer(1)), length])
        return .infix(start, "=", prefix)
    }
}
