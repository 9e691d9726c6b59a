import Foundation

extension PredicateExpressions.Equal: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        .infix(try translator.expression(lhs), "IS", try translator.expression(rhs))
    }
}

extension PredicateExpressions.NotEqual: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        .infix(try translator.expression(lhs), "IS NOT", try translator.expression(rhs))
    }
}

extension PredicateExpressions.Comparison: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        let sign =
            switch op {
            case .lessThan: "<"
            case .lessThanOrEqual: "<="
            case .greaterThan: ">"
            case .greaterThanOrEqual: ">="
            @unknown default: throw translator.error(self, "the comparison is not known")
            }
        return .infix(
            try translator.expression(lhs).ordered(by: LHS.Output.self), sign,
            try translator.expression(rhs))
    }
}

// MARK: Ranges and lists

extension PredicateExpressions.RangeExpressionContains: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        let element = try translator.expression(element).ordered(by: Element.Output.self)
        guard let bounds = try translator.bounds(range) else {
            throw translator.error(self, "\(RangeExpression.Output.self) is no range of values")
        }
        let tests = [
            bounds.lower.map { QueryExpression.infix(element, ">=", $0) },
            bounds.upper.map {
                QueryExpression.infix(element, bounds.includesUpper ? "<=" : "<", $0)
            },
        ].compactMap(\.self)
        guard let first = tests.first else { return .value(.integer(1)) }
        return tests.dropFirst().reduce(first) { .joined($0, .and, $1) }
    }
}

extension PredicateExpressions.SequenceContains: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        guard let sequence = translator.constant(sequence) else {
            throw translator.error(self, "only lists of constants can be searched for an element")
        }
        let element = try translator.expression(element)
        var values: [SQLValue] = []
        for value in sequence {
            guard let value = value as? any AttributeValue else {
                throw translator.error(
                    self, "no attribute holds values of type \(LHS.Output.Element.self)")
            }
            values.append(value.keptValue)
        }
        let found = QueryExpression.infix(element, "IN", .list(values.filter { $0 != .null }))
        guard values.contains(.null) else { return found }
        return .joined(found, .or, .infix(element, "IS", .value(.null)))
    }
}

extension QueryExpression {
    /// The value in the order of its Swift type.
    fileprivate func ordered<Value>(by type: Value.Type) -> QueryExpression {
        guard let type = type as? any AttributeValue.Type else { return self }
        return ordered(as: type.attributeType)
    }
}
