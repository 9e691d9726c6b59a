extension ObjectReading {
    /// What is at the other ends of many relationships, in their order: `store.fetch(issues.map(\.user))`.
    ///
    /// It takes one statement for to-one relationships and two for to-many ones, however many there
    /// are.
    ///
    /// - Throws: `StoreError` where an object has gone, or is known by a reference only.
    public func fetch<Links: ObjectLinks>(_ links: some Sequence<Links>) throws -> [Links.Linked] {
        let links = Array(links)
        return try read { try Links.fetch(links, in: $0) }
    }

    /// The objects that a query finds, each with what some of its relationships lead to.
    ///
    ///     for (issue, user, labels) in try store.fetch(Issue.all, including: \.user, \.labels) { … }
    ///
    /// It takes a fixed number of statements, however many objects there are: one for the objects,
    /// one for each to-one relationship, two for each to-many one. All are read at one moment.
    ///
    /// - Throws: `StoreError` where the store can't be read, or a linked object is known by a
    ///   reference only.
    public func fetch<Object: Entity, each Links: ObjectLinks>(
        _ query: Query<Object>, including links: repeat KeyPath<Object, each Links>
    ) throws -> [(Object, repeat (each Links).Linked)] {
        try read { snapshot in
            let objects = try snapshot.fetch(query)
            let linked = (repeat try linked(of: objects, each links, in: snapshot))
            return objects.indices.map { (objects[$0], repeat (each linked)[$0]) }
        }
    }

    /// The objects that a query finds, each with what one of its relationships leads to.
    ///
    /// - Throws: `StoreError` where the store can't be read, or a linked object is known by a
    ///   reference only.
    public func fetch<Object: Entity, Links: ObjectLinks>(
        _ query: Query<Object>, including links: KeyPath<Object, Links>
    ) throws -> [(Object, Links.Linked)] {
        try read { snapshot in
            let objects = try snapshot.fetch(query)
            return Array(zip(objects, try linked(of: objects, links, in: snapshot)))
        }
    }

    private func linked<Object: Entity, Links: ObjectLinks>(
        of objects: [Object], _ links: KeyPath<Object, Links>, in snapshot: Snapshot
    ) throws -> [Links.Linked] {
        try Links.fetch(objects.map { $0[keyPath: links] }, in: snapshot)
    }
}
