/// A relationship's value in an object, of which those of many objects are read together.
///
/// `One`, an optional `One` and `Many` are.
public protocol ObjectLinks: Sendable {
    /// The type of the other end: an object or none for `One`, an array for `Many`.
    associatedtype Linked: Sendable

    /// Reads what is at the other ends, in as many statements for many as for one.
    static func fetch(_ links: [Self], in snapshot: Snapshot) throws -> [Linked]
}

extension One: ObjectLinks {
    /// Reads the objects with one statement, each once; nil are those that have not arrived, or have
    /// gone.
    ///
    /// - Throws: `StoreError` where an object is of another store, or was named in code by its
    ///   identity.
    public static func fetch(_ links: [One], in snapshot: Snapshot) throws -> [Destination?] {
        var rows: Set<Int64> = []
        for case .row(let row, let home) in links.map(\.content) {
            try snapshot.store.check(isHomeOf: home.store, Destination.entityName)
            rows.insert(row)
        }
        let objects =
            rows.isEmpty
            ? [:] : try snapshot.reader.completeObjects(Destination.self, rows: rows.sorted())
        return try links.map { link in
            try link.row.map { objects[$0] } ?? link.find()
        }
    }
}

extension Optional: ObjectLinks
where Wrapped: ObjectLinks, Wrapped.Linked: ExpressibleByNilLiteral {
    /// Reads what there is; nil is what there is not.
    public static func fetch(
        _ links: [Wrapped?], in snapshot: Snapshot
    ) throws -> [Wrapped.Linked] {
        var linked = try Wrapped.fetch(links.compactMap(\.self), in: snapshot).makeIterator()
        return links.map { $0 == nil ? nil : linked.next() ?? nil }
    }
}

extension Many: ObjectLinks where Element: Entity {
    /// Reads the objects with two statements for each relationship, each object once; those that have
    /// not arrived are left out.
    ///
    /// - Throws: `StoreError` where a list is of another store, or was named in code by identities.
    public static func fetch(_ links: [Many], in snapshot: Snapshot) throws -> [[Element]] {
        var owners: [Relationship: [Int64]] = [:]
        for content in links.map(\.content) {
            if case .rows(_, let store, _) = content {
                try snapshot.store.check(isHomeOf: store, Element.entityName)
            }
            guard case .relationship(let name, let owner, let entity, let home) = content else {
                continue
            }
            try snapshot.store.check(isHomeOf: home.store, Element.entityName)
            owners[Relationship(name: name, entity: entity), default: []].append(owner)
        }
        var linked: [Relationship: [Int64: [Element]]] = [:]
        for (relationship, owners) in owners {
            linked[relationship] = try snapshot.reader.objects(
                Element.self, of: relationship.name, owners: owners, entity: relationship.entity)
        }
        return try links.map { link in
            guard case .relationship(let name, let owner, let entity, _) = link.content else {
                return try link.fetch()
            }
            return linked[Relationship(name: name, entity: entity)]?[owner] ?? []
        }
    }

    private struct Relationship: Hashable {
        let name: String
        let entity: String
    }
}
