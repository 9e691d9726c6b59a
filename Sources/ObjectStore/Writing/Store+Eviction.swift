public import Foundation

extension Store {
    /// Deletes the objects that `Configuration.evictions` lets go, and what goes along with them, in
    /// one transaction, and gives their number by entity.
    ///
    /// Room in the file is used again by what is stored later; `vacuum` gives it back to the disk.
    ///
    /// - Parameter date: The moment that ages are counted to.
    /// - Throws: `StoreError`, also where an eviction names what the model does not have, or
    ///   `WritingError` where an object that stays would break a rule of its entity; nothing is
    ///   deleted then.
    @discardableResult
    public func evict(at date: Date = Date()) throws -> [String: Int] {
        try evict(configuration.evictions, at: date)
    }

    /// Deletes the objects of an entity that were last fetched before a moment, and what goes along with them, as
    /// ``evict(at:)`` does, and gives their number by entity.
    ///
    ///     try store.evict(Issue.self, fetchedBefore: lastWeek)
    ///
    /// The entity must keep when objects were fetched: by `@Entity(fetchedAt: true)`. What no JSON has brought
    /// stays.
    ///
    /// - Throws: `StoreError`, also where the entity does not keep that, or `WritingError` where an object that
    ///   stays would break a rule of its entity; nothing is deleted then.
    @discardableResult
    public func evict<Object: Entity>(
        _ type: Object.Type, fetchedBefore date: Date
    ) throws -> [String: Int] {
        try evict([Eviction(type, olderThan: .zero)], at: date)
    }

    private func evict(_ evictions: [Eviction], at date: Date) throws -> [String: Int] {
        let evictions = try evictions.map { ($0, try $0.statement(in: plan)) }
        if evictions.isEmpty { return [:] }
        return try write { context in
            try context.writing {
                for (eviction, rows) in evictions {
                    let age = eviction.age.map { $0 / .seconds(1) } ?? 0
                    let limit = date.timeIntervalSinceReferenceDate - age
                    let deletion = Deletion(of: try plan.entity(eviction.entity), in: context)
                    _ = try deletion.delete(
                        rows, eviction.age == nil ? [] : [.real(limit)], isSparing: true)
                }
            }
            return context.report.entities.mapValues(\.deleted).filter { $0.value > 0 }
        }
    }
}
