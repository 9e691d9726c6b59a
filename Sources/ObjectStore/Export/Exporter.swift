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
        } else {
            try writeIdentity(of: object, as: entity)
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
        return try find.step() ? try plan.entity(find.text(at: 0)) : nil
    }
}
