/// The effect of an array in the JSON on the links of a to-many relationship.
public enum LinkPolicy: String, Codable, Hashable, Sendable, CaseIterable {
    /// The links become exactly those of the array; what falls out stays in the store.
    case set
    /// Links are added, none is taken away.
    case union
    /// The links become exactly those of the array; what falls out is deleted.
    ///
    /// Where the document leads to it from around the array, inserting it is a `MappingError`.
    case replace
}
