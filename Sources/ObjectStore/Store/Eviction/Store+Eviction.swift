public import Foundation

extension Store {
    /// Deletes the objects that `Configuration.evictions` lets go, in one transaction, and gives
    /// their number by entity.
    ///
    /// Room in the file is used again by what is stored later; `vacuum` gives it back to the disk.
    ///
    /// - Parameter now: The moment that ages are counted to.
    /// - Throws: `StoreError`, also where an eviction names what the model does not have.
    @discardableResult
    public func evict(now: Date = Date()) throws -> [String: Int] {
        let statements = try configuration.evictions.map { ($0, try $0.statement(in: plan)) }
        return try writeRows { connection, changes in
            var counts: [String: Int] = [:]
            for (eviction, sql) in statements {
                let age = eviction.age.map { $0 / .seconds(1) } ?? 0
                let limit = now.timeIntervalSinceReferenceDate - age
                try connection.run(sql, eviction.age == nil ? [] : [.real(limit)])
                let count = connection.changeCount
                guard count > 0 else { continue }
                counts[eviction.entity, default: 0] += count
                for entity in plan.entities { changes.noteAll(of: entity) }
            }
            return counts
        }
    }
}
