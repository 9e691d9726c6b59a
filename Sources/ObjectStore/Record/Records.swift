public import Foundation

/// Objects that JSON was imported to by the name of their entity: which they are, not what they
/// hold.
public struct Records: Sendable {
    /// The name of the entity that the JSON was imported as.
    public let entityName: String
    let rows: [Int64]
    let store: Store

    /// The number of objects; one that was met twice counts once.
    public var count: Int { rows.count }

    /// Reads the objects as they are now, in the order of the JSON.
    ///
    /// - Throws: `StoreError` with the code `missingObject` where one has gone.
    public func fetch() throws -> [Record] {
        let entity = try store.plan.entity(entityName)
        return try store.reading { try $0.reader.records(in: rows, of: entity) }
    }

    /// The objects as a JSON array, by the model, as they are now; see `ObjectReading.export`.
    ///
    /// - Parameter relationships: What stands for the objects that they are linked to.
    /// - Throws: What a transformer throws, or `StoreError`.
    public func json(relationships: ExportedRelationships = .nested) throws -> Data {
        try store.read {
            try $0.json(of: rows, as: entityName, relationships: relationships)
        }
    }
}
