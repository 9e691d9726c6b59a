extension Context {
    /// The rows of an entity's table whose objects have been deleted since, also in this transaction: what is there
    /// now has come since.
    ///
    /// None where the numbers of rows don't come again, or nobody has watched.
    func departures(of entity: EntityPlan, since watch: DepartureWatch?) -> Set<Int64> {
        let root = store.plan.root(of: entity)
        guard let watch, !root.hasOwnNumbers else { return [] }
        var rows = watch.rows(of: root)
        for departed in statements.departed where departed.root == root.index {
            rows.insert(departed.row)
        }
        return rows
    }
}

extension Store {
    /// Begins to watch what is deleted: before it is read what is there, so that nothing goes in between.
    package func watchDepartures() -> DepartureWatch { writer.departures.watch() }
}
