/// The object at the other end of a to-one relationship: which it is, not what it holds.
public struct One<Destination: Entity>: Sendable {
    let row: Int64
    let store: Store

    /// Reads the object from the store as it is now.
    ///
    /// - Throws: `StoreError` where the object has gone, or is known by a reference only.
    public func fetch() throws -> Destination {
        try store.object(Destination.self, row: row)
    }
}

extension One: Hashable {
    /// Whether both are the same object.
    public static func == (left: One, right: One) -> Bool {
        left.row == right.row && left.store === right.store
    }

    /// Hashes which object it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(row) }
}

extension One: CustomStringConvertible {
    /// The entity and the number of the row, such as `One<User>(3)`.
    public var description: String { "One<\(Destination.entityName)>(\(row))" }
}
