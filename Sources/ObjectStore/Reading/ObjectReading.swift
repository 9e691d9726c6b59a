/// A source of objects: a store, a snapshot or a transaction.
///
/// All of it throws `StoreError` where the store can't be read.
public protocol ObjectReading {
    /// Runs a body that reads the store as it is at one moment.
    func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result
}

extension Store: ObjectReading {}

extension Snapshot: ObjectReading {
    /// Runs a body that reads this snapshot.
    public final func read<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
        try body(self)
    }
}

extension ObjectReading {
    /// Reads with one statement, which is a snapshot by itself.
    func reading<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
        guard let store = self as? Store else { return try read(body) }
        return try store.readingOnce(body)
    }

    /// Reads with one statement.
    func reader<Result>(_ body: (Reader) throws -> Result) throws -> Result {
        try reading { try body($0.reader) }
    }
}

extension ObjectReading {
    /// The object with an identity; nil where there is none, where only a reference to it has arrived,
    /// or where the identity is nil itself.
    ///
    ///     let issue = try store.find(Issue.self, id: 42)
    ///     let author = try store.find(User.self, id: issue.author?.id)
    ///
    /// - Throws: `StoreError` where the store can't be read, or its model identifies the entity by
    ///   another number or type of values.
    public func find<Object: Entity>(
        _ type: Object.Type = Object.self, id: Object.ObjectID?
    ) throws -> Object? {
        guard let id else { return nil }
        return try reading { try $0.reader.find(type, id: id.identityValues) }
    }

    /// The object with an identity, its values in the order of the entity's identity; nil where
    /// there is none, or where only a reference to it has arrived.
    ///
    /// - Throws: `StoreError` where the entity is identified by another number or type of values, or
    ///   the store can't be read.
    @_disfavoredOverload  // What is wrong is told of the other one.
    public func find<Object: Entity>(
        _ type: Object.Type = Object.self, id values: any AttributeValue...
    ) throws -> Object? where Object.ObjectID == IdentityValues {
        try find(type, id: IdentityValues(identityValues: values.map(\.keptValue)))
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
    /// - Parameter size: The most objects of the page; less than one counts as one.
    /// - Throws: `StoreError` where the store can't be read, or the cursor comes from a query with
    ///   another order.
    public func page<Object: Entity>(
        _ query: Query<Object>, size: Int, after cursor: QueryCursor? = nil
    ) throws -> Page<Object> {
        try reading { try $0.reader.page(query, size: size, after: cursor) }
    }
}

extension ObjectReading {
    /// The objects that a query finds, each with what some of its relationships lead to.
    ///
    ///     for (issue, user, labels) in try store.fetch(Issue.all, including: \.user, \.labels) { … }
    ///
    /// A linked object that has not arrived is nil, whether the relationship may be empty or not, or left
    /// out of a to-many relationship.
    ///
    /// It takes a fixed number of statements, however many objects there are: one for the objects,
    /// one for each to-one relationship, two for each to-many one. All are read at one moment.
    ///
    /// - Throws: `StoreError` where the store can't be read.
    public func fetch<
        Object: Entity, First: ObjectLinks, Second: ObjectLinks, Third: ObjectLinks,
        Fourth: ObjectLinks, each Links: ObjectLinks
    >(
        _ query: Query<Object>, including first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>, _ third: KeyPath<Object, Third>,
        _ fourth: KeyPath<Object, Fourth>, _ others: repeat KeyPath<Object, each Links>
    ) throws -> [(
        Object, First.Linked, Second.Linked, Third.Linked, Fourth.Linked,
        repeat (each Links).Linked
    )] {
        try read { snapshot in
            let objects = try snapshot.fetch(query)
            let first = try linked(of: objects, first, in: snapshot)
            let second = try linked(of: objects, second, in: snapshot)
            let third = try linked(of: objects, third, in: snapshot)
            let fourth = try linked(of: objects, fourth, in: snapshot)
            let others = (repeat try linked(of: objects, each others, in: snapshot))
            return objects.indices.map {
                (
                    objects[$0], first[$0], second[$0], third[$0], fourth[$0],
                    repeat (each others)[$0]
                )
            }
        }
    }

    /// The objects that a query finds, each with what one of its relationships leads to.
    ///
    /// - Throws: `StoreError` where the store can't be read.
    public func fetch<Object: Entity, Links: ObjectLinks>(
        _ query: Query<Object>, including links: KeyPath<Object, Links>
    ) throws -> [(Object, Links.Linked)] {
        try read { snapshot in
            let objects = try snapshot.fetch(query)
            return Array(zip(objects, try linked(of: objects, links, in: snapshot)))
        }
    }

    // Swift 6.3 can make no `Any` of what it reads from the result of a parameter pack, as from
    // `fetch(…).count`, and can't say so; up to three relationships take no pack. A pack alone could
    // be empty, and have the compiler explain by it what is wrong behind a `fetch(query)`.

    /// The objects that a query finds, each with what two of its relationships lead to.
    ///
    /// - Throws: `StoreError` where the store can't be read.
    public func fetch<Object: Entity, First: ObjectLinks, Second: ObjectLinks>(
        _ query: Query<Object>, including first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>
    ) throws -> [(Object, First.Linked, Second.Linked)] {
        try read { snapshot in
            let objects = try snapshot.fetch(query)
            let first = try linked(of: objects, first, in: snapshot)
            let second = try linked(of: objects, second, in: snapshot)
            return objects.indices.map { (objects[$0], first[$0], second[$0]) }
        }
    }

    /// The objects that a query finds, each with what three of its relationships lead to.
    ///
    /// - Throws: `StoreError` where the store can't be read.
    public func fetch<
        Object: Entity, First: ObjectLinks, Second: ObjectLinks, Third: ObjectLinks
    >(
        _ query: Query<Object>, including first: KeyPath<Object, First>,
        _ second: KeyPath<Object, Second>, _ third: KeyPath<Object, Third>
    ) throws -> [(Object, First.Linked, Second.Linked, Third.Linked)] {
        try read { snapshot in
            let objects = try snapshot.fetch(query)
            let first = try linked(of: objects, first, in: snapshot)
            let second = try linked(of: objects, second, in: snapshot)
            let third = try linked(of: objects, third, in: snapshot)
            return objects.indices.map { (objects[$0], first[$0], second[$0], third[$0]) }
        }
    }

    private func linked<Object: Entity, Links: ObjectLinks>(
        of objects: [Object], _ links: KeyPath<Object, Links>, in snapshot: Snapshot
    ) throws -> [Links.Linked] {
        try Links.fetch(objects.map { $0[keyPath: links] }, in: snapshot)
    }
}
