/// The object at the other end of a to-one relationship: which it is, not what it holds.
///
/// One that was read knows its place in the store. One that is made in code, of an object or of
/// an identity, finds its place when it is saved:
///
///     Issue(id: 1, title: "Crash", user: One(ann), milestone: One(id: 7))
public struct One<Destination: Entity>: Sendable {
    @usableFromInline
    enum Content: Sendable {
        case row(Int64, LinkedStore)
        case identity([SQLValue])
        case object(MadeObject<Destination>)
    }

    @usableFromInline let content: Content

    /// The object with an identity.
    ///
    /// Where the store has no such object when this is saved, it makes a reference: an object that
    /// holds its identity alone until the rest arrives.
    public init(id: Destination.ObjectID) {
        self.init(identityValues: id.identityValues)
    }

    /// The object with an identity, its values in the order of the entity's identity.
    @_disfavoredOverload  // What is wrong is told of the other one.
    public init(id values: any AttributeValue...) where Destination.ObjectID == IdentityValues {
        self.init(identityValues: values.map(\.keptValue))
    }

    /// Says that an identity is of another type.
    @available(
        *, unavailable,
        message:
            "the identity is of another type than the entity's 'ObjectID', that of its '@Identity'"
    )
    @_disfavoredOverload
    public init(id: some AttributeValue) where Destination.ObjectID: AttributeValue {
        content = .identity([])
    }

    /// Says how the parts of an identity are named.
    @available(
        *, unavailable,
        message: "name the parts of the identity: 'One(id: .init(suit: \"hearts\", rank: 1))'"
    )
    public init(id first: some AttributeValue, _ others: any AttributeValue...)
    where Destination.ObjectID: CompositeIdentity {
        content = .identity([])
    }

    init(identityValues: [SQLValue]) {
        content = .identity(identityValues)
    }

    /// An object, which is saved along with what it is linked to where the store does not have it.
    ///
    /// Where several links are this one, what is saved together is one object, be it identified or not.
    public init(_ object: Destination) {
        content = .object(MadeObject(object))
    }

    @inlinable
    init(row: Int64, in home: LinkedStore) {
        content = .row(row, home)
    }

    init(row: Int64, store: Store) {
        self.init(row: row, in: LinkedStore(store))
    }

    /// Reads the object from the store as it is now; an object that has not been saved is itself.
    ///
    /// ``find()`` gives nil where there is none.
    ///
    /// - Throws: `StoreError`: `incompleteObject` where the object is known by a reference only and has
    ///   not arrived, `missingObject` where it has gone, or was named by its identity in code and so is
    ///   of no store yet.
    public func fetch() throws -> Destination {
        switch content {
        case .row(let row, let home):
            return try home.store.object(Destination.self, row: row)
        case .object(let made): return made.object
        case .identity: throw Self.unsaved
        }
    }

    /// Reads the object from the store as it is now, nil where it has not arrived or has gone.
    ///
    /// - Throws: `StoreError` where the store can't be read, or the object was named by its identity in
    ///   code and so is of no store yet.
    public func find() throws -> Destination? {
        switch content {
        case .row(let row, let home):
            return try home.store.reading { try $0.reader.find(Destination.self, row: row) }
        case .object(let made): return made.object
        case .identity: throw Self.unsaved
        }
    }

    static var unsaved: StoreError {
        StoreError(
            .missingObject,
            "an object of \(Destination.entityName) that was named in code can be read from"
                + " what it was saved with, once it is saved")
    }
}

extension One {
    /// The object's row, nil where it was made in code.
    var row: Int64? {
        if case .row(let row, _) = content { row } else { nil }
    }

    /// The identity of an object that was made in code, nil for one of the store.
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
        if case .row(let leftRow, let leftHome) = left.content,
            case .row(let rightRow, let rightHome) = right.content
        {
            return leftRow == rightRow && leftHome.store === rightHome.store
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
    /// The entity and what identifies the object, such as `One<User>(id: ann)`; what nothing
    /// identifies is `One<Line>(row 3)`, or `One<Line>(new)` where it was made in code.
    public var description: String {
        let name = "One<\(Destination.entityName)>"
        if let identityValues {
            return "\(name)(id: \(IdentityValues(identityValues: identityValues)))"
        }
        return row.map { "\(name)(row \($0))" } ?? "\(name)(new)"
    }
}

/// An object that a relationship was given in code.
@usableFromInline
final class MadeObject<Object: Entity>: Sendable {
    let object: Object
    /// The object's identity, nil where nothing identifies it.
    let identity: [SQLValue]?

    init(_ object: Object) {
        self.object = object
        identity = try? EntityValues(of: object).identity
    }
}
