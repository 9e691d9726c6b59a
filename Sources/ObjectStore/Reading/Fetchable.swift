/// What a store fetches: a query, or the links of many objects.
///
/// Arrays, slices of these, sets and lazy maps of links are, for `fetch(issues.map(\.user))`; of
/// another sequence make an `Array`. Its requirement is the store's to call.
public protocol Fetchable<Fetched> {
    // Queries and links share one `fetch`: of several, the compiler explained a mistake behind a
    // right call by a call that it wasn't.

    /// The type of what is fetched: a query's objects, or what each link leads to.
    associatedtype Fetched

    /// Reads what is fetched.
    func fetched(from source: some ObjectReading) throws -> [Fetched]
}

extension ObjectReading {
    /// The objects that a query finds, or what many links lead to, in their order.
    ///
    ///     let issues = try store.fetch(Issue.where { $0.state == .open })
    ///     let users = try store.fetch(issues.map(\.user))
    ///
    /// Links take one statement for to-one relationships and two for to-many ones, however many
    /// there are. An object that has not arrived, or has gone, is nil, or left out of a to-many
    /// relationship.
    ///
    /// - Throws: `StoreError` where the store can't be read or does not have what the query names,
    ///   or where a link is of another store or was named in code by its identity;
    ///   `ExpressionError` for a mistake in a condition or an order that is text.
    public func fetch<Wanted: Fetchable>(_ wanted: Wanted) throws -> [Wanted.Fetched] {
        try wanted.fetched(from: self)
    }
}

extension ObjectQuery {
    /// Reads the objects that the query finds.
    public func fetched(from source: some ObjectReading) throws -> [Object] {
        try source.reading { try Self.fetch(description(in: $0.store), in: $0) }
    }
}

extension Sequence where Element: ObjectLinks {
    /// Reads the other ends.
    fileprivate func ends(in source: some ObjectReading) throws -> [Element.Linked] {
        try source.read { try Element.fetch(Array(self), in: $0) }
    }
}

extension Array: Fetchable where Element: ObjectLinks {
    /// Reads what the links lead to.
    public func fetched(from source: some ObjectReading) throws -> [Element.Linked] {
        try ends(in: source)
    }
}

extension ArraySlice: Fetchable where Element: ObjectLinks {
    /// Reads what the links lead to.
    public func fetched(from source: some ObjectReading) throws -> [Element.Linked] {
        try ends(in: source)
    }
}

extension Set: Fetchable where Element: ObjectLinks {
    /// Reads what the links lead to.
    public func fetched(from source: some ObjectReading) throws -> [Element.Linked] {
        try ends(in: source)
    }
}

extension LazyMapSequence: Fetchable where Element: ObjectLinks {
    /// Reads what the links lead to.
    public func fetched(from source: some ObjectReading) throws -> [Element.Linked] {
        try ends(in: source)
    }
}
