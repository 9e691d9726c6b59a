extension One {
    /// The identity of the object, whether it has arrived or not.
    ///
    /// One whole number is at hand without reading. Any other identity is read from the store, and nil
    /// where the object has gone, or the store can't be read. Nil is also what nothing identifies.
    public var id: Destination.ObjectID? {
        identityValues.flatMap(Destination.ObjectID.init(identityValues:))
    }

    /// The values of the identity, nil as ``id`` is.
    var identityValues: [SQLValue]? {
        switch content {
        case .row(let row, let home):
            let store = home.store
            guard let plan = try? store.plan.entity(Destination.entityName) else { return nil }
            if case .rowid = plan.identity { return [.integer(row)] }
            return try? store.reading { try $0.reader.identity(of: row, as: plan) }
        case .identity(let values): return values
        case .object(let made): return made.identity
        }
    }

    /// Whether the object has arrived: false where it is known by a reference only, or has gone.
    ///
    /// - Throws: `StoreError` where the store can't be read, or the object was named by its identity in
    ///   code and so is of no store yet.
    public var isComplete: Bool {
        get throws {
            switch content {
            case .row(let row, let home):
                let store = home.store
                let plan = try store.plan.entity(Destination.entityName)
                return try store.reading { try $0.reader.isComplete(row, of: plan) } ?? false
            case .object: return true
            case .identity: throw Self.unsaved
            }
        }
    }
}

extension One: Importable {
    /// Writes an object, or finds or makes what a bare identity refers to, which need not have arrived.
    public static func `import`(from value: JSONValue, in context: Context) throws -> One {
        One(
            row: try context.map(value, as: Destination.entityName), store: context.store)
    }

    /// Writes an object, or finds or makes what a bare identity refers to; nil where it says that it is gone.
    public static func importIfAny(
        from value: JSONValue, in context: Context
    ) throws -> One? {
        try context.mapIfAny(value, as: Destination.entityName)
            .map { One(row: $0, store: context.store) }
    }

    /// Writes the objects of an array; an object that stands in it twice is one, and one that a later
    /// element deleted is none of them.
    public static func importAll(from array: JSONValue, in context: Context) throws -> [One] {
        let home = LinkedStore(context.store)
        return try context.mapElements(of: array, as: Destination.entityName)
            .map { One(row: $0, in: home) }
    }
}
