/// The object at the other end of a to-one relationship: which it is, not what it holds.
///
/// One that was read knows its place in the store. One that is made in code, of an object or of
/// an identity, finds its place when it is saved:
///
///     Issue(id: 1, title: "Crash", user: One(ann), milestone: One(id: 7))
public struct One<Destination: Entity>: Sendable {
    @usableFromInline
    enum Content: Sendable {
        case row(Int64, Store)
        case identity([SQLValue])
        case object(MadeObject<Destination>)
    }

    @usableFromInline let content: Content

    /// The object with an identity, its attributes in the order of the entity's identity.
    ///
    /// Where the store has no such object when this is saved, it makes a reference: an object that
    /// holds its identity alone until the rest arrives.
    public init(id values: any AttributeValue...) {
        content = .identity(values.map(\.sqlValue))
    }

    /// An object, which is saved along with what it is linked to where the store does not have it.
    public init(_ object: Destination) {
        content = .object(MadeObject(object))
    }

    @inlinable
    init(row: Int64, store: Store) {
        content = .row(row, store)
    }

    /// Reads the object from the store as it is now; an object that has not been saved is itself.
    ///
    /// - Throws: `StoreError` where the object has gone, is known by a reference only, or was named
    ///   by its identity in code and so is of no store yet.
    public func fetch() throws -> Destination {
        switch content {
        case .row(let row, let store): return try store.object(Destination.self, row: row)
        case .object(let made): return made.object
        case .identity:
            throw StoreError(
                .missingObject,
                "an object of \(Destination.entityName) that was named in code can be read from"
                    + " what it was saved with, once it is saved")
        }
    }
}

extension One {
    /// The object's row, nil where it was made in code.
    var row: Int64? {
        if case .row(let row, _) = content { row } else { nil }
    }

    /// What identifies an object that was made in code.
    var identity: [SQLValue]? {
        switch content {
        case .row: nil
        case .identity(let values): values
        case .object(let made): made.identity
        }
    }
}

extension One: Hashable {
    /// Whether both are the same object: of one store, or made in code with one identity.
    public static func == (left: One, right: One) -> Bool {
        if case .row(let leftRow, let leftStore) = left.content,
            case .row(let rightRow, let rightStore) = right.content
        {
            return leftRow == rightRow && leftStore === rightStore
        }
        if case .object(let left) = left.content, case .object(let right) = right.content,
            left === right
        {
            return true
        }
        guard let identity = left.identity else { return false }
        return identity == right.identity
    }

    /// Hashes which object it is.
    public func hash(into hasher: inout Hasher) {
        switch content {
        case .row(let row, _): hasher.combine(row)
        case .identity(let values): hasher.combine(values)
        case .object(let made):
            if let identity = made.identity {
                hasher.combine(identity)
            } else {
                hasher.combine(ObjectIdentifier(made))
            }
        }
    }
}

extension One: CustomStringConvertible {
    /// The entity and the number of the row, such as `One<User>(3)`, or the identity that was given
    /// in code, such as `One<User>(id: 3)`.
    public var description: String {
        let name = "One<\(Destination.entityName)>"
        if let row { return "\(name)(\(row))" }
        guard let identity else { return "\(name)(new)" }
        return "\(name)(id: \(identity.map(\.plainText).joined(separator: ", ")))"
    }
}

/// An object that a relationship was given in code.
@usableFromInline
final class MadeObject<Object: Entity>: Sendable {
    let object: Object
    /// What identifies it, nil where nothing does.
    let identity: [SQLValue]?

    init(_ object: Object) {
        self.object = object
        identity = try? ObjectValues(of: object).identity
    }
}

extension SQLValue {
    /// The value for people to read.
    fileprivate var plainText: String {
        switch self {
        case .null: "nil"
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let value): value
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}
