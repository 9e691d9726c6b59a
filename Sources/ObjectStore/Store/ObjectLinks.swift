/// A relationship's value in an object, of which those of many objects are read together.
///
/// `One`, an optional `One` and `Many` are.
public protocol ObjectLinks: Sendable {
    /// What is at the other end: an object, one or none, or any number.
    associatedtype Linked: Sendable

    /// Reads what is at the other ends, in as many statements for many as for one.
    static func fetch(_ links: [Self], in snapshot: Snapshot) throws -> [Linked]
}

extension One: ObjectLinks {
    /// Reads the objects with one statement, each once.
    ///
    /// - Throws: `StoreError` where an object has gone, is known by a reference only, or was named
    ///   in code by its identity.
    public static func fetch(_ links: [One], in snapshot: Snapshot) throws -> [Destination] {
        let rows = Set(links.compactMap(\.row)).sorted()
        let objects = Dictionary(
            uniqueKeysWithValues: zip(
                rows,
                rows.isEmpty ? [] : try snapshot.reader.objects(Destination.self, rows: rows)))
        return try links.map { link in
            try link.row.flatMap { objects[$0] } ?? link.fetch()
        }
    }
}

extension Optional: ObjectLinks where Wrapped: ObjectLinks {
    /// Reads what there is.
    public static func fetch(
        _ links: [Wrapped?], in snapshot: Snapshot
    ) throws -> [Wrapped.Linked?] {
        var linked = try Wrapped.fetch(links.compactMap(\.self), in: snapshot).makeIterator()
        return links.map { $0 == nil ? nil : linked.next() }
    }
}

extension Many: ObjectLinks where Element: Entity {
    /// Reads the objects with two statements for each relationship, each object once.
    ///
    /// - Throws: `StoreError` where the lists are not of one store, or were named in code by
    ///   identities.
    public static func fetch(_ links: [Many], in snapshot: Snapshot) throws -> [[Element]] {
        var owners: [Relationship: [Int64]] = [:]
        for case .relationship(let name, let owner, let entity, _) in links.map(\.content) {
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
