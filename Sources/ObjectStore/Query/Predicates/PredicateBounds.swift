import Foundation

/// The lower and the upper bound of a range.
struct PredicateBounds {
    /// Nil where it begins with the smallest value.
    let lower: QueryExpression?
    /// Nil where it ends with the largest value.
    let upper: QueryExpression?
    let includesUpper: Bool
}

extension PredicateTranslator {
    /// The bounds of a range that is written down or captured, nil where it is no range of values.
    func bounds<Part: PredicateExpression>(
        _ part: Part
    ) throws(PredicateTranslationError) -> PredicateBounds? {
        if let range = part as? any BoundedTerm { return try range.bounds(self) }
        return (constant(part) as? any ValueRange)?.bounds
    }
}

/// A range in a predicate whose bounds may depend on the object.
private protocol BoundedTerm {
    func bounds(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> PredicateBounds
}

extension PredicateExpressions.Range: BoundedTerm {
    fileprivate func bounds(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> PredicateBounds {
        PredicateBounds(
            lower: try translator.expression(lower), upper: try translator.expression(upper),
            includesUpper: false)
    }
}

extension PredicateExpressions.ClosedRange: BoundedTerm {
    fileprivate func bounds(
        _ translator: PredicateTranslator
    ) throws(PredicateTranslationError) -> PredicateBounds {
        PredicateBounds(
            lower: try translator.expression(lower), upper: try translator.expression(upper),
            includesUpper: true)
    }
}

/// A range of values that attributes can hold.
private protocol ValueRange {
    var bounds: PredicateBounds { get }
}

extension Range: ValueRange where Bound: AttributeValue {
    fileprivate var bounds: PredicateBounds {
        PredicateBounds(
            lower: .value(lowerBound.keptValue), upper: .value(upperBound.keptValue),
            includesUpper: false)
    }
}

extension ClosedRange: ValueRange where Bound: AttributeValue {
    fileprivate var bounds: PredicateBounds {
        PredicateBounds(
            lower: .value(lowerBound.keptValue), upper: .value(upperBound.keptValue),
            includesUpper: true)
    }
}

extension PartialRangeFrom: ValueRange where Bound: AttributeValue {
    fileprivate var bounds: PredicateBounds {
        PredicateBounds(lower: .value(lowerBound.keptValue), upper: nil, includesUpper: true)
    }
}

extension PartialRangeThrough: ValueRange where Bound: AttributeValue {
    fileprivate var bounds: PredicateBounds {
        PredicateBounds(lower: nil, upper: .value(upperBound.keptValue), includesUpper: true)
    }
}

extension PartialRangeUpTo: ValueRange where Bound: AttributeValue {
    fileprivate var bounds: PredicateBounds {
        PredicateBounds(lower: nil, upper: .value(upperBound.keptValue), includesUpper: false)
    }
}
