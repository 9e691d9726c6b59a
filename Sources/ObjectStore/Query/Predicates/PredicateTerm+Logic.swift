import Foundation

extension PredicateExpressions.Conjunction: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        .joined(try translator.expression(lhs), .and, try translator.expression(rhs))
    }
}

extension PredicateExpressions.Disjunction: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        .joined(try translator.expression(lhs), .or, try translator.expression(rhs))
    }
}

extension PredicateExpressions.Negation: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        try translator.expression(wrapped).negated
    }
}

extension PredicateExpressions.Conditional: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        .function(
            "iif",
            [
                try translator.expression(test), try translator.expression(trueBranch),
                try translator.expression(falseBranch),
            ])
    }
}

// MARK: Values that may be empty

extension PredicateExpressions.NilCoalesce: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        .function("coalesce", [try translator.expression(lhs), try translator.expression(rhs)])
    }
}

extension PredicateExpressions.ForcedUnwrap: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        try translator.expression(inner)
    }
}

extension PredicateExpressions.OptionalFlatMap: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        let wrapped = try translator.expression(wrapped)
        let result = try translator.expression(transform, where: variable.key, is: wrapped)
        let isEmpty = QueryExpression.infix(wrapped, "IS", .value(.null))
        return .function("iif", [isEmpty, .value(.null), result])
    }
}
