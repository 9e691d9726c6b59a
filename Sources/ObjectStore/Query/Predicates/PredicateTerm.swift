import Foundation

/// A part of Foundation's predicates that a query can ask.
protocol PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression
}

extension PredicateExpressions.Variable: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        if let value = try translator.value(of: key) { return value }
        throw translator.error(self, "the object as a whole is no value")
    }
}

extension PredicateExpressions.KeyPath: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        if let variable = root as? any ObjectVariable, try translator.value(of: variable.key) == nil
        {
            return try translator.column(keyPath)
        }
        if let value = translator.constant(self) { return try translator.value(value, of: self) }
        let root = try translator.expression(root)
        if (keyPath as AnyKeyPath) == \String.isEmpty {
            return .infix(root, "=", .value(.text("")))
        }
        throw translator.error(
            self, "\(translator.text(of: keyPath)) is no attribute of \(translator.entity.name)")
    }
}

extension PredicateExpressions.Value: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        try translator.value(value, of: self)
    }
}

extension PredicateExpressions.NilLiteral: PredicateTerm {
    func expression(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> QueryExpression {
        .value(.null)
    }
}

/// A variable whose type is not known.
private protocol ObjectVariable {
    var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: ObjectVariable {}

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
