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
