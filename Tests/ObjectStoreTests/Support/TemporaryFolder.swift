import Foundation

@testable import LarderObjectStore

/// A folder for database files, gone with the last use of it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "larder-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.path()
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { path + "/" + name }

    /// Opens a database file in the folder, which is made if need be.
    func open(
        _ name: String, creates: Bool = true, readOnly: Bool = false, busyTimeout: Int32 = 0
    ) throws -> Connection {
        try Connection(
            path: file(name), creates: creates, readOnly: readOnly, busyTimeout: busyTimeout)
    }
}
