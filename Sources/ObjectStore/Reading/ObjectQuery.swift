/// A question to a store that finds objects: a `Query`, or a `DynamicQuery` by the name of an entity.
///
/// Other types have no use for it, as they can make no `QueryDescription`; its requirements are the store's
/// to call.
public protocol ObjectQuery<Object>: Fetchable, Sendable where Fetched == Object {
    /// The type of what is found.
    associatedtype Object: Sendable

    /// The query as a store asks it.
    ///
    /// - Throws: `StoreError` for a name that the model does not have, `ExpressionError` for a mistake
    ///   in a condition or an order that is text.
    func description(in store: Store) throws -> QueryDescription

    /// Reads the objects that a query of this type finds.
    static func fetch(_ query: QueryDescription, in snapshot: Snapshot) throws -> [Object]
}

extension Query: ObjectQuery {
    /// The query as a store asks it.
    public func description(in store: Store) -> QueryDescription { description }

    /// Reads the objects that a query finds.
    public static func fetch(
        _ query: QueryDescription, in snapshot: Snapshot
    ) throws -> [Object] {
        try snapshot.reader.objects(Object.self, of: query)
    }
}

extension ObjectReading {
    /// The first object that a query finds, nil where there is none.
    ///
    /// - Throws: As `fetch` does.
    public func first<Objects: ObjectQuery>(_ query: Objects) throws -> Objects.Object? {
        try reading { try Objects.fetch(query.description(in: $0.store).first, in: $0).first }
    }

    /// Returns the number of objects that a query finds.
    ///
    /// - Throws: As `fetch` does.
    public func count(_ query: some ObjectQuery) throws -> Int {
        try reading { try $0.reader.count(query.description(in: $0.store)) }
    }

    /// Whether a query finds an object.
    ///
    /// - Throws: As `fetch` does.
    public func contains(_ query: some ObjectQuery) throws -> Bool {
        try reading { try $0.reader.contains(query.description(in: $0.store)) }
    }
}
