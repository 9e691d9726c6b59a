import Foundation
import Testing

@testable import LarderObjectStore

extension Query {
    /// What stands behind `WHERE` in the query's SQL, its joins, and the values it binds.
    func compiled(for store: Store) throws -> (sql: String, values: [SQLValue]) {
        var compiler = QueryCompiler(
            entity: try store.plan.entity(Object.entityName), in: store.plan)
        let sql = try compiler.select(description, columns: ["id"])
        return (sql, compiler.values)
    }
}

extension Query {
    /// The SQL of a query's condition alone, with its values in place of the parameters.
    func conditionSQL(for store: Store) throws -> String {
        let (sql, values) = try compiled(for: store)
        let start = try #require(sql.range(of: " WHERE ")).upperBound
        let end = try #require(sql.range(of: " ORDER BY ", options: .backwards)).lowerBound
        var text = String(sql[start..<end])
        if let isComplete = text.range(of: #"t0."$reference" IS NULL AND "#) {
            text.removeSubrange(isComplete)
        }
        for (index, value) in values.enumerated().reversed() {
            text = text.replacing("?\(index + 1)", with: value.literal)
        }
        return text
    }
}
