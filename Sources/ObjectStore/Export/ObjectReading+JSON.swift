public import Foundation

extension ObjectReading {
    /// Writes the objects that a query finds as JSON by the model, one after the other.
    ///
    ///     try store.export(Issue.all) { line in file.write(line); file.write(newline) }
    ///
    /// Every mapped property appears, an empty one as `null`; dotted key paths make nested objects;
    /// transformers are reversed where they can be, else the plain value is written. What a sub-entity
    /// is known by to its family's mapper is written too. Left out is what a transformer makes
    /// nothing of, and what an attribute beside a relationship, as of the key `user.login`, would say of
    /// the linked object that this does not say. Objects that are imported from it are the same again.
    ///
    /// Only the object that is being written is in memory.
    ///
    /// - Parameters:
    ///   - query: Which objects, in which order.
    ///   - relationships: What stands for the objects that they are linked to.
    ///   - body: Takes each object's JSON: UTF-8 without a line break.
    /// - Throws: What the body or a transformer throws, or `StoreError`: with the reason
    ///   `unexpectedValue` where JSON does not have a value, such as an infinite number or a date
    ///   beyond the year 9999 in ISO 8601; for a `DynamicQuery` also as `fetch` does.
    public func export(
        _ query: some ObjectQuery, relationships: ExportedRelationships = .nested,
        _ body: (Data) throws -> Void
    ) throws {
        try read {
            try $0.export(query.description(in: $0.store), relationships: relationships, body)
        }
    }

    /// The objects that a query finds as a JSON array, by the model.
    ///
    /// `export` hands them out one at a time, and says what they look like.
    ///
    /// - Parameters:
    ///   - query: Which objects, in which order.
    ///   - relationships: What stands for the objects that they are linked to.
    /// - Throws: What a transformer throws, or `StoreError`.
    public func json(
        _ query: some ObjectQuery, relationships: ExportedRelationships = .nested
    ) throws -> Data {
        try read { try $0.json(query.description(in: $0.store), relationships: relationships) }
    }

    /// The JSON of the object in the store that has the identity of a value, as the store has it.
    ///
    /// - Throws: `StoreError` with the reason `missingObject` where there is none, or where nothing
    ///   identifies the value; `WritingError` where its type does not hand over its identity; what a
    ///   transformer throws.
    public func json<Object: Entity>(
        of object: Object, relationships: ExportedRelationships = .nested
    ) throws -> Data {
        let identity = try EntityValues(of: object).identity
        return try read { snapshot in
            let plan = try snapshot.store.plan.entity(Object.entityName)
            guard let identity,
                let row = try snapshot.reader.rows(of: QueryDescription(of: plan, id: identity))
                    .first
            else {
                throw StoreError(
                    .missingObject, "the object of \(Object.entityName) is not in the store")
            }
            return try snapshot.json(
                of: row, as: Object.entityName, relationships: relationships)
        }
    }
}

extension Snapshot {
    /// Writes the objects that a query finds as JSON, one after the other.
    final func export(
        _ query: QueryDescription, relationships: ExportedRelationships,
        _ body: (Data) throws -> Void
    ) throws {
        let reader = try reader
        let plan = try store.plan.entity(query.entity)
        let exporter = try exporter(relationships)
        for row in try reader.rows(of: query) {
            try checkOpen()
            if let json = try exporter.json(of: row, as: plan) { try body(json) }
        }
    }

    /// The objects that a query finds as a JSON array.
    final func json(
        _ query: QueryDescription, relationships: ExportedRelationships
    ) throws -> Data {
        try array { try export(query, relationships: relationships, $0) }
    }

    /// The objects in rows as a JSON array.
    final func json(
        of rows: [Int64], as entity: String, relationships: ExportedRelationships
    ) throws -> Data {
        let plan = try store.plan.entity(entity)
        let exporter = try exporter(relationships)
        return try array { append in
            for row in rows { try append(exporter.json(whole: row, as: plan)) }
        }
    }

    /// The object in a row as JSON.
    final func json(
        of row: Int64, as entity: String, relationships: ExportedRelationships
    ) throws -> Data {
        try exporter(relationships).json(whole: row, as: store.plan.entity(entity))
    }

    private final func exporter(_ relationships: ExportedRelationships) throws -> Exporter {
        Exporter(
            connection: try reader.connection, plan: store.plan, relationships: relationships)
    }

    private final func array(_ write: ((Data) throws -> Void) throws -> Void) rethrows -> Data {
        var array = Data("[".utf8)
        try write { object in
            if array.count > 1 { array.append(UInt8(ascii: ",")) }
            array.append(object)
        }
        array.append(UInt8(ascii: "]"))
        return array
    }
}

extension Exporter {
    /// The JSON of an object that must be there; that of a reference is its identity.
    fileprivate func json(whole row: Int64, as entity: EntityPlan) throws -> Data {
        guard let json = try linkedJSON(of: row, as: entity) else {
            throw StoreError(
                .missingObject, "an object of \(entity.name) is not in the store any more")
        }
        return json
    }
}

extension Many where Element: Entity {
    /// The objects as a JSON array, by the model, as they are in the store now.
    ///
    /// See `ObjectReading.export` for what they look like; the identity stands for an object that has
    /// not arrived.
    ///
    /// - Parameter relationships: What stands for the objects that they are linked to.
    /// - Throws: What a transformer throws, or `StoreError`, also where an object has gone or was
    ///   made in code and is of no store yet.
    public func json(relationships: ExportedRelationships = .nested) throws -> Data {
        switch content {
        case .rows(let rows, let store, _):
            return try store.read {
                try $0.json(of: rows, as: Element.entityName, relationships: relationships)
            }
        case .relationship(let name, let owner, let entity, let home):
            return try home.store.read { snapshot in
                let rows = try snapshot.reader.rows(
                    of: name, owner: owner, entity: entity, includingReferences: true)
                return try snapshot.json(
                    of: rows, as: Element.entityName, relationships: relationships)
            }
        case .values, .identities, .unchanged:
            throw StoreError(
                .missingObject,
                "objects of \(Element.entityName) that were named in code become JSON by what they"
                    + " were saved as")
        }
    }
}

extension One {
    /// The object as JSON, by the model, as it is in the store now.
    ///
    /// See `ObjectReading.export` for what it looks like. That of an object which has not arrived is its
    /// identity, which makes the same reference where it is imported as `One`, unless that takes an object.
    ///
    /// - Parameter relationships: What stands for the objects that it is linked to.
    /// - Throws: What a transformer throws, or `StoreError`, also where the object has gone or was
    ///   made in code and is of no store yet.
    public func json(relationships: ExportedRelationships = .nested) throws -> Data {
        guard case .row(let row, let home) = content else {
            throw StoreError(
                .missingObject,
                "an object of \(Destination.entityName) that was made in code becomes JSON by what"
                    + " it was saved as")
        }
        return try home.store.read {
            try $0.json(of: row, as: Destination.entityName, relationships: relationships)
        }
    }
}
