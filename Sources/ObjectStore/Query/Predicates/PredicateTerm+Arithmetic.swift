import Foundation

extension PredicateTranslator {
    /// Returns the calculation of two numbers.
    fileprivate func calculation<Left: PredicateExpression, Right: PredicateExpression, Part>(
        _ left: Left, _ sign: String, _ right: Right, in part: Part
    ) throws(PredicateTranslationError) -> QueryExpression {
        guard Left.Output.self is any NumericValue.Type else {
            throw error(part, "SQLite does not calculate with values of type \(Left.Output.self)")
        }
        return .infix(try expression(left), sign, try expression(right))
    }
}

extension PredicateExpressions.Arithmetic: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        let sign =
            switch op {
            case .add: "+"
            case .subtract: "-"
            case .multiply: "*"
            @unknown default: throw translator.error(self, "the calculation is not known")
            }
        return try translator.calculation(lhs, sign, rhs, in: self)
    }
}

extension PredicateExpressions.UnaryMinus: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        let zero = PredicateExpressions.Value(0)
        guard Wrapped.Output.self is any NumericValue.Type else {
            throw translator.error(
                self, "SQLite does not calculate with values of type \(Wrapped.Output.self)")
        }
        return .infix(try translator.expression(zero), "-", try translator.expression(wrapped))
    }
}

extension PredicateExpressions.IntDivision: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        try translator.calculation(lhs, "/", rhs, in: self)
    }
}

extension PredicateExpressions.IntRemainder: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        try translator.calculation(lhs, "%", rhs, in: self)
    }
}

extension PredicateExpressions.FloatDivision: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        try translator.calculation(lhs, "/", rhs, in: self)
    }
}
