import Foundation
import Larder

/// A store in a folder of its own, which goes with the test.
enum TemporaryStore {
    static func with<Result>(
        _ entities: any Entity.Type..., isolation: isolated (any Actor)? = #isolation,
        do body: (Store) async throws -> Result
    ) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "larder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "store.sqlite").path()
        return try await body(Store(at: path, model: Model(entities: entities)))
    }
}
