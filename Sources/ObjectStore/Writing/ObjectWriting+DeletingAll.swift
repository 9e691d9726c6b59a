extension ObjectWriting {
    /// Deletes all objects, and references, but for those of some entities and of their families, and returns how
    /// many have gone.
    ///
    ///     try store.deleteAll(except: [Setting.self])
    ///
    /// They go together, so that none of them keeps another from going, and take nothing along of what stays, whatever
    /// their delete rules say. Pulls that go on where they were left begin anew, and what the store has kept of a client's
    /// responses, to answer by without the server, goes, that of what stays included; a cache of a client's is left as it
    /// is, and brings back what is fresh in it, unless it is flushed, too. No word of them stays in the
    /// indexes of full-text search, and once the transaction is committed none in the file's log, or behind a later one
    /// where somebody reads that for long.
    ///
    /// - Throws: `WritingError` where an object that stays would be left without something that it must have, or by
    ///   a rule keeps another; nothing is deleted then.
    @discardableResult
    public func deleteAll(except kept: [any Entity.Type] = []) throws -> Int {
        try write { context in
            try context.writing {
                let plan = context.store.plan
                let stays = Set(
                    try kept.map { try plan.root(of: plan.entity($0.entityName)).index })
                let roots = plan.entities.filter {
                    plan.root(of: $0) === $0 && !stays.contains($0.index)
                }
                let rows = try roots.map { root in
                    try context.rowNumbers(of: root)
                }
                for root in roots { try plan.search(of: root)?.empty(on: context.connection) }
                let count = try Deletion(
                    of: roots, in: plan, by: context.statements, telling: context,
                    sparing: stays
                )
                .delete(rows)
                // What they have brought is gone, and would not come again.
                try context.forgetPulls()
                try context.forgetResponses()
                context.connection.isLogToGo = true
                return count
            }
        }
    }
}

extension Context {
    /// The numbers of all rows of an entity's table.
    fileprivate func rowNumbers(of entity: EntityPlan) throws -> [Int64] {
        try connection.allRows("SELECT \(entity.rowid) FROM \(entity.table)").compactMap { row in
            if case .integer(let number) = row[0] { number } else { nil }
        }
    }
}
