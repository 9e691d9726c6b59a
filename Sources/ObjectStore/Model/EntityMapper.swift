/// A rule that picks the sub-entity of a new object by the discriminator at a key path of its JSON.
///
/// It is asked when an object is inserted, never when one that is in the store is updated. A value
/// that is missing, `null` or not among those of the mapper leaves the object to the entity itself.
///
/// An entity without a mapper goes by that of its nearest ancestor, for what is below it.
public struct EntityMapper: Hashable, Sendable, Codable {
    /// The dotted key path of the value.
    public var key: String
    /// The names of entities by value; numbers and booleans count as they are spelled.
    public var values: [String: String]

    /// Picks entities by the value at a key path.
    public init(key: String, values: [String: String]) {
        self.key = key
        self.values = values
    }
}
