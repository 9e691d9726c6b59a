public import Foundation
public import LarderPromises

extension Store.Background {
    /// The objects that a query finds as a JSON array, by the model.
    public func json<Object: Entity>(
        _ query: Query<Object>, relationships: ExportedRelationships = .nested
    ) async throws -> Data {
        try await read { try $0.json(query, relationships: relationships) }
    }
}

extension Store.PromiseCalls {
    /// The objects that a query finds as a JSON array, by the model.
    public func json<Object: Entity>(
        _ query: Query<Object>, relationships: ExportedRelationships = .nested,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> Promise<Data> {
        read(fileID: fileID, line: line) { try $0.json(query, relationships: relationships) }
    }
}
