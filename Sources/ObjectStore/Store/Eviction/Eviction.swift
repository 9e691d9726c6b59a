/// Which objects of an entity a store lets go of when it is told to, to stay small.
///
/// Objects that others can't be without stay, as do those whose own relationships deny their
/// deletion. Links to an object that goes are cleared.
public struct Eviction: Hashable, Sendable {
    /// The entity's name.
    public let entity: String
    /// The attribute of type `date` that tells an object's age: when it was fetched, or last used.
    public let attribute: String
    /// The age from which objects go; nil: none goes for its age.
    public let age: Duration?
    /// How many of the youngest objects stay; nil: any number.
    public let count: Int?

    /// Describes an eviction.
    ///
    /// - Parameters:
    ///   - attribute: The name of the attribute that tells an object's age, set by the app or mapped
    ///     from JSON. An object without one is the oldest where objects are counted, and of no age
    ///     otherwise.
    ///   - age: The age from which objects go.
    ///   - count: How many of the youngest objects stay.
    public init<Object: Entity>(
        _ type: Object.Type, by attribute: String, olderThan age: Duration? = nil,
        keeping count: Int? = nil
    ) {
        self.init(entity: Object.entityName, by: attribute, olderThan: age, keeping: count)
    }

    /// Describes an eviction of an entity by its name.
    public init(
        entity: String, by attribute: String, olderThan age: Duration? = nil,
        keeping count: Int? = nil
    ) {
        self.entity = entity
        self.attribute = attribute
        self.age = age
        self.count = count
    }
}

extension Eviction {
    /// The statement that deletes what goes; its parameter is the moment, counted as `Date` counts,
    /// before which objects are too old.
    ///
    /// - Throws: `StoreError` where the model has no such entity or attribute.
    func statement(in plan: StorePlan) throws(StoreError) -> String {
        let entity = try plan.entity(entity)
        guard entity.description.attribute(named: attribute)?.type == .date else {
            throw StoreError(
                .unexpectedValue, "\(self.entity) has no attribute \(attribute) of type date")
        }
        let date = "t.\(attribute.sqlName)"
        var reasons: [String] = []
        if age != nil { reasons.append("\(date) < ?1") }
        if let count {
            reasons.append(
                "t.\(entity.rowid) NOT IN (SELECT \(entity.rowid) FROM \(entity.table) AS k"
                    + (entity.rowScope("k").map { " WHERE \($0)" } ?? "")
                    + " ORDER BY \(attribute.sqlName) DESC, \(entity.rowid) DESC"
                    + " LIMIT \(max(count, 0)))")
        }
        let isDue = reasons.isEmpty ? "FALSE" : reasons.joined(separator: " OR ")
        let isHeld = holders(of: entity, in: plan).map { " AND NOT EXISTS (\($0))" }
        let isOwn = entity.rowScope("t").map { " AND \($0)" } ?? ""
        return "DELETE FROM \(entity.table) AS t WHERE (\(isDue))\(isOwn)\(isHeld.joined())"
    }

    /// Statements that find what keeps an object from being deleted.
    private func holders(of entity: EntityPlan, in plan: StorePlan) -> [String] {
        var holders: [String] = []
        for other in plan.entities {
            for (column, name) in zip(other.columns, other.columnNames)
            where entity.family.members.contains(column.destination) && !column.isOptional {
                holders.append(
                    "SELECT 1 FROM \(other.table) AS o WHERE o.\(name.sqlName) = t.\(entity.rowid)")
            }
        }
        // An object may be of an entity below, which has rules of its own.
        for member in entity.family.descendants.sorted().map({ plan.entities[$0] }) {
            let isMember = member.ownScope("t").map { " AND \($0)" } ?? ""
            holders += deniers(of: member, in: plan).map { $0 + isMember }
        }
        return holders
    }

    /// Statements that find what the rules of an entity's own relationships deny a deletion for.
    private func deniers(of entity: EntityPlan, in plan: StorePlan) -> [String] {
        entity.description.relationships.filter { $0.deleteRule == .deny }.map { relationship in
            let many = entity.toMany.first { $0.name == relationship.name }
            guard let many else {
                return "SELECT 1 WHERE t.\(relationship.name.sqlName) IS NOT NULL"
            }
            let links = LinkQuery(many, in: plan)
            return "SELECT 1 FROM \(links.table) AS l"
                + " WHERE l.\(links.source) = t.\(entity.rowid)"
                + (links.rowScope.map { " AND \($0)" } ?? "")
        }
    }
}
