/// A condition that each object of an entity must meet.
///
///     static var rules: [Rule<Event>] {
///         [Rule("ends after it starts") { $0.end > $0.start }]
///     }
///
/// Rules are checked at the end of an import, on the objects that it has inserted or updated, within
/// its transaction: a rule that an object breaks is a `MappingError`, and nothing is stored.
public struct Rule<Object: Entity>: Sendable {
    /// The name of the condition, as an error shows it.
    public let name: String
    let isFulfilled: @Sendable (Object) throws -> Bool

    /// Names a condition.
    public init(_ name: String, _ isFulfilled: @escaping @Sendable (Object) throws -> Bool) {
        self.name = name
        self.isFulfilled = isFulfilled
    }
}
