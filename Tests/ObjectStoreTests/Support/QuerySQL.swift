@testable import LarderObjectStore

extension Query {
    /// What stands behind `WHERE` in the query's SQL, its joins, and the values it binds.
    func compiled(for store: Store) throws -> (sql: String, values: [SQLValue]) {
        var compiler = QueryCompiler(
            entity: try store.plan.entity(Object.entityName), in: store.plan)
        let sql = try compiler.select(self, columns: ["id"])
        return (sql, compiler.values)
    }
}
