/// A rule for the objects of an entity that a store lets go of when it is told to, to stay small.
///
/// Objects go as `Store.delete` deletes them, with what their delete rules take along; those that it
/// would refuse to delete stay, since others can't be without them or a rule denies it.
public struct Eviction: Hashable, Sendable {
    /// The entity's name.
    public let entity: String
    /// The attribute of type `date` that tells an object's age, such as when it was last used; nil: its age is
    /// the time since it was last fetched, which the entity must keep.
    public let attribute: String?
    /// The age from which objects go; nil: none goes for its age.
    public let age: Duration?
    /// The most objects that stay, the youngest; nil: any number.
    public let count: Int?

    /// Describes an eviction.
    ///
    /// - Parameters:
    ///   - attribute: The name of the attribute that tells an object's age, set by the app or mapped
    ///     from JSON. An object without one is the oldest where objects are counted, and of no age
    ///     otherwise.
    ///   - age: The age from which objects go.
    ///   - count: The most objects that stay, the youngest.
    public init<Object: Entity>(
        _ type: Object.Type, by attribute: String, olderThan age: Duration? = nil,
        keeping count: Int? = nil
    ) {
        self.init(entity: Object.entityName, by: attribute, olderThan: age, keeping: count)
    }

    /// Describes an eviction by when objects were last fetched.
    ///
    /// The entity must keep that: by `@Entity(fetchedAt: true)`. An object that no JSON has brought is the
    /// oldest where objects are counted, and of no age otherwise.
    ///
    /// - Parameters:
    ///   - age: The time since an object was fetched from which on it goes.
    ///   - count: The most objects that stay, those that were fetched last.
    public init<Object: Entity>(
        _ type: Object.Type, olderThan age: Duration? = nil, keeping count: Int? = nil
    ) {
        self.init(entity: Object.entityName, by: nil, olderThan: age, keeping: count)
    }

    /// Describes an eviction of an entity by its name.
    ///
    /// - Parameter attribute: The name of the attribute that tells an object's age; nil: that is the time since it
    ///   was last fetched.
    public init(
        entity: String, by attribute: String?, olderThan age: Duration? = nil,
        keeping count: Int? = nil
    ) {
        self.entity = entity
        self.attribute = attribute
        self.age = age
        self.count = count
    }
}

extension Eviction {
    /// Selects the rows of objects that are due; the parameter is the moment, counted as `Date`
    /// counts, before which objects are too old.
    ///
    /// A reference whose object has not arrived has no age, and is not counted.
    ///
    /// - Throws: `StoreError` where the model has no such entity or attribute.
    func statement(in plan: StorePlan) throws(StoreError) -> String {
        let entity = try plan.entity(entity)
        try check(entity)
        var reasons: [String] = []
        if age != nil { reasons.append("\(birth("t", entity)) < ?1") }
        if let count {
            reasons.append(
                "t.\(entity.rowid) NOT IN (SELECT k.\(entity.rowid) FROM \(entity.table) AS k"
                    + " WHERE \(isObject("k", entity))"
                    + " ORDER BY \(birth("k", entity)) DESC, k.\(entity.rowid) DESC"
                    + " LIMIT \(max(count, 0)))")
        }
        let isDue = reasons.isEmpty ? "FALSE" : reasons.joined(separator: " OR ")
        return "SELECT t.\(entity.rowid) FROM \(entity.table) AS t"
            + " WHERE (\(isDue)) AND \(isObject("t", entity))"
    }

    /// The moment from which an object's age counts.
    private func birth(_ alias: String, _ entity: EntityPlan) -> String {
        guard let attribute else { return entity.fetchedAt(alias) }
        return "\(alias).\(attribute.sqlName)"
    }

    private func check(_ entity: EntityPlan) throws(StoreError) {
        guard let attribute else { return try entity.checkKeepsFetchTimes() }
        guard entity.description.attribute(named: attribute)?.type == .date else {
            throw StoreError(
                .unexpectedValue, "\(self.entity) has no attribute \(attribute) of type date")
        }
    }

    /// The condition for rows that are more than references.
    private func isObject(_ alias: String, _ entity: EntityPlan) -> String {
        entity.isRow(.object, alias)
    }
}
