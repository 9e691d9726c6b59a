extension Context {
    /// Inserts an object, or updates the one that has its identity, and says which it is.
    ///
    /// All attributes and to-one relationships are written, a to-many relationship where it was
    /// made in code; one that was read is left as it is, also where it was read from another object and
    /// its objects can have one owner only. Objects that are linked are inserted where
    /// the store does not have them, and otherwise left as they are. Nothing is written where
    /// nothing has changed.
    ///
    /// Rules are checked at the end, on the objects that were inserted or updated.
    ///
    /// - Throws: `WritingError` or `StoreError`; nothing of the object is written then.
    @discardableResult
    public func save<Object: Entity>(_ object: Object) throws -> One<Object> {
        try write(object, .save)
    }

    /// Inserts objects, or updates those that have their identities, in one go.
    @discardableResult
    public func save<Object: Entity>(_ objects: some Sequence<Object>) throws -> Many<Object> {
        let rows = try writing {
            let writer = ObjectWriter(context: self)
            // Two with one identity are one object.
            var list = RowList(capacity: objects.underestimatedCount)
            for object in objects { list.append(try writer.write(object)) }
            return list.rows
        }
        return Many(content: .rows(rows, store))
    }

    /// Inserts an object that is not in the store yet.
    ///
    /// - Throws: `WritingError` where its identity is taken.
    @discardableResult
    public func insert<Object: Entity>(_ object: Object) throws -> One<Object> {
        try write(object, .insert)
    }

    /// Updates an object that is in the store.
    ///
    /// - Throws: `StoreError` with the reason `missingObject` where it is not.
    @discardableResult
    public func update<Object: Entity>(_ object: Object) throws -> One<Object> {
        try write(object, .update)
    }

    private func write<Object: Entity>(
        _ object: Object, _ mode: ObjectWriter.Mode
    ) throws -> One<Object> {
        let row = try writing { try ObjectWriter(context: self).write(object, mode) }
        return One(row: row, store: store)
    }
}

extension Context {
    /// Gives columns of the objects that a query finds new values, in one statement, and returns
    /// how many objects have changed.
    ///
    ///     try context.update(Issue.where { $0.state == .open }) {
    ///         $0.state.set(.closed)
    ///         $0.edits.increment()
    ///     }
    ///
    /// - Throws: `WritingError` where a value does not suit a column, an identity would change, or an
    ///   object would break a rule; nothing is written then.
    @discardableResult
    public func update<Object: Entity>(
        _ query: Query<Object>,
        @ColumnAssignmentBuilder _ assignments: (Object.Columns) throws -> [ColumnAssignment]
    ) throws -> Int {
        try writing {
            var update = try ColumnUpdate(query, in: self)
            for assignment in try assignments(Object.Columns(path: ColumnPath())) {
                try update.add(assignment)
            }
            return try update.run()
        }
    }
}

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
        try delete([EntityValues.link(object)], of: Object.self)
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

extension EntityPlan {
    /// The name of the column that is the rowid, as queries select it.
    fileprivate var rowidName: String { family.rowidName }
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
            defer { ruled.removeAll() }
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
        for (index, rows) in ruled.sorted(by: { $0.key < $1.key }) {
            let entity = store.plan.entities[index]
            for rules in entity.rules {
                guard let breach = try rules.breach(among: rows.sorted(), reader) else { continue }
                throw WritingError(entity: entity.name, reason: .rule(breach.rule))
            }
        }
    }
}
