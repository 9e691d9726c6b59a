public import Foundation

extension One {
    /// The object as JSON, by the model, as it is in the store now.
    ///
    /// See `ObjectReading.export` for what it looks like. That of an object which has not arrived is its
    /// identity, which makes the same reference where it is imported as `One`.
    ///
    /// - Parameter relationships: What stands for the objects that it is linked to.
    /// - Throws: What a transformer throws, or `StoreError`, also where the object has gone or was
    ///   made in code and is of no store yet.
    public func json(relationships: ExportedRelationships = .nested) throws -> Data {
        guard case .row(let row, let store) = content else {
            throw StoreError(
                .missingObject,
                "an object of \(Destination.entityName) that was made in code becomes JSON by what"
                    + " it was saved as")
        }
        return try store.read {
            try $0.json(of: row, as: Destination.entityName, relationships: relationships)
        }
    }
}
