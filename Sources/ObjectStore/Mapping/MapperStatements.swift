/// The statements that a writing connection has prepared for mapping, kept from one document to
/// the next.
final class MapperStatements {
    let connection: Connection
    private let entities: [EntityStatements]
    private var links: [[LinkStatements?]]

    init(plan: StorePlan, connection: Connection) {
        self.connection = connection
        entities = plan.entities.map { EntityStatements(plan: $0, connection: connection) }
        links = plan.entities.map { Array(repeating: nil, count: $0.toMany.count) }
    }

    func entity(_ plan: EntityPlan) -> EntityStatements { entities[plan.index] }

    /// The statements of a to-many relationship that has a table.
    func links(
        _ table: ToManyPlan.LinkTable, of index: Int, in plan: EntityPlan
    ) throws(StoreError) -> LinkStatements {
        if let prepared = links[plan.index][index] { return prepared }
        let statements = try LinkStatements(table, on: connection)
        links[plan.index][index] = statements
        return statements
    }
}
