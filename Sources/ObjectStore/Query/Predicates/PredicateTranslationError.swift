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
