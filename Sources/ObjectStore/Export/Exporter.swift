import Foundation

/// Writes objects as the JSON that their model would map to them, over one connection.
///
/// Every mapped property appears, an empty one as `null`, and key paths make nested objects. What
/// rewrites an object before it is mapped has no way back.
final class Exporter {
    let plan: StorePlan
    let relationships: ExportedRelationships
    var output = JSONOutput()
    var trail = ExportTrail()
    private let connection: Connection
    private var entities: [Int: ExportedEntity] = [:]
    /// Finds the entity of a row's object, by the table.
    private var finders: [String: Statement] = [:]

    init(connection: Connection, plan: StorePlan, relationships: ExportedRelationships) {
        self.connection = connection
        self.plan = plan
        self.relationships = relationships
    }

    /// The JSON of the object in a row, nil where it is not there.
    func json(of row: Int64, as entity: EntityPlan) throws -> Data? {
        guard let object = try object(in: row, as: entity) else { return nil }
        trail = ExportTrail()
        output.removeAll()
        try write(object)
        return Data(output.bytes)
    }

    /// The JSON of what a link leads to: an object, or the identity of one that has not arrived; nil
    /// where there is nothing.
    func linkedJSON(of row: Int64, as entity: EntityPlan) throws -> Data? {
        guard let object = try object(in: row, as: entity) else { return nil }
        trail = ExportTrail()
        output.removeAll()
        if object.isComplete {
            try write(object)
        } else if try !writeIdentity(of: object, as: entity) {
            output.append("null")
        }
        return Data(output.bytes)
    }

    /// A row read whole, with its object's own entity.
    struct Object {
        let entity: ExportedEntity
        let row: Int64
        let values: [SQLValue]

        var place: ExportTrail.Place { .init(table: entity.plan.table, row: row) }

        /// Whether more than a reference to it has arrived.
        let isComplete: Bool

        /// Whether it has an identity that can stand for it.
        var isIdentified: Bool {
            entity.plan.identifying.columns.contains { values[$0] != .null }
        }
    }

    func object(in row: Int64, as entity: EntityPlan) throws -> Object? {
        guard let entity = try concrete(entity, row: row) else { return nil }
        let exported = try exported(entity)
        return try exported.values(in: row).map {
            Object(
                entity: exported, row: row, values: Array($0.dropLast()),
                isComplete: $0.last == .null)
        }
    }

    /// Writes an object whole.
    func write(_ object: Object) throws {
        trail.enter(object.place)
        defer { trail.leave(object.place) }
        try write(object.entity.tree, of: object)
    }

    private func exported(_ entity: EntityPlan) throws(StoreError) -> ExportedEntity {
        if let known = entities[entity.index] { return known }
        let exported = try ExportedEntity(entity, in: plan, connection: connection)
        entities[entity.index] = exported
        return exported
    }

    /// The entity that the object in a row of an entity's table is of, nil where there is none.
    private func concrete(_ entity: EntityPlan, row: Int64) throws(StoreError) -> EntityPlan? {
        guard let column = entity.entityColumn else { return entity }
        let find: Statement
        if let known = finders[entity.table] {
            find = known
        } else {
            find = try Statement(
                "SELECT \(column) FROM \(entity.table) WHERE \(entity.rowid) = ?", on: connection)
            finders[entity.table] = find
        }
        find.bind(row, at: 1)
        defer { find.reset() }
        return try find.step() ? try plan.entity(find.text(at: 0), inTableOf: entity) : nil
    }
}

/// Rows of objects.
extension Reader {
    /// The rows of the objects that a query finds.
    func rows(of query: QueryDescription) throws -> [Int64] {
        let plan = try store.plan.entity(query.entity)
        var compiler = QueryCompiler(entity: plan, in: store.plan)
        let sql = try compiler.select(query, columns: [plan.family.rowidName])
        let statement = try connection.prepare(sql, by: compiler)
        defer { statement.reset() }
        var rows: [Int64] = []
        while try statement.step() { rows.append(statement.integer(at: 0)) }
        return rows
    }

    /// The rows of the objects that a to-many relationship links, in its order; those that are known
    /// by a reference only are left out unless asked for.
    func rows(
        of relationship: String, owner: Int64, entity: String, includingReferences: Bool = false
    ) throws -> [Int64] {
        let plan = try store.plan.entity(entity)
        guard let relationship = plan.toMany.first(where: { $0.name == relationship }) else {
            throw StoreError(
                .unknownEntity, "\(entity) has no relationship \(relationship) in the store's model"
            )
        }
        let links = LinkQuery(relationship, in: store.plan)
        let destination = store.plan.entities[relationship.destination]
        let condition =
            includingReferences ? destination.rowScope("t0") : destination.isRow(.object, "t0")
        let statement = try connection.prepare(
            "SELECT l.\(links.target) FROM \(links.table) AS l CROSS JOIN \(destination.table) AS t0"
                + " ON t0.\(destination.rowid) = l.\(links.target)"
                + " WHERE l.\(links.source) = ?\(condition.map { " AND \($0)" } ?? "") ORDER BY \(links.order)"
        )
        statement.bind(owner, at: 1)
        defer { statement.reset() }
        var rows: [Int64] = []
        while try statement.step() { rows.append(statement.integer(at: 0)) }
        if rows.isEmpty { try checkIsThere(owner, of: plan) }
        return rows
    }
}
