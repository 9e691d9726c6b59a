/// Any number of objects: those of a to-many relationship, or of a list that arrived as JSON.
///
/// For entities it holds which objects these are and reads them when asked, in one query, so that
/// a list of fifty thousand costs fifty thousand numbers. For wrappers it holds the values.
///
/// Entities that are made in code give theirs by a list: `Issue(id: 1, labels: [bug, ui])`.
public struct Many<Element: Importable>: Sendable {
    @usableFromInline
    enum Content: Sendable {
        /// The rows of a list, and how many elements it had in the JSON.
        case rows([Int64], Store, elementCount: Int? = nil)
        case relationship(String, owner: Int64, of: String, LinkedStore)
        case values([Element])
        case identities([[SQLValue]])
        case unchanged
    }

    @usableFromInline let content: Content

    @inlinable
    init(content: Content) {
        self.content = content
    }
}

extension Many where Element: Entity {
    /// No objects.
    public init() {
        content = .values([])
    }

    /// Objects to link, in order; those that the store does not have are saved with the owner.
    public init(_ objects: some Sequence<Element>) {
        content = .values(Array(objects))
    }

    /// The objects with these identities.
    ///
    /// Where the store has no such object when this is saved, it makes a reference.
    public init(ids: some Sequence<Element.ObjectID>) {
        content = .identities(ids.map(\.identityValues))
    }

    /// Whatever the store has: saving an object with it leaves the relationship as it is.
    public static var unchanged: Many { Many(content: .unchanged) }

    /// The number of objects, including references to those that have not arrived.
    ///
    /// - Throws: `StoreError` where a relationship's store can't be read, or is not known yet.
    public var count: Int {
        get throws {
            switch content {
            case .rows(let rows, _, _): rows.count
            case .relationship(let name, let owner, let entity, let home):
                try home.store.count(of: name, owner: owner, entity: entity)
            case .values(let values): values.count
            case .identities(let identities): identities.count
            case .unchanged: throw Self.unread
            }
        }
    }

    /// Reads the objects from the store as they are now, in order; those that a list in code gave
    /// are themselves.
    ///
    /// Objects that have not arrived are left out.
    ///
    /// - Throws: `StoreError` where an object of a list has gone, or was named in code by its
    ///   identity.
    public func fetch() throws -> [Element] {
        switch content {
        case .rows(let rows, let store, _):
            try store.objects(Element.self, rows: rows)
        case .relationship(let name, let owner, let entity, let home):
            try home.store.objects(Element.self, of: name, owner: owner, entity: entity)
        case .values(let values):
            values
        case .identities, .unchanged:
            throw Self.unread
        }
    }

    private static var unread: StoreError {
        StoreError(
            .missingObject,
            "objects of \(Element.entityName) that were named in code can be read from what they"
                + " were saved with, once it is saved")
    }
}

extension Many: ExpressibleByArrayLiteral where Element: Entity {
    /// Objects to link, in order.
    public init(arrayLiteral elements: Element...) {
        self.init(elements)
    }
}

extension Many {
    /// The number of elements of a list that has arrived, as they stood in the JSON; 0 for a relationship's.
    package var listedCount: Int {
        switch content {
        case .rows(let rows, _, let count): count ?? rows.count
        case .values(let values): values.count
        case .identities(let identities): identities.count
        case .relationship, .unchanged: 0
        }
    }
}

extension Many where Element: RandomAccessCollection {
    /// The lists, in the order of the JSON.
    @_disfavoredOverload
    public var values: [Element] {
        if case .values(let values) = content { values } else { [] }
    }

    /// The number of lists.
    @_disfavoredOverload
    public var count: Int { values.count }
}

extension Many where Element: Wrapper {
    /// The wrappers, in the order of the JSON.
    public var values: [Element] {
        if case .values(let values) = content { values } else { [] }
    }

    /// The number of wrappers.
    public var count: Int { values.count }
}

extension Many: Importable {
    /// Writes the elements of an array; null elements are passed over.
    public static func `import`(from value: JSONValue, in context: Context) throws -> Many {
        try Element.importMany(from: value, in: context)
    }
}

extension Many: Equatable, Hashable where Element: Entity {
    /// Whether both are the same: the relationship of one object, or a list of the same objects in the same order.
    ///
    /// What the objects hold, and which ones a relationship links by now, is not read for it. Objects that were
    /// given in code are the same by their identities; without identities a list is the same as its copies.
    public static func == (left: Many, right: Many) -> Bool {
        switch (left.content, right.content) {
        case (.rows(let rows, let store, _), .rows(let others, let other, _)):
            return store === other && rows == others
        case (
            .relationship(let name, let owner, let entity, let home),
            .relationship(let otherName, let otherOwner, let otherEntity, let other)
        ):
            return home.store === other.store && owner == otherOwner
                && (name, entity) == (otherName, otherEntity)
        case (.unchanged, .unchanged):
            return true
        case (.values(let objects), .values(let others)) where objects.shares(others):
            return true
        default:
            guard let identities = left.identities else { return false }
            return identities == right.identities
        }
    }

    /// Hashes which objects these are.
    public func hash(into hasher: inout Hasher) {
        switch content {
        case .rows(let rows, _, _): hasher.combine(rows)
        case .relationship(let name, let owner, _, _):
            hasher.combine(name)
            hasher.combine(owner)
        case .values(let objects):
            if let identities { hasher.combine(identities) } else { hasher.combine(objects.count) }
        case .identities(let identities): hasher.combine(identities)
        case .unchanged: break
        }
    }

    /// The identities of objects that were named or given in code, nil where one of them has none.
    private var identities: [[SQLValue]]? {
        switch content {
        case .rows, .relationship, .unchanged: return nil
        case .identities(let identities): return identities
        case .values(let objects):
            let identities = objects.compactMap { try? EntityValues(of: $0).identity }
            return identities.count == objects.count ? identities : nil
        }
    }
}

extension Array {
    /// Whether another one is a copy of this one that nobody has changed since.
    fileprivate func shares(_ other: Array) -> Bool {
        count == other.count
            && withUnsafeBufferPointer { elements in
                other.withUnsafeBufferPointer { $0.baseAddress == elements.baseAddress }
            }
    }
}

extension Many: CustomStringConvertible {
    /// A description of the objects, such as `Many<Label>(labels of Issue 1)` or
    /// `Many<Issue>(50 objects)`.
    public var description: String {
        switch content {
        case .rows(let rows, _, _): "Many<\(Element.self)>(\(rows.count) objects)"
        case .relationship(let name, let owner, let entity, _):
            "Many<\(Element.self)>(\(name) of \(entity) \(owner))"
        case .values(let values): "\(values)"
        case .identities(let identities): "Many<\(Element.self)>(\(identities.count) objects)"
        case .unchanged: "Many<\(Element.self)>(unchanged)"
        }
    }
}
