extension Mapper {
    /// Notes that an object has been fetched, which stands in a row.
    func noteFetched(_ row: Int64, of entity: EntityPlan) throws {
        guard let fetching else { return }
        try statements.fetchTimes(of: entity).note(row, at: fetching.time)
        fetching.note(row, of: entity)
    }
}
