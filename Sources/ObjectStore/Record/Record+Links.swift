public import Foundation

extension Record {
    /// Reads the object at the other end of a to-one relationship as it is now, nil where there is
    /// none.
    ///
    /// - Throws: `StoreError` where the entity has no such relationship, or the object has gone.
    public func one(_ name: String) throws -> Record? {
        guard let column = plan.columnNames.firstIndex(of: name),
            plan.columns[column].destination >= 0
        else { throw unknown("to-one relationship", name) }
        guard case .integer(let row) = values[column] else { return nil }
        let destination = store.plan.entities[plan.columns[column].destination]
        return try store.reading { try $0.reader.records(in: [row], of: destination) }[0]
    }

    /// Reads the objects of a to-many relationship as they are now, in its order; those that are
    /// known by a reference only are left out.
    ///
    /// - Throws: `StoreError` where the entity has no such relationship.
    public func many(_ name: String) throws -> [Record] {
        guard let relationship = plan.toMany.first(where: { $0.name == name }) else {
            throw unknown("to-many relationship", name)
        }
        let destination = store.plan.entities[relationship.destination]
        return try store.read { snapshot in
            let rows = try snapshot.reader.rows(of: name, owner: row, entity: plan.name)
            return try snapshot.reader.records(in: rows, of: destination)
        }
    }

    /// The object as JSON by the model, as it is now; see `ObjectReading.export`.
    ///
    /// - Parameter relationships: What stands for the objects that it is linked to.
    /// - Throws: What a transformer throws, or `StoreError`, also where the object has gone.
    public func json(relationships: ExportedRelationships = .nested) throws -> Data {
        try store.read { try $0.json(of: row, as: plan.name, relationships: relationships) }
    }
}
