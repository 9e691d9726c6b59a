extension ObjectReading {
    /// The only object that a query finds.
    ///
    /// - Throws: `StoreError` with the code `missingObject` where there is none, `unexpectedValue`
    ///   where there are several.
    public func one<Object: Entity>(_ query: Query<Object>) throws -> Object {
        let limit = Swift.min(query.description.maximumCount ?? 2, 2)
        let objects = try reader { try $0.objects(query.limit(limit)) }
        guard let object = objects.first else {
            throw StoreError(.missingObject, "the query finds no object of \(Object.entityName)")
        }
        guard objects.count == 1 else {
            throw StoreError(
                .unexpectedValue, "the query finds several objects of \(Object.entityName)")
        }
        return object
    }

    /// Whether a query finds an object.
    public func exists<Object: Entity>(_ query: Query<Object>) throws -> Bool {
        let found: Int = try reader {
            try $0.value(query.description) { compiler throws(StoreError) in
                try compiler.exists(query.description)
            }
        }
        return found != 0
    }

    /// The first objects that a query finds, at most this many, and where to go on behind them.
    ///
    /// Pages are found by the sort keys of the last object, not by counting: the hundredth costs as
    /// much as the first where an index has the order.
    ///
    ///     var page = try store.page(query, size: 50)
    ///     while let next = page.next { page = try store.page(query, size: 50, after: next) }
    ///
    /// All pages together are what the query finds, also where it has a limit or an offset.
    ///
    /// - Throws: `StoreError` where the store can't be read, or the cursor comes from a query with
    ///   another order.
    public func page<Object: Entity>(
        _ query: Query<Object>, size: Int, after cursor: QueryCursor? = nil
    ) throws -> Page<Object> {
        try reader { try $0.page(query, size: size, after: cursor) }
    }
}
