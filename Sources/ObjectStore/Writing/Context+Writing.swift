extension Context {
    /// Writes an object.
    func write<Object: Entity>(_ object: Object, _ mode: ObjectWriter.Mode) throws -> One<Object> {
        let row = try writing { try ObjectWriter(context: self).write(object, mode) }
        return One(row: row, store: store)
    }

    /// Inserts or updates objects.
    func write<Object: Entity>(_ objects: some Sequence<Object>) throws -> Many<Object> {
        let rows = try writing {
            let writer = ObjectWriter(context: self)
            // Two with one identity are one object.
            var list = RowList(capacity: objects.underestimatedCount)
            for object in objects { list.append(try writer.write(object)) }
            return list.rows
        }
        return Many(content: .rows(rows, store))
    }

    /// Deletes the objects that a query finds.
    func delete(_ query: QueryDescription) throws -> Int {
        try writing {
            let entity = try store.plan.entity(query.entity)
            var compiler = QueryCompiler(entity: entity, in: store.plan)
            let rows = try compiler.select(query, columns: [entity.family.rowidName])
            try compiler.catchUpSearches(on: connection)
            return try Deletion(of: entity, in: self).delete(rows, compiler.values)
        }
    }

    /// Deletes what links lead to.
    func delete<Object: Entity>(
        _ links: [EntityValues.Link], of type: Object.Type
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

/// Counts what is deleted in the report, and has rules asked again.
extension Context: DeletionLog {
    func wantsRows(of entity: EntityPlan) -> Bool { !entity.rules.isEmpty }

    var mayComplete: Bool { false }

    func noteDeleted(_ change: DeletionChange, of entity: EntityPlan) {
        count(entity.name) { $0.deleted += change.count }
    }

    func noteEmptied(_ change: DeletionChange, areRequired: Bool, of entity: EntityPlan) {
        for row in change.rows ?? [] { expectRules(of: row, as: entity) }
        count(entity.name) { $0.updated += change.count }
    }

    func noteUnlinked(_ count: Int, of entity: EntityPlan) {
        self.count(entity.name) { $0.unlinked += count }
    }
}

/// The notes that those who write rows make of them.
extension Context {
    /// Runs a body that writes objects; nothing is left of it where it throws, or where an object
    /// breaks a rule in the end.
    func writing<Result>(_ body: () throws -> Result) throws -> Result {
        try whole {
            defer {
                ruled.removeAll()
                made.removeAll()
            }
            let result = try body()
            try checkRules()
            return result
        }
    }

    /// Has a to-one column of a row lead to another row, or to none, and notes what that means.
    func point(_ column: Int, of row: Int64, in entity: EntityPlan, to target: Int64?) throws {
        guard try rows.point(column, of: row, in: entity, to: target) else { return }
        let concrete = try rows.entity(of: row, as: entity)
        count(concrete.name) { $0.updated += 1 }
        expectRules(of: row, as: concrete)
    }

    /// Has the rules of an entity be asked about a row's object before the writing ends.
    func expectRules(of row: Int64, as entity: EntityPlan) {
        if !entity.rules.isEmpty { ruled[entity.index, default: []].insert(row) }
    }

    private func checkRules() throws {
        if ruled.isEmpty { return }
        try statements.writeLinks()
        guard let breach = try reader.breach(among: ruled.mapValues { $0.sorted() }) else { return }
        throw WritingError(entity: breach.entity.name, reason: .rule(breach.rule))
    }
}
