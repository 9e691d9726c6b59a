extension Context {
    /// The rows of an entity's table whose objects have been deleted since, also in this transaction: what is there
    /// now has come since.
    ///
    /// None where the numbers of rows don't come again, or nobody has watched.
    func departures(of entity: EntityPlan, since watch: RowWatch?) -> Set<Int64> {
        let root = store.plan.root(of: entity)
        guard let watch, !root.hasOwnNumbers else { return [] }
        return rows(noted: .gone(root: root.index), since: watch)
    }

    /// The rows of an entity's table that lists have brought since, also in this transaction, of objects that nothing
    /// identifies.
    func arrivals(of entity: EntityPlan, since watch: RowWatch?) -> Set<Int64> {
        rows(noted: .brought(root: entity.family.members[0]), since: watch)
    }

    /// Those of them whose place another list has taken, in a scope where one is given.
    func replacements(
        of entity: EntityPlan, in scope: String? = nil, since watch: RowWatch?
    ) -> Set<Int64> {
        let root = entity.family.members[0]
        let note = scope.map { NotedRow.Note.replacedIn(scope: $0, root: root) }
        return rows(noted: note ?? .replaced(root: root), since: watch)
    }

    private func rows(noted note: NotedRow.Note, since watch: RowWatch?) -> Set<Int64> {
        var rows = watch?.rows(note) ?? []
        for noted in statements.notedRows where noted.note == note { rows.insert(noted.row) }
        return rows
    }
}

extension Store {
    /// Begins to watch what comes and goes: before it is read what is there, so that nothing does in between.
    package func watchRows() -> RowWatch { writer.notedRows.watch() }
}
