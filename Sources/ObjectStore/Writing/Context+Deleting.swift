extension Context {
    /// Deletes an object, and what its relationships' delete rules say, and returns how many
    /// objects have gone; one that is not in the store any more is none.
    ///
    /// - Throws: `WritingError` where a rule denies it, or where an object that stays would be left
    ///   without something that it must have; nothing is deleted then.
    @discardableResult
    public func delete<Object: Entity>(_ object: Object) throws -> Int {
        try delete(One(object))
    }

    /// Deletes an object, and what its relationships' delete rules say.
    @discardableResult
    public func delete<Object: Entity>(_ object: One<Object>) throws -> Int {
        try delete([ObjectValues.link(object)], of: Object.self)
    }

    /// Deletes objects together, so that one of them does not keep another from going.
    @discardableResult
    public func delete<Object: Entity>(_ objects: some Sequence<Object>) throws -> Int {
        try delete(objects.map { .object($0) }, of: Object.self)
    }

    /// Deletes the objects that a query finds, in a few statements however many they are.
    @discardableResult
    public func delete<Object: Entity>(_ query: Query<Object>) throws -> Int {
        try writing {
            let entity = try store.plan.entity(Object.entityName)
            var compiler = QueryCompiler(entity: entity, in: store.plan)
            let rows = try compiler.select(query.description, columns: [entity.rowidName])
            try compiler.catchUpSearches(on: connection)
            return try Deletion(of: entity, in: self).delete(rows, compiler.values)
        }
    }

    private func delete<Object: Entity>(
        _ links: [ObjectValues.Link], of type: Object.Type
    ) throws -> Int {
        try writing {
            let entity = try store.plan.entity(type.entityName)
            let writer = ObjectWriter(context: self)
            let rows = try links.compactMap { link in
                // What has gone can't be found, and need not be.
                if case .row(let row, let other) = link, other === store { return row }
                return try writer.existingRow(of: link, in: entity)
            }
            return try Deletion(of: entity, in: self).delete(rows)
        }
    }
}

extension EntityPlan {
    /// The name of the column that is the rowid, as queries select it.
    fileprivate var rowidName: String { family.rowidName }
}
