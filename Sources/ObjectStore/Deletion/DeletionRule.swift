/// The SQL of a relationship's delete rule, if it is `cascade` or `deny`.
struct DeletionRule {
    /// The name of the entity that has the relationship.
    let entity: String
    let name: String
    let rule: DeleteRule
    /// The entity that the destination's table is named after.
    let destination: EntityPlan
    /// Selects the objects that go with those of the table `$doomed`, as entity and row.
    let followers: String
    /// The column of what the relationship links, in `followers`.
    let target: String
    /// The link of an object that is to go to one of a table, behind the name of that.
    private let leading: String
    private let leader: String
    /// Counts the objects that the relationship links and that do not go.
    let remaining: String
    /// Selects the objects that are to go and link some that are not, as entity and row.
    let holders: String

    /// Selects the objects that are to go and would take along, or are denied by, those of a table,
    /// as entity and row.
    ///
    /// - Parameters:
    ///   - table: The table, by the name `$held`.
    ///   - columns: What is selected instead.
    func leaders(of table: String, select columns: String? = nil) -> String {
        "SELECT \(columns ?? leader) FROM \(table)\(leading)"
    }

    /// The rules of relationships that say more than to empty them, of all entities that share a
    /// table.
    static func all(of root: EntityPlan, in plan: StorePlan) -> [DeletionRule] {
        plan.members(beside: root).flatMap { all(of: $0, below: root, in: plan) }
    }

    private static func all(
        of entity: EntityPlan, below root: EntityPlan, in plan: StorePlan
    ) -> [DeletionRule] {
        plan.ownRelationships(of: entity).compactMap { relationship in
            guard relationship.deleteRule != .nullify else { return nil }
            let links: Links
            if relationship.isToMany {
                let toMany = entity.toMany.first { $0.name == relationship.name }
                guard let toMany else { return nil }
                let query = LinkQuery(toMany, in: plan)
                links = Links(
                    table: query.table, source: query.source, target: query.target,
                    scope: query.rowScope,
                    destination: plan.root(of: plan.entities[toMany.destination]))
            } else {
                guard let column = entity.columnNames.firstIndex(of: relationship.name) else {
                    return nil
                }
                let destination = plan.entities[entity.columns[column].destination]
                links = Links(
                    table: entity.table, source: entity.rowid, target: relationship.name.sqlName,
                    scope: entity.rowScope("l"), destination: plan.root(of: destination))
            }
            return DeletionRule(relationship, links, of: entity, below: root)
        }
    }

    /// A table in which sources and targets stand beside each other.
    private struct Links {
        let table: String
        let source: String
        let target: String
        /// The condition for links of the relationship, on the alias `l`.
        let scope: String?
        let destination: EntityPlan
    }

    private init(
        _ relationship: RelationshipDescription, _ links: Links, of entity: EntityPlan,
        below root: EntityPlan
    ) {
        self.entity = entity.name
        name = relationship.name
        let scope = links.scope.map { " AND \($0)" } ?? ""
        rule = relationship.deleteRule
        destination = links.destination
        followers =
            "SELECT \(links.destination.index), l.\(links.target) FROM \(Deletion.doomed)"
            + " CROSS JOIN \(links.table) AS l ON l.\(links.source) = \(Deletion.doomed).row"
            + " WHERE \(Deletion.doomed).entity = \(root.index) AND l.\(links.target) IS NOT NULL"
            + scope
        target = "l.\(links.target)"
        leader = "\(root.index), l.\(links.source)"
        leading =
            " CROSS JOIN \(links.table) AS l ON l.\(links.target) = \(Deletion.held).row"
            + " WHERE \(Deletion.held).entity = \(links.destination.index)"
            + " AND \(Deletion.isToGo("l.\(links.source)", of: root))" + scope
        holders =
            "SELECT \(root.index), l.\(links.source) FROM \(links.table) AS l"
            + " WHERE l.\(links.source) IN (\(Deletion.rows(of: root)))"
            + " AND l.\(links.target) IS NOT NULL"
            + " AND l.\(links.target) NOT IN (\(Deletion.rows(of: links.destination)))" + scope
        remaining =
            "SELECT count(DISTINCT l.\(links.target)) FROM \(links.table) AS l"
            + " WHERE l.\(links.source) IN (\(Deletion.rows(of: root)))"
            + " AND l.\(links.target) NOT IN (\(Deletion.rows(of: links.destination)))" + scope
    }
}

/// A receiver of notes on what a deletion does: the transaction that asked for it, or the import
/// that let something fall out of an array.
protocol DeletionLog {
    /// Whether the rows themselves are to be named where their number would do.
    func wantsRows(of entity: EntityPlan) -> Bool

    /// Whether objects can be without what they need until whoever deletes has ended.
    var mayComplete: Bool { get }

    /// Objects have been deleted.
    func noteDeleted(_ change: DeletionChange, of entity: EntityPlan)

    /// To-one columns of objects that stay have been emptied, of each object one or more.
    ///
    /// - Parameter areRequired: Whether the objects can't be without what they led to.
    func noteEmptied(_ change: DeletionChange, areRequired: Bool, of entity: EntityPlan)

    /// Links of objects that stay have been taken away.
    func noteUnlinked(_ count: Int, of entity: EntityPlan)
}

/// The number of rows that a step of a deletion has changed, and the rows where they are asked for.
struct DeletionChange {
    let count: Int
    /// Nil where nobody wants to know.
    let rows: [Int64]?
}
