public import Foundation

extension Many where Element: Entity {
    /// The objects as a JSON array, by the model, as they are in the store now.
    ///
    /// See `ObjectReading.export` for what they look like; the identity stands for an object that has
    /// not arrived.
    ///
    /// - Parameter relationships: What stands for the objects that they are linked to.
    /// - Throws: What a transformer throws, or `StoreError`, also where an object has gone or was
    ///   made in code and is of no store yet.
    public func json(relationships: ExportedRelationships = .nested) throws -> Data {
        switch content {
        case .rows(let rows, let store):
            return try store.read {
                try $0.json(of: rows, as: Element.entityName, relationships: relationships)
            }
        case .relationship(let name, let owner, let entity, let store):
            return try store.read { snapshot in
                let rows = try snapshot.reader.rows(
                    of: name, owner: owner, entity: entity, includingReferences: true)
                return try snapshot.json(
                    of: rows, as: Element.entityName, relationships: relationships)
            }
        case .values, .identities, .asStored:
            throw StoreError(
                .missingObject,
                "objects of \(Element.entityName) that were named in code become JSON by what they"
                    + " were saved as")
        }
    }
}
