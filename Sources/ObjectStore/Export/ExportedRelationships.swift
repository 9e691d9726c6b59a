/// The form that the objects at the other ends of relationships take in JSON.
public enum ExportedRelationships: Hashable, Sendable {
    /// Nothing: relationships are left out.
    case omitted
    /// The identity of each object: its value where that is one attribute, else an object of the
    /// attributes that identify it.
    ///
    /// Objects that nothing identifies are written themselves.
    case identities
    /// The objects themselves, each with its relationships.
    ///
    /// The relationship that leads straight back to where an object stands is left out. Identities
    /// take the place of objects that are known by a reference only, that stand inside themselves, or
    /// that a relationship deeper down leads back to; and of those that have been written, where a
    /// relationship leads on through itself, as from answer to answer.
    case nested
}
