/// What a relationship says of the deletion of the object it belongs to.
struct DeletionRule {
    let name: String
    let rule: DeleteRule
    let destination: EntityPlan
    /// Selects the objects that go with those of the table `doomed`, as entity and row.
    let followers: String
    /// Counts the objects that the relationship links and that do not go.
    let remaining: String

    /// The rules of an entity's relationships that say more than to empty them.
    static func all(of entity: EntityPlan, in plan: StorePlan) -> [DeletionRule] {
        entity.description.relationships.compactMap { relationship in
            guard relationship.deleteRule != .nullify else { return nil }
            let links: Links
            if relationship.isToMany {
                let toMany = entity.toMany.first { $0.name == relationship.name }
                guard let toMany else { return nil }
                let query = LinkQuery(toMany, in: plan)
                links = Links(
                    table: query.table, source: query.source, target: query.target,
                    destination: plan.entities[toMany.destination])
            } else {
                guard let column = entity.columnNames.firstIndex(of: relationship.name) else {
                    return nil
                }
                links = Links(
                    table: entity.table, source: entity.rowid, target: relationship.name.sqlName,
                    destination: plan.entities[entity.columns[column].destination])
            }
            return DeletionRule(relationship, links, of: entity)
        }
    }

    /// A table in which sources and targets stand beside each other.
    private struct Links {
        let table: String
        let source: String
        let target: String
        let destination: EntityPlan
    }

    private init(_ relationship: RelationshipDescription, _ links: Links, of entity: EntityPlan) {
        name = relationship.name
        rule = relationship.deleteRule
        destination = links.destination
        followers =
            "SELECT \(links.destination.index), l.\(links.target) FROM doomed"
            + " CROSS JOIN \(links.table) AS l ON l.\(links.source) = doomed.row"
            + " WHERE doomed.entity = \(entity.index) AND l.\(links.target) IS NOT NULL"
        remaining =
            "SELECT count(DISTINCT \(links.target)) FROM \(links.table)"
            + " WHERE \(links.source) IN (\(Deletion.rows(of: entity)))"
            + " AND \(links.target) NOT IN (\(Deletion.rows(of: links.destination)))"
    }
}
